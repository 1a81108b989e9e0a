import { describe, expect, it } from 'vitest';
import type { NoticeCode } from '../../../../../engine/api/notices.ts';
import { RankHistory } from '../../../../../renderer/src/lib/charts/rank-history.ts';
import { isSilenced, setBack, shapeOf, silenceText, type Silence } from '../../../../../renderer/src/lib/time/silence.ts';

const notice = (text: string, code: NoticeCode = 'alert', plugin: string | null = 'rate') => ({
  text,
  code,
  about: { source: 1, plugin, time: null, end: null, shows: null },
});
const silence = (more: Partial<Silence>): Silence => ({ id: 1, code: null, plugin: null, text: null, until: null, ...more });

describe('a silence', () => {
  it.each([
    ['of a plugin', silence({ plugin: 'rate' }), notice('x'), true],
    ['of another plugin', silence({ plugin: 'rare' }), notice('x'), false],
    ['of a plugin, for what is about none', silence({ plugin: 'rate' }), notice('x', 'source.failed', null), false],
    ['of a kind', silence({ code: 'alert' }), notice('x'), true],
    ['of a text with other numbers', silence({ text: shapeOf('rate is 12.5 at 10:00:00') }), notice('rate is 99 at 11:30:59'), true],
    [
      'of a text with another time',
      silence({ text: shapeOf('no 5xx since 2026-03-17T14:45:00.000Z') }),
      notice('no 5xx since 2026-03-18T09:00:07.000Z'),
      true,
    ],
    ['of another class of statuses', silence({ text: shapeOf('no 3xx since 9') }), notice('no 5xx since 9'), false],
    ['of another text', silence({ text: shapeOf('rate is 12') }), notice('load is 12'), false],
    ['of a kind and a plugin', silence({ code: 'alert', plugin: 'rare' }), notice('x'), false],
    ['that is over', silence({ code: 'alert', until: 999 }), notice('x'), false],
    ['that is not over', silence({ code: 'alert', until: 1001 }), notice('x'), true],
  ])('%s', (_what, rule, said, silent) => {
    expect(isSilenced(said, [rule], 1000)).toBe(silent);
  });

  it('lasts as long when the clock is set back', () => {
    const rules = setBack([silence({ code: 'alert', until: 1500 }), silence({ plugin: 'rare' })], 1000);
    expect([isSilenced(notice('x'), rules, 499), isSilenced(notice('x'), rules, 500)]).toEqual([true, false]);
    expect(isSilenced(notice('x', 'plugin.stalled', 'rare'), rules, 5000)).toBe(true);
  });

  it('says what it is about', () => {
    expect(silenceText(silence({ plugin: 'rate', code: 'alert' }))).toBe('everything from rate, alerts of the kind alert');
    expect(silenceText(silence({ text: 'rate is #' }))).toBe('“rate is #”');
  });
});

describe('changes of ranks', () => {
  it('are those of the last minute', () => {
    const history = new RankHistory();
    const changes = (items: string, at: number): object => Object.fromEntries(history.changes([...items], at));
    expect(changes('abc', 0)).toEqual({});
    expect(changes('bac', 1000)).toEqual({ b: 1, a: -1 });
    expect(changes('bacd', 30_000)).toEqual({ b: 1, a: -1, d: 'new' });
    expect(changes('dbac', 61_000)).toEqual({ d: 'new', a: -2, c: -1 });
    expect(changes('dbac', 95_000)).toEqual({ d: 3, b: -1, a: -1, c: -1 });
    expect(changes('dbac', 160_000)).toEqual({});
  });

  it('are not those of a list that is being made from a log, nor of its last records', () => {
    const history = new RankHistory();
    const changes = (items: string, at: number, made = true): object => Object.fromEntries(history.changes([...items], at, made));
    expect(changes('ab', 0, false)).toEqual({});
    expect(changes('bac', 1000, false)).toEqual({});
    expect(changes('cab', 3000)).toEqual({});
    expect(changes('acb', 7000)).toEqual({ a: 1, c: -1 });
  });

  it('keep little, however often they are asked for', () => {
    const history = new RankHistory();
    for (let at = 0; at < 600_000; at += 100) history.changes(['a', 'b'], at);
    expect(history.changes(['b', 'a'], 600_000)).toEqual(
      new Map([
        ['b', 1],
        ['a', -1],
      ]),
    );
  });
});
