import { describe, expect, it } from 'vitest';
import type { Difference as Answer, DifferenceQuery } from '../../../../engine/api/difference-types.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { ValueType, type Field, type Message } from '../../../../engine/message/types.ts';
import { compileExpression } from '../../../../engine/matcher/expression.ts';
import { Difference } from '../../../../engine/store/difference/difference.ts';
import { newStore } from '../fixtures.ts';

type Values = Readonly<Record<string, string | number>>;
interface Made {
  readonly at: number;
  readonly type?: string;
  readonly payload?: string;
  readonly severity?: number;
  readonly values?: Values;
}

const fieldOf = ([name, value]: [string, string | number]): Field =>
  typeof value === 'string'
    ? { name, valueType: ValueType.STRING, values: [value] }
    : { name, valueType: ValueType.DOUBLE, values: [value] };
const messageOf = ({ at, type = 'test', payload, severity, values = {} }: Made): Message => ({
  uuid: new Uint8Array(16),
  timestamp: BigInt(Math.round(at * 1000)) * 1_000_000n,
  type,
  ...(payload === undefined ? {} : { payload }),
  ...(severity === undefined ? {} : { severity }),
  fields: Object.entries(values).map(fieldOf),
});

/** Numbers that look random. */
const noise = (i: number, salt = 1): number => {
  const x = Math.sin(i * 12.9898 + salt * 78.233) * 43758.5453;
  return x - Math.floor(x);
};
const COUNT = 6000;
const T0 = 1_700_000_000;
/** Records a second apart; the second half is B. */
const log = (of: (i: number, isB: boolean) => Omit<Made, 'at'>): Made[] =>
  Array.from({ length: COUNT }, (_, i) => ({ at: T0 + i, ...of(i, i >= COUNT / 2) }));
const HALVES: DifferenceQuery = { a: { to: (T0 + COUNT / 2) * 1000 }, b: { from: (T0 + COUNT / 2) * 1000 } };

async function compare(
  records: readonly Made[],
  query: DifferenceQuery = HALVES,
): Promise<{ answer: Answer; messages: readonly Message[] }> {
  const store = newStore();
  const messages = records.map(messageOf);
  for (let at = 0; at < messages.length; at += 700)
    await store.append({ batch: batchOf(messages.slice(at, at + 700)), raw: null, source: 1, decoder: 'test' });
  await store.flushed();
  const difference = new Difference(store, query);
  while (!difference.complete) await difference.advance(50);
  await store.close();
  return { answer: difference.answer(), messages };
}

const quiet = (i: number): Values => ({
  host: `web${Math.floor(5 * noise(i))}`,
  status: noise(i, 2) < 0.01 ? 500 : 200,
  took: 100 * -Math.log(noise(i, 3) + 1e-9),
  id: `id-${i}-${Math.floor(1e6 * noise(i, 4))}`,
});

