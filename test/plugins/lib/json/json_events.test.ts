import { expect, it } from 'vitest';
import { memberAt } from '../../../../plugins/lib/json/json_events.ts';
import { decodeAll } from '../../support/decode.ts';
import { startPlugin } from '../../support/sandbox.ts';

it('a path leads to a member', () => {
  const event = { a: { b: { c: 7 }, d: [1] }, n: null };
  expect(memberAt(event, 'a', 'b', 'c')).toBe(7);
  expect(memberAt(event, 'a', 'd')).toEqual([1]);
  expect(memberAt(event)).toBe(event);
  expect([memberAt(event, 'a', 'x'), memberAt(event, 'n', 'x'), memberAt(event, 'a', 'd', '0'), memberAt(event, 'toString')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('each event of a list is a message, and other items are none', () => {
  const events = [{ eventTime: '2021-03-05T13:07:59Z', eventName: 'a', requestParameters: { x: [1] } }, 7, null, { eventName: 'b' }];
  const messages = decodeAll(startPlugin('decoders/aws_cloudtrail.ts'), JSON.stringify({ Records: events }));
  expect(messages.map(({ eventName }) => eventName)).toEqual(['a', 'b']);
  expect(messages[0]).toMatchObject({ Timestamp: '1614949679000000000', requestParameters: ['{"x":[1]}', 'json'] });
});
