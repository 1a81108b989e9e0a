import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('log4j_xml', { tz: '+01:00' });
const event = (attributes: string, inner = ''): string => `<log4j:event level="INFO" ${attributes}>${inner}</log4j:event>`;

test.each<[attributes: string, inner: string, timestamp: string]>([
  ['timestamp="1614949679250"', '', '1614949679250000000'],
  ['timestamp="2021-03-05 14:07:59,250"', '', '1614949679250000000'],
  ['timeMillis="1614949679250"', '', '1614949679250000000'],
  ['', '<Instant epochSecond="1614949679" nanoOfSecond="7"/>', '1614949679000000007'],
  ['', '<millis>1614949679250</millis><nanos>7</nanos>', '1614949679250000007'],
  ['', '<date>2021-03-05T14:07:59</date>', '1614949679000000000'],
])('the time of %j %j', (attributes, inner, Timestamp) => expect(decode(event(attributes, inner))).toEqual({ Timestamp, Severity: 6 }));

test('exceptions are as Java prints them', () => {
  const frames =
    '<stackTrace><frame><class>a.B</class><method>c</method><file>B.java</file><line>7</line></frame><frame><class>D</class><method>e</method></frame></stackTrace>';
  const message = decode(event('', `<message>no</message><Thrown name="X" message="y">${frames}</Thrown>`));
  expect(message).toMatchObject({ Payload: 'no\nX: y\n\tat a.B.c(B.java:7)\n\tat D.e()' });
});

test('parts without a value set nothing', () => {
  const inner =
    '<properties><data name="a" value=""/><data name="" value="b"/><data name="c" value="d"/></properties><locationInfo file="?" line="?"/>';
  expect(decode(event('thread="" NDC=" x "', inner))).toEqual({ Severity: 6, NDC: 'x', c: 'd' });
});

test('a level that is none is a field', () =>
  expect(decode('<Event level="AUDIT" timeMillis="1614949679250"/>')).toEqual({ Timestamp: '1614949679250000000', level: 'AUDIT' }));

test('what stands around the events of a file is no part of one', () => {
  const record = `\ufeff<?xml version="1.0"?>\n<log4net:eventSet version="1.2">${event('logger="A"')}</log4net:eventSet>\n`;
  expect(decode(record)).toEqual({ Severity: 6, Logger: 'A' });
  expect(decoder('log4j_xml', { payload_keep: true, type: 'x' })(event('logger="A"'))).toEqual({
    Type: 'x',
    Severity: 6,
    Logger: 'A',
    Payload: event('logger="A"'),
  });
});

test.each<[record: string, reason: string]>([
  ['', 'XML whose tags do not close'],
  ['words', 'XML whose tags do not close'],
  ['<Event thread="main"/>', 'no event of a logging library'],
  ['<Event level="INFO">', 'XML whose tags do not close'],
])('%j is refused', (record, reason) => expect(decode(record)).toBe(`refused: ${reason}`));
