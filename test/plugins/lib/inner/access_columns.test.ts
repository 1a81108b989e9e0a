/** Lines of access logs in envelopes. Colours behind a line are taken out, but keep it from being written straight into columns. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeWith } from '../../support/decode.ts';
import { startPlugin } from '../../support/sandbox.ts';

const json = (text: string): string => JSON.stringify(text);

const ENVELOPES: readonly [name: string, decoder: string, wrap: (text: string) => string][] = [
  ['CRI', 'container_log', (text) => `2021-03-05T13:08:00.250Z stdout F ${text}`],
  ['CRI with an offset', 'container_log', (text) => `2021-03-31T13:08:00.25+01:00 stderr F ${text}`],
  ['CRI without a fraction', 'container_log', (text) => `2021-03-05T13:08:00Z stdout F ${text}`],
  ['CRI, a day that there is not', 'container_log', (text) => `2021-02-30T13:08:00.250Z stdout F ${text}`],
  ['json-file', 'container_log', (text) => `{"log":${json(`${text}\n`)},"stream":"stderr","time":"2021-03-05T13:08:00.250123456Z"}`],
  [
    'json-file with attributes',
    'container_log',
    (text) => `{"log":${json(`${text}\n`)},"stream":"stdout","attrs":{"a":"b"},"time":"2021-03-05T13:08:00Z"}`,
  ],
  ['json-file, a piece', 'container_log', (text) => `{"log":${json(text)},"stream":"stdout","time":"2021-03-05T13:08:00.25Z"}`],
  ['compose', 'prefixed_log', (text) => `web-1  | ${text}`],
  ['compose without a blank', 'prefixed_log', (text) => `web-1  |${text}`],
  ['a service', 'prefixed_log', (text) => `web.1.k3xyzabcdefgh@node2    | ${text}`],
  ['kubectl', 'prefixed_log', (text) => `[pod/web-7cfd/nginx] ${text}`],
  ['stern', 'prefixed_log', (text) => `shop web-7cfd8b6c9d-x2x4k nginx ${text}`],
  ['compose with a time', 'prefixed_log', (text) => `web-1  | 2021-03-05T13:08:00.250Z ${text}`],
  ['RFC 3164', 'syslog', (text) => `<13>Mar  5 13:08:00 box1 app[7]: ${text}`],
  ['a file of syslog', 'syslog', (text) => `Mar  5 13:08:00 box1 app: ${text}`],
  ['RFC 5424', 'rfc5424', (text) => `<13>1 2021-03-05T13:08:00.25Z box1 app p7 ID4 - ${text}`],
  ['RFC 5424 without a date', 'syslog', (text) => `<13>1 - - app - - - ${text}`],
  ['RFC 5424 with data', 'syslog', (text) => `<13>1 2021-03-05T13:08:00.25Z box1 app p7 ID4 [a@1 b="c"] ${text}`],
];

const LINE = '192.0.2.7 - alice [05/Mar/2021:13:07:59 +0100] "GET /a?b=1 HTTP/1.1" 200 5120 "https://example.org/" "Mozilla/5.0 (X11)"';
const COMMON = '192.0.2.7 - - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.1" 404 0';

/** A value as it mostly is, or another one. */
const part = (usual: readonly string[], unusual: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...unusual) });

const words = part(
  ['-', 'GET / HTTP/1.1', 'Mozilla/5.0 (X11; Linux)', 'https://example.org/?a=[b]'],
  ['', 'é 中', 'a\\"b', 'a"b', '\\x16\\x03', 'tab\there', '\\'],
);

const line = fc
  .tuple(
    part(
      ['192.0.2.7', '10.0.0.1'],
      ['::1', '2001:db8::7', 'fe80::1', 'localhost', 'www.example.org:443 192.0.2.7', '-', '999.1.1.1', '1.2.3', 'beef:80', 'unix:'],
    ),
    part(['- -', '- alice'], ['- a b', '- "a"', 'ident bob', '-', '- [a]', '- é', '-  x', `- ${'u'.repeat(130)}`]),
    part(
      ['05/Mar/2021:13:07:59 +0100', '31/Dec/2020:23:59:59 +0000'],
      ['31/Feb/2021:13:07:59 +0100', '05/Mrz/2021:13:07:59 +0100', '05/Mar/2021:13:07:59', '05/Mar/2021:25:07:59 +0100'],
    ),
    words,
    part(['200', '404'], ['-', '0', '999', '2000', '20']),
    part(['0', '5120'], ['-', '12345678901234567890', '1.5', '']),
    fc.oneof(fc.constant(null), fc.tuple(words, words)),
    part([''], [' 0.250', ' "192.0.2.9"', ' ', ' and words', ' 7 "web@docker" "http://10.0.0.7:80" 3ms']),
  )
  .map(([client, user, date, request, status, size, agents, end]) => {
    const further = agents === null ? '' : ` "${agents[0]}" "${agents[1]}"`;
    return `${client} ${user} [${date}] "${request}" ${status} ${size}${further}${end}`;
  });

const withoutColours = (decoded: unknown): unknown => JSON.parse(JSON.stringify(decoded).replace(String.raw`\u001b[0m`, ''));
/** Fields in their order; names of headers begin with a capital. */
const fieldNames = (decoded: unknown): string[] => Object.keys(Object(decoded)).filter((name) => /^[^A-Z]/.test(name));

describe.each(ENVELOPES)('%s', (_, decoder, wrap) => {
  const plugin = startPlugin(`decoders/${decoder}.ts`, {});
  const named = startPlugin(`decoders/${decoder}.ts`, { type: 'web' });

  it('gives the same for lines that are written into columns, and those that are not', () => {
    fc.assert(
      fc.property(line, (text) => {
        for (const one of [plugin, named]) {
          const straight = decodeWith(one, wrap(text));
          const further = withoutColours(decodeWith(one, wrap(`${text}\u001b[0m`)));
          expect(straight).toEqual(further);
          expect(fieldNames(straight)).toEqual(fieldNames(further));
        }
      }),
      { numRuns: 150, examples: [[LINE], [COMMON], [`${LINE} x`], [LINE.replace('192.0.2.7', '2001:db8::7')]] },
    );
  });
});

const KEEPING = new Set([
  'CRI',
  'CRI with an offset',
  'json-file',
  'json-file, a piece',
  'compose',
  'kubectl',
  'stern',
  'compose with a time',
]);
it.each(ENVELOPES.filter(([name]) => KEEPING.has(name)))('keeps the record: %s', (_, decoder, wrap) => {
  const keeping = startPlugin(`decoders/${decoder}.ts`, { payload_keep: true });
  expect(decodeWith(keeping, wrap(LINE))).toMatchObject({ Payload: wrap(LINE) });
});

it('writes lines of several containers one after the other', () => {
  const plugin = startPlugin('decoders/prefixed_log.ts', {});
  const of = (record: string): unknown => decodeWith(plugin, record);
  expect(of(`web-1  | ${LINE}`)).toMatchObject({ container: 'web-1', remote_user: 'alice', Logger: 'web-1' });
  expect(of(`web-12 | ${COMMON}`)).toMatchObject({ container: 'web-12', status: 404, Logger: 'web-12' });
  expect(of(`[pod/a/b] ${COMMON}`)).toMatchObject({ pod: 'a', container: 'b', Logger: 'b' });
  expect(of(`web-1  | ${COMMON}`)).not.toHaveProperty('pod');
  expect(of(`web-1  | words`)).toMatchObject({ container: 'web-1', Payload: 'words', undated: true });
});
