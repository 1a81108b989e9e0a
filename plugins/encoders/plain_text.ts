/**
 * Writes the Payload unchanged, with a line end behind it and optionally the time before it, for log files. A message without a Payload gives an
 * empty line, or no output when append_newlines is off.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { DateFormat } from '../modules/date_format.ts';
import { injectOutput } from '../base/inject.ts';
import { messageSeconds, systemSeconds } from '../modules/interpolate.ts';
import { zoneOffset } from '../base/zone_offset.ts';

export const meta: PluginMeta = {
  name: 'plain_text',
  kind: 'encoder',
  summary: 'Writes the Payload, a line for each message.',
  parameters: {
    append_newlines: { type: 'bool', summary: 'Put a line end behind each Payload, also when it has one.', default: true },
    prefix_ts: { type: 'bool', summary: 'Put the time in front.', default: false },
    ts_from_message: { type: 'bool', summary: "The time is the message's Timestamp; otherwise it is the system's.", default: true },
    ts_format: { type: 'string', summary: 'Form of the time, as in `strftime`; a blank follows it.', default: '[%Y/%b/%d:%H:%M:%S %z]' },
    tz: { type: 'string', summary: 'Zone of the time: UTC, Local, an offset such as +02:00, or an IANA name.', default: 'Local' },
  },
  examples: [
    { title: 'the Payload', in: 'hi', out: { Payload: 'hi\n' } },
    {
      title: 'the Payload and its time',
      config: { prefix_ts: true, tz: 'UTC' },
      in: { Timestamp: 1614949679e9, Payload: 'hi' },
      out: { Payload: '[2021/Mar/05:13:07:59 +0000] hi\n' },
    },
  ],
};

const NO_OUTPUT = -2;

const end = boolConfig('append_newlines') ? '\n' : '';
const format = stringConfig('ts_format');
const date = new DateFormat(format.endsWith(' ') ? format : `${format} `);
const prefixed = boolConfig('prefix_ts');
const seconds = boolConfig('ts_from_message') ? messageSeconds : systemSeconds;
const offset = zoneOffset(stringConfig('tz'));

export function process_message(): ProcessStatus {
  const text = prefix() + String(read_message('Payload') ?? '') + end;
  return text === '' ? NO_OUTPUT : injectOutput('txt', '', text);
}

function prefix(): string {
  if (!prefixed) return '';
  const time = seconds();
  return date.text(time, offset(time));
}
