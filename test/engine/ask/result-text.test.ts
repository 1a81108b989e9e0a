import { expect, test } from 'vitest';
import type { QueryResult } from '../../../engine/ask/asker.ts';
import type { ResultColumn, ResultValue } from '../../../engine/ask/protocol.ts';
import { writeJson } from '../../../engine/ask/result-text.ts';

async function jsonOf(columns: readonly ResultColumn[], row: readonly ResultValue[]): Promise<string> {
  async function* rows(): AsyncGenerator<QueryResult['rows'] extends AsyncIterable<infer T> ? T : never> {
    yield await Promise.resolve([row]);
  }
  let text = '';
  const add = (more: string): void => void (text += more);
  await writeJson({ columns, rows: rows(), selection: null }, { add, room: () => Promise.resolve() });
  return text;
}

test.each<{ type: string; value: ResultValue; written: string }>([
  { type: 'DECIMAL(4,2)', value: '1.50', written: '1.50' },
  { type: 'DECIMAL(38,3)', value: '-12345678901234567890.125', written: '-12345678901234567890.125' },
  { type: 'DECIMAL(4,2)', value: null, written: 'null' },
  { type: 'DECIMAL(3,2)[]', value: ['1.50', null], written: '[1.50,null]' },
  { type: 'DECIMAL(2,1)[][2]', value: [['0.5', '1.5']], written: '[[0.5,1.5]]' },
  { type: 'VARCHAR', value: '1.50', written: '"1.50"' },
  { type: 'HUGEINT', value: 2n ** 70n, written: '1180591620717411303424' },
  { type: 'DOUBLE', value: -0, written: '-0' },
  { type: 'DOUBLE', value: NaN, written: 'null' },
])('a $type $value is written as $written in JSON', async ({ type, value, written }) => {
  expect(await jsonOf([{ name: 'n', type }], [value])).toBe(`{"n":${written}}\n`);
});
