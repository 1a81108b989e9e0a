/**
 * Decodes request logs of morgan, the logger of Express, in its forms dev and tiny: `GET /a 200 12.345 ms - 1234` and `GET /a 200 1234 - 12.345 ms`.
 * Its forms combined, common and short are those of web servers, which `apache_access` decodes.
 *
 * | Part | Becomes |
 * |---|---|
 * | method, path and status | the fields request_method, uri and status |
 * | response time | the field request_time (`ms`) |
 * | length | the field bytes_sent (`B`) |
 *
 * A request without an answer has a `-` in place of status, time and length, which set no field. The lines have no time, so the field undated is true.
 */
import { KEEP_LINE, TYPE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { ACCESS_COLUMNS } from '../lib/columns.ts';
import { ACCESS_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'morgan',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes request logs of morgan, the logger of Express.',
  columns: ACCESS_COLUMNS,
  recordSummary: ACCESS_SUMMARY,
  looks: [{ lines: /^[A-Z]{3,10} \S+ (?:\d{3}|-) (?:(?:[\d.]+|-) ms - (?:\d+|-)|(?:\d+|-) - (?:[\d.]+|-) ms)$/ }],
  parameters: {
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'the form dev, with its colours',
      in: '\u001b[0mGET /cart?a=1 \u001b[32m200\u001b[0m 12.345 ms - 1234\u001b[0m',
      out: {
        Fields: {
          request_method: 'GET',
          uri: '/cart?a=1',
          status: 200,
          request_time: { value: 12.345, representation: 'ms' },
          bytes_sent: { value: 1234, representation: 'B' },
          undated: true,
        },
      },
    },
    {
      title: 'the form tiny',
      config: { type: 'web', payload_keep: true },
      in: 'POST /login 302 46 - 3.201 ms',
      out: {
        Type: 'web',
        Payload: 'POST /login 302 46 - 3.201 ms',
        Fields: {
          request_method: 'POST',
          uri: '/login',
          status: 302,
          bytes_sent: { value: 46, representation: 'B' },
          request_time: { value: 3.201, representation: 'ms' },
          undated: true,
        },
      },
    },
    {
      title: 'a request without an answer',
      in: 'GET /slow - - ms - -',
      out: { Fields: { request_method: 'GET', uri: '/slow', undated: true } },
    },
    { title: 'another line', in: 'Listening on port 3000', fails: 'no request of morgan' },
  ],
};

const UNDATED = [{ name: 'undated', value: true }];
const REQUEST = String.raw`^(?<request_method>[A-Z]{3,10}) (?<uri>\S+) (?<status>\d{3}|-)`;
const TIME = String.raw`(?<request_time>\d{1,9}(?:\.\d{1,9})?|-) ms`;
const LENGTH = String.raw`(?<bytes_sent>\d{1,15}|-)`;

const decode = patternDecoder({
  patterns: [new RegExp(`${REQUEST} ${TIME} - ${LENGTH}$`), new RegExp(`${REQUEST} ${LENGTH} - ${TIME}$`)],
  numbers: { status: '', request_time: 'ms', bytes_sent: 'B' },
  hosts: [],
  further: () => UNDATED,
  refusal: 'no request of morgan',
});

export function process_message(): ProcessStatus {
  return decode();
}
