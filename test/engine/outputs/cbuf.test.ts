import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCircularBuffer } from '../../../engine/outputs/cbuf.ts';

const COLUMNS =
  '{"time":120,"rows":3,"columns":2,"seconds_per_row":60,"column_info":[{"name":"A","unit":"count","aggregation":"sum"},{"name":"B","unit":"ms","aggregation":"max"}]}';

/** Numbers as scripts write them. */
const number = fc
  .oneof(
    fc.double(),
    fc.integer(),
    fc.integer().map((value) => value / 1000),
  )
  .map(String);

describe('parseCircularBuffer', () => {
  it('reads header and cells', () => {
    const buffer = parseCircularBuffer(`${COLUMNS}\n1\tnan\nnan\t-inf\n7.25\tinf\n`);
    expect(buffer).toMatchObject({ time: 120, secondsPerRow: 60, rows: 3, annotations: [] });
    expect(buffer?.columns).toEqual([
      { name: 'A', unit: 'count', aggregation: 'sum', values: new Float64Array([1, NaN, 7.25]) },
      { name: 'B', unit: 'ms', aggregation: 'max', values: new Float64Array([NaN, -Infinity, Infinity]) },
    ]);
  });

  it('reads the annotations before it', () => {
    const line = '{"annotations":[{"x":1400001540000,"col":2,"shortText":"A","text":"many"},{"x":"?"}]}';
    expect(parseCircularBuffer(`${line}\n${COLUMNS}\n1\t2\n3\t4\n5\t6\n`)?.annotations).toEqual([
      { time: 1400001540000, column: 1, short: 'A', text: 'many' },
    ]);
    expect(parseCircularBuffer(`{"options":{"title":"x"}}\n${COLUMNS}\n`)?.annotations).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['text', 'hello\nworld\n'],
    ['a header without its line end', COLUMNS],
    ['an endless claim', COLUMNS.replace('"rows":3', '"rows":99999999999') + '\n'],
    ['too few columns', COLUMNS.replace('"columns":2', '"columns":3') + '\n'],
    ['annotations alone', '{"annotations":[]}\n'],
    ['a null column', '{"time":0,"rows":1,"columns":1,"seconds_per_row":1,"column_info":[null]}\n'],
  ])('refuses %s', (_, payload) => expect(parseCircularBuffer(payload)).toBeNull());

  it('takes missing cells as no data', () => {
    expect(parseCircularBuffer(`${COLUMNS}\n1\n`)?.columns[1]?.values).toEqual(new Float64Array([NaN, NaN, NaN]));
  });

  it('reads every number as JavaScript does', () => {
    const cells = fc.array(
      fc.oneof(number, fc.stringMatching(/^-?\d{0,18}\.?\d{0,18}$/), fc.constantFrom('-0', '.5', '5.', '.', '-', '1e21', ' 1 ')),
    );
    fc.assert(
      fc.property(cells, (texts) => {
        const header = COLUMNS.replace('"rows":3', `"rows":${texts.length + 1}`);
        const values = parseCircularBuffer(`${header}\n${texts.map((cell) => `${cell}\t1\n`).join('')}`)?.columns[0]?.values;
        expect([...(values ?? [])]).toEqual([...texts.map((cell) => (cell === '' ? NaN : Number(cell))), NaN]);
      }),
    );
  });

  it('takes no more columns than the header says', () => {
    const buffer = parseCircularBuffer(`${COLUMNS}\n1\t2\t3\n4\t5`);
    expect(buffer?.columns.map(({ values }) => [...values])).toEqual([
      [1, 4, NaN],
      [2, 5, NaN],
    ]);
  });
});
