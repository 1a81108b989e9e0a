import { expect, it } from 'vitest';
import { exportResult } from '../../../../engine/workspace/query/export-result.ts';

/** A result whose rows come in chunks, and what is written of it with the rows of each piece. */
async function exported(format: 'csv' | 'exact-csv' | 'json', chunks: readonly (readonly string[][])[]) {
  const written: [text: string, rows: number][] = [];
  async function* rows(): AsyncGenerator<unknown> {
    for (const chunk of chunks) yield await Promise.resolve(chunk);
  }
  const result = { columns: [{ name: 'a', type: 'VARCHAR' }], rows: rows() };
  await exportResult(result as never, format, {
    signal: new AbortController().signal,
    write: (data, count) => Promise.resolve(void written.push([String(data), count])),
    expect: () => undefined,
  });
  return written;
}

it.each([
  ['json', '{"a":"x"}\n{"a":"y"}\n'],
  ['exact-csv', 'a\r\nx\r\ny\r\n'],
] as const)('%s: all rows are written, and counted', async (format, text) => {
  expect(await exported(format, [[['x']], [['y']]])).toEqual([[text, 2]]);
});

it('long results are written in pieces', async () => {
  const chunks = Array.from({ length: 10 }, (_, i) => Array.from({ length: 1000 }, () => [`${i} ${'x'.repeat(20)}`]));
  const written = await exported('json', chunks);
  expect(written.length).toBeGreaterThan(2);
  expect(written.reduce((sum, [, rows]) => sum + rows, 0)).toBe(10_000);
  expect(
    written
      .map(([text]) => text)
      .join('')
      .split('\n'),
  ).toHaveLength(10_001);
});
