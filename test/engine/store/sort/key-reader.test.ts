import { expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { parseTemplate } from '../../../../engine/message/summary/template.ts';
import { ValueType, type Message } from '../../../../engine/message/types.ts';
import { keyReader } from '../../../../engine/store/sort/key-reader.ts';

const SECOND = 1_000_000_000n;
const bare = (timestamp: bigint, more: Partial<Message> = {}): Message => ({ uuid: new Uint8Array(16), timestamp, fields: [], ...more });

const stored = batchOf([
  bare(1n * SECOND, {
    type: 'a',
    severity: 3,
    hostname: 'web1',
    pid: 7,
    logger: 'x',
    payload: 'one',
    fields: [
      { name: 'took', valueType: ValueType.INTEGER, values: [12n, 5n] },
      { name: 'id', valueType: ValueType.STRING, values: ['7f3a'] },
    ],
  }),
  bare(2n * SECOND + 1_000_000n, {
    hostname: '',
    fields: [
      { name: 'took', valueType: ValueType.DOUBLE, values: [1.5] },
      { name: 'id', valueType: ValueType.INTEGER, values: [404n] },
    ],
  }),
  bare(3n * SECOND, { fields: [{ name: 'took', valueType: ValueType.INTEGER, values: [1n << 60n] }] }),
]);

it.each<[by: string, keys: ReturnType<ReturnType<typeof keyReader>>[]]>([
  ['time', [1000, 2001, 3000]],
  ['Timestamp', [1n * SECOND, 2n * SECOND + 1_000_000n, 3n * SECOND]],
  ['source', ['s0', 's1', 's2']],
  ['type', ['a', null, null]],
  ['severity', [3, null, null]],
  ['summary', ['12, 5 in web1', '1.5', '1152921504606846976']],
  ['repeats', ['3 one', 'null ', 'null ']],
  ['text', ['one', '', '']],
  ['Hostname', ['web1', null, null]],
  ['Pid', [7, null, null]],
  ['Logger', ['x', null, null]],
  ['Fields[took]', [12, 1.5, 1n << 60n]],
  ['took', [12, 1.5, 1n << 60n]],
  ['Fields[id]', ['7f3a', 404, null]],
  ['Fields[none]', [null, null, null]],
])('keys by %s', (by, keys) => {
  const read = keyReader(stored, by, (row) => ({
    label: `s${row}`,
    plan: { template: parseTemplate('{took} [in {Hostname}]'), columns: [] },
  }));
  expect([0, 1, 2].map(read)).toEqual(keys);
});
