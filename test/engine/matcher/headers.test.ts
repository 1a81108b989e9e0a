import { describe, expect, it } from 'vitest';
import type { NumberVariable, Relation, TextVariable } from '../../../engine/matcher/ast.ts';
import { compileNumberHeader, compileTextHeader } from '../../../engine/matcher/headers.ts';
import type { Message } from '../../../engine/message/types.ts';
import { batchOf, uuid } from './messages.ts';

const UUID = '3f06af63-a93c-11e4-9797-00505690773f';
const messages: Message[] = [
  { uuid: uuid(UUID), timestamp: 1n, type: 'web', hostname: 'box1', severity: 3, fields: [] },
  { uuid: new Uint8Array(16), timestamp: 2n, hostname: 'box1', fields: [] },
  { uuid: new Uint8Array(16), timestamp: 2n ** 62n, type: 'app', hostname: 'box1', severity: 7, pid: 5, fields: [] },
];
const batch = batchOf(messages);
const listed = (rows: Uint32Array | null): number[] => (rows === null ? [...messages.keys()] : [...rows]);

describe('headers that are texts', () => {
  it.each<[variable: TextVariable, relation: Relation, value: string, rows: number[]]>([
    ['Type', '==', 'web', [0]],
    ['Type', '==', '', [1]],
    ['Type', '!=', 'web', [1, 2]],
    ['Hostname', '==', 'box1', [0, 1, 2]],
    ['Hostname', '==', 'box2', []],
    ['Logger', '==', '', [0, 1, 2]],
    ['Logger', '!=', '', []],
    ['Uuid', '==', UUID, [0]],
    ['Uuid', '<', '1', [1, 2]],
  ])('%s %s %j', (variable, relation, value, rows) => {
    const select = compileTextHeader(variable, { kind: 'text', relation, value });
    expect(listed(select(batch, null))).toEqual(rows);
    expect([...(select(batch, Uint32Array.of(0, 2)) as Uint32Array)]).toEqual(rows.filter((row) => row !== 1));
  });
});

describe('headers that are numbers', () => {
  it.each<[variable: NumberVariable, relation: Relation, value: number, rows: number[]]>([
    ['Severity', '==', 7, [1, 2]],
    ['Severity', '<', 7, [0]],
    ['Pid', '==', 0, [0, 1]],
    ['Pid', '>', 0, [2]],
    ['Timestamp', '>=', 2, [1, 2]],
    ['Timestamp', '==', 2 ** 62, [2]],
  ])('%s %s %j', (variable, relation, value, rows) => {
    const select = compileNumberHeader(variable, { kind: 'number', relation, value });
    expect(listed(select(batch, null))).toEqual(rows);
    expect([...(select(batch, Uint32Array.of(1)) as Uint32Array)]).toEqual(rows.filter((row) => row === 1));
  });

  it('that no message has count as unset', () => {
    const plain = batchOf([{ uuid: new Uint8Array(16), timestamp: 1n, fields: [] }]);
    const rows = (['Severity', 'Pid'] as const).map((variable) =>
      compileNumberHeader(variable, { kind: 'number', relation: '==', value: 7 })(plain, null),
    );
    expect(rows.map((found) => found?.length ?? 1)).toEqual([1, 0]);
  });
});
