import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { ResultColumn, ResultValue } from '../../../../engine/ask/protocol.ts';
import { Output } from '../../../../engine/cli/output.ts';
import { printTable } from '../../../../engine/cli/query/result-forms.ts';
import { displayWidth } from '../../../../engine/cli/display-width.ts';

type Rows = readonly (readonly ResultValue[])[];

async function printed(columns: readonly ResultColumn[], rows: Rows, available: number | null): Promise<string[]> {
  let text = '';
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => ((text += chunk.toString()), done()) });
  const out = new Output(sink);
  async function* chunks(): AsyncGenerator<Rows> {
    yield await Promise.resolve(rows);
  }
  await printTable({ columns, selection: null, rows: chunks() }, out, available);
  await out.flush();
  return text.split('\n').slice(0, -1);
}

const columns: readonly ResultColumn[] = [
  { name: 'n', type: 'BIGINT' },
  { name: 'request', type: 'VARCHAR' },
  { name: 'agent', type: 'VARCHAR' },
  { name: 'Timestamp', type: 'TIMESTAMP_NS' },
];
const row = [9007199254740993n, `GET /${'x'.repeat(70)}`, 'Mozilla/5.0 (X11)', '2026-11-20 10:00:00.123456789'];

it('prints a table as wide as it is where no width is given', async () => {
  const lines = await printed(columns, [row], null);
  expect(lines.at(-1)).toBe(row.join('  '));
});

it('fits a table to its width: texts are cut, numbers and times are not', async () => {
  expect(await printed(columns, [row, [5, 'GET /', '', '2026-11-20 10:00:00']], 80)).toEqual([
    '               n  request         agent           Timestamp',
    '----------------  --------------  --------------  -----------------------------',
    '9007199254740993  GET /xxxxxxxx…  Mozilla/5.0 (…  2026-11-20 10:00:00.123456789',
    '               5  GET /                           2026-11-20 10:00:00',
  ]);
});

it('says which columns there is no room for', async () => {
  const lines = await printed(columns, [row], 40);
  expect(lines.slice(0, 3)).toEqual([
    '               n  request',
    '----------------  ----------------------',
    '9007199254740993  GET /xxxxxxxxxxxxxxxx…',
  ]);
  expect(lines.at(-1)).toBe('(2 of 4 columns did not fit: agent, Timestamp; --wide prints all)');
});

it('aligns wide characters, and shows control characters', async () => {
  const lines = await printed(
    [
      { name: '名前', type: 'VARCHAR' },
      { name: 'n', type: 'DOUBLE' },
    ],
    [
      ['日本語', 1],
      ['\u001b[31mred\u0007', 22],
      ['a\nb', 333],
    ],
    60,
  );
  expect(lines).toEqual([
    '名前                   n',
    '-------------------  ---',
    '日本語                 1',
    '\\u001b[31mred\\u0007   22',
    'a | b                333',
  ]);
  expect(new Set(lines.map(displayWidth)).size).toBe(1);
});

it('keeps to the width of later rows, too', async () => {
  const rows = Array.from({ length: 1200 }, (_, i) => [i, i === 1100 ? 'y'.repeat(90) : 'short']);
  const lines = await printed(
    [
      { name: 'n', type: 'INTEGER' },
      { name: 'text', type: 'VARCHAR' },
    ],
    rows,
    30,
  );
  expect(lines[1102]).toBe('1100  yyyy…');
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(30);
});
