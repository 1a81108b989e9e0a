import { beforeEach, describe, expect, test } from 'vitest';
import { add, concat, create, prune, remove, set_prune } from '../../../plugins/modules/annotation.ts';

const S = 1e9;

describe('annotations', () => {
  beforeEach(() => {
    globalThis._ANNOTATIONS = {};
  });

  test('live for a while', () => {
    add('X', 5000999999, 2, 'A', 't');
    set_prune('X', 10 * S);
    expect(prune('X', 14 * S)).toBe('{"annotations":[{"x":5000,"col":2,"shortText":"A","text":"t"}]}\n');
    expect(prune('X', 15 * S)).toBe('{"annotations":[]}\n');
    expect(prune('none', 1)).toBe('{"annotations":[]}\n');
    expect(prune('toString', 1)).toBe('{"annotations":[]}\n');
  });

  test('live for a day unless said otherwise', () => {
    concat('X', [create(0, 1, 'A', 'a'), create(S, 1, 'B', 'b')]);
    expect(JSON.parse(prune('X', 86_400 * S))).toEqual({ annotations: [{ x: 1000, col: 1, shortText: 'B', text: 'b' }] });
    remove('X');
    expect(prune('X', 0)).toBe('{"annotations":[]}\n');
  });

  test('are kept by any name', () => {
    globalThis._ANNOTATIONS = Object.create(null) as typeof _ANNOTATIONS;
    for (const name of ['__proto__', 'constructor', '']) {
      add(name, S, 1, 'A', name);
      expect(prune(name, S)).toBe(`{"annotations":[{"x":1000,"col":1,"shortText":"A","text":"${name}"}]}\n`);
    }
  });

  test('are not kept without end', () => {
    for (let i = 0; i < 400; i++) add('X', i * S, 1, 'A', 't');
    const { annotations } = JSON.parse(prune('X', 0)) as { annotations: { x: number }[] };
    expect(annotations.map(({ x }) => x)).toEqual(Array.from({ length: 300 }, (_, i) => (i + 100) * 1000));
  });
});
