import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeWith, decoder } from '../../support/decode.ts';
import { startPlugin } from '../../support/sandbox.ts';

/** Lines, and which of the decoders rfc3164 and rfc5424 take them. */
const LINES: [line: string, legacy: boolean, structured: boolean][] = [
  ['Mar  5 13:07:59 box1 sshd[4411]: a', true, false],
  ['2021-03-05T13:07:59.250+01:00 box1 cron: x', true, false],
  ['Fri 2021-03-05 13:07:59 CET box1 cron: x', true, false],
  ['Fri 2021-03-05 13:07:59.250000 +01 box1 cron: x', true, false],
  ['1614949679.250000 box1 cron: x', true, false],
  ['Fri 2021-03-05 13:07:59', false, false],
  ['1614949679.25 box1 cron: x', false, false],
  ['<34>Mar  5 13:07:59 box1 su: failed', true, false],
  ['<34>free text', true, false],
  ['<34>1 free text', true, false],
  ['<34>1 2021-03-05T13:07:59Z h a 12 ID - m', false, true],
  ['<34>1 - - - - - -', false, true],
  ['<34>1 - h a - - [x@1 k="\\]"][y] m', false, true],
  ['<34>2 2021-03-05T13:07:59Z h a 12 ID - m', true, false],
  ['1 2021-03-05T13:07:59Z h a 12 ID - m', false, false],
  ['', false, false],
  ['junk', false, false],
];

test.each(LINES)('%j', (line, legacy, structured) => {
  const both = decoder('syslog', { type: 't', tz: '+01:00' })(line);
  for (const [name, takes] of [
    ['rfc3164', legacy],
    ['rfc5424', structured],
  ] as const) {
    const message = decoder(name, { type: 't', tz: '+01:00' })(line);
    if (takes) expect(message).toEqual(both);
    else expect(message).toMatch(/^refused: /);
  }
});

test.each([
  ['rfc3164', 'syslog.log', /^(?:Jan|Feb|Mar|Mrz|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ 1-3]\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d /],
  ['rfc5424', 'syslog-5424.log', /^<\d+>1 /],
])('%s reads %s', (name, file, sound) => {
  const plugin = startPlugin(`decoders/${name}.ts`);
  const lines = readFileSync(new URL(`../../../../resources/samples/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const refused = lines.filter((line) => typeof decodeWith(plugin, line) === 'string');
  expect(refused).toEqual(lines.filter((line) => !sound.test(line)));
});