describe('the difference of two sides', () => {
  it('is none where only chance made one', async () => {
    const { answer } = await compare(log((i) => ({ payload: `request ${i} done`, values: quiet(i) })));
    expect(answer).toMatchObject({ rows: [], a: { records: 3000 }, b: { records: 3000 }, complete: true, done: 1 });
    expect(answer.tests).toBeGreaterThan(10);
  });

  it('is none of two sides that are the same records twice', async () => {
    const once = log((i) => ({ values: quiet(i) })).slice(0, COUNT / 2);
    const { answer } = await compare([...once, ...once.map((one) => ({ ...one, at: one.at + COUNT / 2 }))]);
    expect(answer.rows).toEqual([]);
  });

  it('names the host that makes errors, by what the errors have in common', async () => {
    const { answer, messages } = await compare(
      log((i, isB) => {
        const values = quiet(i);
        return isB && values['host'] === 'web3' && noise(i, 9) < 0.4
          ? { severity: 3, values: { ...values, status: 502 } }
          : { severity: 6, values };
      }),
    );
    const [first] = answer.rows;
    expect(first?.text).toMatch(/^new: (?:status 502|level Error), (?:status 502|level Error): none of A, \d.* % of B$/);
    expect(first?.causes[0]).toMatchObject({ text: 'host web3', share: 1, filter: "Fields[host] == 'web3'" });
    expect(answer.rows).toHaveLength(1);
    const found = compileExpression(first?.filter as string);
    expect(messages.filter((message) => found.matches(message))).toHaveLength(first?.b.count ?? -1);
  });

  it('names numbers that shifted, and the value that they shifted for', async () => {
    const { answer, messages } = await compare(
      log((i, isB) => {
        const values = quiet(i);
        return { values: isB && values['host'] === 'web1' ? { ...values, took: 2000 + (values['took'] as number) } : values };
      }),
    );
    const [first] = answer.rows;
    expect(first).toMatchObject({ kind: 'number', variable: 'Fields[took]' });
    expect(first?.text).toMatch(/^host web1, took ≥ .*: .* of A, .* % of B \(median \d+.* → .*, p95 .* → 2\..*k\)$/);
    expect(first?.causes).toEqual([]);
    const found = compileExpression(first?.filter as string);
    expect(messages.filter((message) => found.matches(message))).toHaveLength((first?.a.count ?? 0) + (first?.b.count ?? 0));
  });

  it('names a route that got a little slower among others that are slower still', async () => {
    const routes = ['/login', '/cart', '/search', '/report'];
    const { answer, messages } = await compare(
      log((i, isB) => {
        const at = Math.floor(4 * noise(i, 6));
        const took = [20, 50, 200, 900][at] as number;
        return { values: { route: routes[at] as string, took: took * (0.5 + noise(i, 7)) * (isB && at === 0 ? 2 : 1) } };
      }),
    );
    expect(answer.rows.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^route \/login, took ≥ .*: .* \(median (?:19|2\d).* → (?:3|4)\d/),
    ]);
    const { filter, a, b } = answer.rows[0] as (typeof answer.rows)[0];
    const found = compileExpression(filter as string);
    expect(messages.filter((message) => found.matches(message))).toHaveLength(a.count + b.count);
  });

  it('tells patterns of texts that are new or gone, with filters that find them', async () => {
    const { answer, messages } = await compare(
      log((i, isB) => {
        if (isB && i % 97 === 0)
          return { payload: `Request ${i} failed\njava.lang.OutOfMemoryError: Java heap space\n\tat a.B.c(B.java:${i % 5})` };
        if (!isB && i % 50 === 0) return { payload: `Job backup finished in ${i} ms` };
        return { payload: noise(i) < 0.5 ? `user u${1000 + i} logged in` : `cache hit for item:${i}` };
      }),
    );
    expect(answer.rows.map(({ text }) => text.replace(/ \d.*/, ''))).toEqual([
      'gone: “Job backup finished in <*> ms”:',
      'new: “Request <*> failed | java.lang.OutOfMemoryError: Java heap space”: none of A,',
    ]);
    for (const { filter, a, b } of answer.rows) {
      const found = compileExpression(filter as string);
      expect(messages.filter((message) => found.matches(message))).toHaveLength(a.count + b.count);
    }
  });

  it.each<[string, RegExp, (i: number, isB: boolean) => string]>([
    [
      'an address that comes more often',
      /^“connection to 10\.0\.0\.7 failed after <\*> tries”: \d.* of A, \d.* of B$/,
      (i, isB) =>
        `connection to 10.0.0.${isB && noise(i, 3) < 0.4 ? 7 : 3 + Math.floor(8 * noise(i, 4))}:5432 failed after ${1 + (i % 5)} tries`,
    ],
    [
      'numbers that shifted',
      /^“query took ≥ [\d.]+ms, <\*> rows”: .* of A, .* of B \(median .* → .*\)$/,
      (i, isB) => `query took ${Math.ceil((isB ? 90 : 20) * noise(i, 5))}ms, ${Math.floor(50 * noise(i, 6))} rows`,
    ],
    [
      'numbers of other units, which are converted',
      /^“GET took ≥ [\d.k]+ms”: .* \(median \d\d\d → [\d.]+k, /,
      (i, isB) => {
        const ms = (isB ? 3000 : 700) * (0.2 + noise(i, 7));
        return ms < 1000 ? `GET took ${ms.toFixed(0)}ms` : `GET took ${(ms / 1000).toFixed(2)}s`;
      },
    ],
  ])('looks into texts: %s', async (_, row, text) => {
    const { answer, messages } = await compare(
      log((i, isB) => ({ payload: i % 3 === 0 ? text(i, isB) : `order ${70_000 + i - (i % 7)} stored by ${1000 + (i % 11)}` })),
    );
    expect(answer.rows.map((one) => one.text)).toEqual([expect.stringMatching(row)]);
    const [{ filter, a, b } = { filter: null, a: { count: 0 }, b: { count: 0 } }] = answer.rows;
    const expression = compileExpression(filter as string);
    const found = messages.filter((message) => expression.matches(message)).length;
    expect(found).toBe(row.source.includes('GET') ? COUNT / 3 : a.count + b.count);
  });

  it('tells a new text with the words that are the same in all of its records', async () => {
    const { answer } = await compare(
      log((i, isB) => ({
        payload:
          isB && i % 20 === 0
            ? `Failed password for ${['root', 'admin', 'git'][i % 3]} from 203.0.113.77 port ${1024 + Math.floor(6e4 * noise(i))} ssh2`
            : `session ${i} opened`,
      })),
    );
    expect(answer.rows).toHaveLength(1);
    expect(answer.rows[0]?.text).toBe('new: “Failed password for <*> from 203.0.113.77 port <num> ssh2”: none of A, 5 % of B');
  });

  it('is one row for a version that took the place of another', async () => {
    const { answer } = await compare(log((i, isB) => ({ values: { ...quiet(i), version: isB ? '1.5.0' : '1.4.2' } })));
    expect(answer.rows).toHaveLength(1);
    expect(answer.rows[0]?.text).toMatch(/version 1\.[45]/);
    expect(answer.rows[0]?.also.join()).toMatch(/version 1\.[45]/);
  });

  it('compares the records of a value with all others, without the field that chooses them', async () => {
    const records = log((i) => {
      const values = quiet(i);
      return { values: { ...values, zone: values['host'] === 'web2' && noise(i, 5) < 0.9 ? 'north' : 'south' } };
    });
    const { answer } = await compare(records, { a: {}, b: { matcher: "Fields[host] == 'web2'" }, without: ['host'] });
    expect(answer.a.records + answer.b.records).toBe(COUNT);
    expect(answer.rows).toHaveLength(1);
    expect(answer.rows[0]?.text).toMatch(/zone north/);
  });

  it('tells clocks that go back, times without records, and other rates', async () => {
    const back = await compare(log((i, isB) => ({ values: quiet(i), ...(isB && i > 4500 ? { at: T0 + i - 1000 } : {}) })));
    expect(back.answer.rows.map(({ kind }) => kind)).toContain('clock');
    const gap = await compare(log((i) => ({ values: quiet(i) })).filter((_, i) => i < 4000 || i > 4400));
    expect(gap.answer.rows.map(({ text }) => text).join()).toMatch(/no record for 6\.\d+ min in B/);
    const rare = await compare(log((i) => ({ values: quiet(i) })).filter((_, i) => i < 3000 || i % 4 === 0));
    expect(rare.answer.rows.map(({ text }) => text)).toEqual(['records: 1 per second in A, 15 per minute in B']);
  });

  it('tells what the sides are by another name last, and hides nothing behind it', async () => {
    const records = log((i) => {
      const isNew = noise(i, 7) < 0.3;
      const zone = noise(i, 8) < 0.3 ? 'north' : 'south';
      return {
        values: {
          ...quiet(i),
          version: isNew ? '1.4.2' : '1.4.1',
          build: isNew ? 'b42' : 'b41',
          zone: isNew ? 'east' : zone,
          slow: isNew && noise(i, 9) < 0.3 ? 'yes' : 'no',
        },
      };
    });
    const { answer } = await compare(records, { a: {}, b: { matcher: "Fields[version] == '1.4.2'" }, without: ['version'] });
    const texts = answer.rows.map(({ text }) => text);
    expect(texts[0]).toMatch(/^(?:gone: zone south|new: slow yes)/);
    expect(texts.at(-1)).toMatch(/build b4|zone east/);
    expect(texts.join('\n')).toMatch(/gone: zone north/);
  });

  it('tells no clock that goes back by lines of another form', async () => {
    const values = (i: number): Values => ({ ...quiet(i), zone: i % 2 === 0 ? 'north' : 'south' });
    const records = log((i) =>
      i % 1500 > 4 ? { values: values(i) } : { at: T0 - 9000, type: 'logfile', values: { decode_failure: 'yes' } },
    );
    const { answer } = await compare(records, { a: {}, b: { matcher: "Fields[zone] == 'north'" }, without: ['zone'] });
    expect(answer.rows.filter(({ kind }) => kind === 'clock')).toEqual([]);
  });

  it('has other sides when these are swapped, and none where a side is empty', async () => {
    const records = log((i, isB) => ({ values: { ...quiet(i), ...(isB && i % 9 === 0 ? { host: 'web9' } : {}) } }));
    const [one, other] = [await compare(records), await compare(records, { a: HALVES.b, b: HALVES.a })];
    expect(one.answer.rows.map(({ a, b }) => [a.count, b.count])).toEqual(other.answer.rows.map(({ a, b }) => [b.count, a.count]));
    expect(one.answer.rows[0]?.text).toContain('new: host web9');
    expect(other.answer.rows[0]?.text).toContain('gone: host web9');
    expect((await compare(records, { a: { to: 1 }, b: {} })).answer).toMatchObject({ rows: [], a: { records: 0 }, complete: true });
  });

  const half = (records: readonly Omit<Made, 'at'>[], from: number): Made[] => records.map((one, i) => ({ at: T0 + from + i, ...one }));
  const many = (count: number, of: (i: number) => Omit<Made, 'at'>): Omit<Made, 'at'>[] => Array.from({ length: count }, (_, i) => of(i));
  const wide = (i: number): Values => Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, (i * at) % 7]));
  it.each<[string, Omit<Made, 'at'>[], Omit<Made, 'at'>[], RegExp | null]>([
    ['one record each', [{ values: { x: 'a' } }], [{ values: { x: 'b' } }], null],
    ['one record and many', many(500, (i) => ({ values: quiet(i) })), [{ values: quiet(1) }], null],
    [
      'different values in all records',
      many(500, (i) => ({ values: { id: `x${i}` } })),
      many(500, (i) => ({ values: { id: `y${i}` } })),
      null,
    ],
    ['a field of B alone', many(500, () => ({ values: { x: 'a' } })), many(500, () => ({ values: { x: 'a', y: 'new' } })), /^new: y new/],
    ['500 fields', many(60, (i) => ({ values: wide(i) })), many(60, (i) => ({ values: wide(i) })), null],
    [
      'long texts',
      many(6, (i) => ({ payload: `a ${i} `.repeat(250_000) })),
      many(6, (i) => ({ payload: `a ${i} `.repeat(250_000) })),
      null,
    ],
    [
      'numbers that are none, or have no end',
      many(400, (i) => ({ values: { x: [NaN, 1][i % 2] as number, y: 5 } })),
      many(400, (i) => ({ values: { x: [Infinity, -Infinity, NaN, 1e308][i % 4] as number, y: -0 } })),
      /y 0/,
    ],
    ['other fields in all records', many(400, () => ({ values: { x: 'a' } })), many(400, () => ({ values: { y: 1 } })), /x a/],
  ])('comes to an end with %s', async (_name, a, b, expected) => {
    const { answer } = await compare([...half(a, 0), ...half(b, COUNT / 2)]);
    expect([answer.complete, answer.a.records, answer.b.records]).toEqual([true, a.length, b.length]);
    const rows = answer.rows.filter(({ kind }) => kind !== 'rate' && kind !== 'gap').map(({ text }) => text);
    if (expected === null) expect(rows).toEqual([]);
    else expect(rows.join('\n')).toMatch(expected);
    for (const { text, chance } of answer.rows) expect([text.includes('NaN'), chance]).toEqual([false, expect.closeTo(0, 1)]);
  });

  it('compares records that are all of one time', async () => {
    const { answer } = await compare(
      many(800, (i) => ({ values: { host: `w${i % 2}`, ...(i % 2 === 0 ? { x: 'a' } : {}) } })).map((one) => ({ at: T0, ...one })),
      { a: {}, b: { matcher: "Fields[host] == 'w1'" }, without: ['host'] },
    );
    expect(answer.rows.map(({ text }) => text)).toEqual(['gone: x a: 100 % of A, none of B']);
  });
});
