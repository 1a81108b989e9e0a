import { describe, expect, test } from 'vitest';
import { Cuts, initialState } from '../../../engine/inputs/splitter.ts';
import { RegexSplitter } from '../../../engine/inputs/splitters/regex.ts';
import { makeSplitter } from '../../../engine/inputs/splitters/index.ts';
import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { decoderSplit } from '../../../engine/plugins/split.ts';
import { decoder } from '../support/decode.ts';
import { READ_AT } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

const event = (n: number, more = ''): string =>
  `{"eventVersion":"1.08","eventTime":"2021-03-05T13:07:5${n}Z","eventName":"E${n}","resources":[{"ARN":"a"},{"ARN":"b"}]${more}}`;
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `E${i}`);

/** The records that a file of this text is cut into. */
function cut(name: string, text: string): string[] {
  const splitter = makeSplitter(decoderSplit(findPlugin('decoder', name)));
  expect(splitter).toBeInstanceOf(RegexSplitter);
  const records: string[] = [];
  const cuts = new Cuts();
  const state = initialState();
  for (let from = 0; from < text.length;) {
    const to = splitter.cut(Buffer.from(text), from, 'end', state, cuts);
    records.push(...(cuts.texts ?? []));
    if (to === from) break;
    from = to;
  }
  return records;
}

describe('aws_cloudtrail', () => {
  test.each([
    ['a list', `{"Records":[${[0, 1, 2].map((n) => event(n)).join(',')}]}`, 3],
    ['a list with line ends', `{\n  "Records" : [\n    ${[0, 1].map((n) => event(n)).join(',\n    ')}\n  ]\n}\n`, 2],
    ['a list over many lines', JSON.stringify({ Records: [0, 1].map((n) => JSON.parse(event(n)) as object) }, null, 2), 2],
    ['lines', [0, 1, 2].map((n) => `${event(n)}\n`).join(''), 3],
    ['lines whose members are sorted', [0, 1].map((n) => `{"awsRegion":"x",${event(n).slice(1)}\r\n`).join(''), 2],
    ['one event', event(0), 1],
    ['a list of one', `{"Records":[${event(0)}]}`, 1],
    ['an empty list', '{"Records":[]}', 0],
  ])('%s', (_, text, count) => {
    const plugin = startPlugin('decoders/aws_cloudtrail.ts');
    const found = cut('aws_cloudtrail', text).flatMap((Payload) => {
      const { rc, reason, injected } = plugin.process({ Timestamp: READ_AT, Payload, Fields: [] });
      expect({ rc, reason }).toEqual({ rc: 0, reason: '' });
      return injected.map(({ Fields }) => Fields.find(({ name }) => name === 'eventName')?.value[0]);
    });
    expect(found).toEqual(names(count));
  });

  const decode = decoder('aws_cloudtrail');

  test.each([
    ['', 6],
    [',"errorCode":"AccessDenied"', 4],
    [',"errorCode":"Client.UnauthorizedOperation"', 4],
    [',"errorCode":"InternalFailure"', 3],
    [',"errorCode":"Server.InternalError"', 3],
    [',"errorMessage":"Failed authentication"', 4],
    [',"responseElements":{"ConsoleLogin":"Failure"}', 4],
    [',"responseElements":{"ConsoleLogin":"Success"}', 6],
  ])('%s', (more, severity) => {
    expect(decode(event(9, more))).toMatchObject({ Timestamp: '1614949679000000000', Severity: severity, eventName: 'E9' });
  });

  test('an envelope of EventBridge, and what lookup-events prints', () => {
    expect(decode(`{"version":"0","detail-type":"AWS API Call via CloudTrail","detail":${event(9)}}`)).toMatchObject({ eventName: 'E9' });
    expect(decode(JSON.stringify({ Events: [{ EventId: 'x', CloudTrailEvent: event(9) }] }))).toMatchObject({ eventName: 'E9' });
  });

  test('the record as Payload', () => {
    const kept = decoder('aws_cloudtrail', { payload_keep: true });
    expect(kept(event(9).replace('{"eventVersion"', ''))).toMatchObject({ Payload: event(9) });
  });

  test.each(['', '{', '[1]', '{"a":1}', '{"Records":1}'])('refuses %j', (record) => {
    expect(decode(record)).toMatch(/^refused: /);
  });
});
