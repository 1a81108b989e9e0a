import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('rfc5424');
const AT = { Timestamp: '1614949679003000000' };

test.each<[line: string, message: Record<string, unknown>]>([
  [
    '<165>1 2021-03-05T13:07:59.003Z h app 812 ID47 - words',
    { ...AT, Severity: 5, Hostname: 'h', Pid: 812, Payload: 'words', programname: 'app', syslogfacility: 20, msgid: 'ID47' },
  ],
  ['<165>1 2021-03-05T14:07:59.003+01:00 - - a7 - -', { ...AT, Severity: 5, Payload: '', syslogfacility: 20, procid: 'a7' }],
  ['<165>1 - - - - - [a@1] x', { Severity: 5, Payload: 'x', syslogfacility: 20, 'a@1': '' }],
  [
    '<165>1 - - - - - [a b="1" b="2"][c d="\\]\\""] \ufeffx\n',
    { Severity: 5, Payload: 'x', syslogfacility: 20, 'a.b': { first: '1', then: '2' }, 'c.d': ']"' },
  ],
])('%j', (line, message) => expect(decode(line)).toEqual(message));

test.each([
  '',
  '<34>Mar  5 13:07:59 box1 su: x',
  '<34>1 2021-03-05T13:07:59Z h a',
  '<34>1 soon h a - - - x',
  '<34>1 - h a - - x',
  '<999>1 - - - - - - x',
])('%j is refused', (line) => expect(decode(line)).toBe('refused: no header of RFC 5424'));
