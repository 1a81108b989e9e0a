import { expect, it } from 'vitest';
import { shown } from '../../../engine/cli/expected.ts';
import { messageOf } from '../../../engine/message/json-parse.ts';
import { ValueType } from '../../../engine/message/types.ts';

it('shows integers as integers, with all their digits, and times as texts', () => {
  const fields = [{ name: 'n', valueType: ValueType.INTEGER, values: [5n, -9007199254740993n] }];
  const message = { ...messageOf({ Timestamp: '1609459200000000000', Pid: 7 }), fields };
  expect(shown([message, 'text'])).toBe('[{"Timestamp":"1609459200000000000","Pid":7,"Fields":{"n":[5,-9007199254740993]}},"text"]');
});
