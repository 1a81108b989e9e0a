import { expect, it } from 'vitest';
import { differing, shown } from '../../../engine/cli/expected.ts';
import { messageOf } from '../../../engine/message/json/json-parse.ts';
import { ValueType } from '../../../engine/message/types.ts';

it('shows integers as integers, with all their digits, and times as texts', () => {
  const fields = [{ name: 'n', valueType: ValueType.INTEGER, values: [5n, -9007199254740993n] }];
  const message = { ...messageOf({ Timestamp: '1609459200000000000', Pid: 7 }), fields };
  expect(shown([message, 'text'])).toBe('[{"Timestamp":"1609459200000000000","Pid":7,"Fields":{"n":[5,-9007199254740993]}},"text"]');
});

it('names what differs: the headers that a test names and, when it names a field, all fields', () => {
  const message = messageOf({ Timestamp: '1609459200000000000', Type: 'a', Severity: 4, Fields: { same: 1, other: 2, more: 'x' } });
  expect(differing({ Type: 'b' }, message)).toEqual(['Type']);
  expect(differing({ Timestamp: '2021-01-01T00:00:00Z', Fields: { same: 1, other: 3, none: 4 } }, message)).toEqual([
    'Fields[more]',
    'Fields[none]',
    'Fields[other]',
  ]);
});
