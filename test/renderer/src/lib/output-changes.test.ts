import { describe, expect, it } from 'vitest';
import { withChanges } from '../../../../renderer/src/lib/output-changes.ts';

const a = { key: 'a', value: 1 };
const b = { key: 'b', value: 1 };

describe('withChanges', () => {
  it('replaces what changed and keeps the objects of what did not', () => {
    const changed = { key: 'a', value: 2 };
    const after = withChanges([a, b], { revision: 2, keys: ['a', 'b'], changed: [changed] });
    expect(after).toEqual([changed, b]);
    expect(after[1]).toBe(b);
  });

  it('drops what is gone and puts what is new in its place', () => {
    expect(withChanges([a], { revision: 3, keys: ['b'], changed: [b] })).toEqual([b]);
    expect(withChanges([b], { revision: 3, keys: ['a', 'b'], changed: [a] })).toEqual([a, b]);
  });

  it('leaves out what comes with the next answer', () => {
    expect(withChanges([], { revision: 3, keys: ['a', 'b'], changed: [a] })).toEqual([a]);
  });
});
