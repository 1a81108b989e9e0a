import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const AT = { Timestamp: '1614949679000000000' };

describe('windows_event_xml', () => {
  const decode = decoder('windows_event_xml');
  const system = (more: string): string =>
    `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><EventID>7</EventID>${more}</System></Event>`;

  test.each([
    ['0', 6],
    ['1', 2],
    ['2', 3],
    ['3', 4],
    ['4', 6],
    ['5', 7],
  ])('level %s', (level, severity) => {
    expect(decode(system(`<Level>${level}</Level>`))).toEqual({ EventID: 7, Level: Number(level), Severity: severity });
  });

  test.each([
    ['0x8010000000000000', 4],
    ['0x8020000000000000', 6],
  ])('keywords %s', (keywords, severity) => {
    expect(decode(system(`<Level>0</Level><Keywords>${keywords}</Keywords>`))).toMatchObject({ Severity: severity });
  });

  test.each([
    ["<TimeCreated SystemTime='2021-03-05T13:07:59.000000000Z'/>", AT],
    ["<TimeCreated SystemTime='2021-03-05T13:07:59.2501234Z'/>", { Timestamp: '1614949679250123400' }],
    ["<TimeCreated SystemTime='2021-03-05 13:07:59.000'/>", AT],
    ["<TimeCreated RawTime='1'/>", {}],
    ["<Execution ProcessID='4' ThreadID='8'/>", { Pid: 4, 'Execution.ThreadID': 8 }],
    ["<Security UserID='S-1-5-18'/>", { 'Security.UserID': 'S-1-5-18' }],
    ["<Provider Name='A' EventSourceName='B'/>", { Logger: 'A', Provider: 'A', 'Provider.EventSourceName': 'B' }],
    ['<Correlation/><Opcode></Opcode>', {}],
    ['<Computer>a &lt;b&gt; &#x41;&#66; &unknown;</Computer>', { Hostname: 'a <b> AB &unknown;' }],
    ['<!-- <x> --><Channel><![CDATA[a<b>&amp;]]></Channel>', { Channel: 'a<b>&amp;' }],
  ])('%s', (more, expected) => {
    expect(decode(system(more))).toEqual({ EventID: 7, ...expected });
  });

  const event = (more: string): string => `<Event><System><EventID>7</EventID></System>${more}</Event>`;

  test.each([
    ['<EventData><Data>a</Data></EventData>', { Data: 'a' }],
    ['<EventData><Data>a</Data><Data/><Data>b</Data><Binary>00FF</Binary></EventData>', { Data: ['a', 'b'], Binary: '00FF' }],
    ["<EventData><Data Name='x'>1 &amp; 2</Data><Data Name='y'></Data><Data Name='z'>-</Data></EventData>", { x: '1 & 2' }],
    ["<UserData><ns:Log xmlns:ns='u'><Who>alice</Who><Deep><What a='>'>x</What></Deep></ns:Log></UserData>", { Who: 'alice', What: 'x' }],
    [
      "<RenderingInfo Culture='en-US'><Message>a\r\nb</Message><Keywords><Keyword>Audit</Keyword><Keyword>Classic</Keyword></Keywords><Task/></RenderingInfo>",
      { Payload: 'a\r\nb', 'RenderingInfo.Keywords': ['Audit', 'Classic'] },
    ],
  ])('%s', (more, expected) => {
    expect(decode(event(more))).toEqual({ EventID: 7, ...expected });
  });

  test.each([
    ['one event in a line', event('')],
    ['a file that was saved', `\ufeff<?xml version="1.0" encoding="utf-8" standalone="yes"?>\r\n<Events>${event('')}`],
    ['the last event', `${event('')}</Events>\r\n`],
    ['white space around', `\r\n  ${event('')}\n`],
  ])('%s', (_, record) => {
    expect(decode(record)).toEqual({ EventID: 7 });
  });

  test('several events in one record', () => {
    expect(decoder('windows_event_xml')(`<Events>${event('')}${event('')}</Events>`)).toEqual({ EventID: 7 });
  });

  test.each(['', 'x', '<Event>', '<Event><System></Event></System>', '<a/>', '<Event/>', `${'<a>'.repeat(9000)}`])(
    'refuses %j',
    (record) => {
      expect(decode(record)).toMatch(/^refused: /);
    },
  );
});
