import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordBatch } from '../../../../engine/inputs/pieces.ts';
import { LatinText, textValues, type Text } from '../../../../engine/message/latin-text.ts';
import { findPlugin } from '../../../../engine/plugins/catalog.ts';
import { sandboxSpec } from '../../../../engine/plugins/sandboxes.ts';
import { DirectScript } from '../../../../engine/sandbox/ours/direct-script.ts';
import { scriptCode } from '../../../../engine/sandbox/ours/script-code.ts';
import { messagesOf } from '../harness.ts';

const LINE = '192.0.2.7 - alice [05/Mar/2021:13:07:59 +0100] "GET /a?b=1 HTTP/1.1" 200 5120 "https://example.org/" "Mozilla/5.0 (X11)"';

/** Lines of an access log as they are and damaged: with other characters in places, cut, or of other clients, dates, requests and counts. */
const line = fc.oneof(
  fc.constant(LINE),
  fc
    .tuple(fc.nat(LINE.length), fc.constantFrom('', ' ', '"', '\\', '\\"', '-', '[', '9', 'é', '\x85', '::1'))
    .map(([at, by]) => LINE.slice(0, at) + by + LINE.slice(at + 1)),
  fc.nat(LINE.length).map((end) => LINE.slice(0, end)),
  fc.constantFrom('2001:db8::7', 'unix:', '256.1.1.1', '1.2.3.4.5', '-').map((client) => LINE.replace('192.0.2.7', client)),
  fc
    .constantFrom('06/Mar/2021:00:00:00 +0100', '05/Mar/2021:13:07:59.5 +0100', '05/Mar/2021:23:59:60 -1130')
    .map((date) => LINE.replace(/05\/.*0100/, date)),
  fc.constantFrom('-', '12345678901234567890', '007').map((bytes) => LINE.replace('5120', bytes)),
);

const SYSLOG = [
  '<34>Mar  5 13:07:59 web1 sshd[4411]: Accepted publickey for root',
  'Mar  5 13:07:59 web1 sshd[4411]: Accepted publickey for root',
  '2021-03-05T13:07:59.250123+01:00 web1 CRON[12]: (root) CMD (run-parts)',
  'Mar  5 13:08:00 web2 systemd: Started Session 4',
  'Mar  5 13:08:00 web2 app: level=info msg="a request" ms=12',
  'Mar  5 13:08:00 web2 app: {"level":"error","msg":"x"}',
  'Mar  5 13:08:00 web2 app: E0305 13:07:59.250123 7 a.go:9] x',
  'Mar  5 13:08:00 web2 proxy: 192.0.2.7 - - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.1" 200 12 "-" "curl"',
  '<13>1 2021-03-05T13:07:59Z h app 3 ID [a@1 b="c"] x',
  ...[
    '4B5C61234: to=<a@example.org>, relay=mx[192.0.2.1]:25',
    '00000017 done',
    '20210305 done',
    '20210305T130759 done',
    '12 May 2021 13:07:59 x',
    '1614949679.250 INFO x',
    '13:07:59 INFO x',
    '12 things',
    '1500ms later',
  ].map((text) => `Mar  5 13:08:00 web2 app: ${text}`),
  'Mar  5 13:08:00 last message repeated 3 times',
  'Mar  5 13:08:00 Message forwarded from aix1: su: failed',
  'Mar  5 13:08:00 2021 linksys app: ok',
];
/** Lines of syslog, of few dates so that these stand again, as they are and damaged. */
const syslogLine = fc.oneof(
  fc.constantFrom(...SYSLOG),
  fc
    .tuple(
      fc.constantFrom(...SYSLOG),
      fc.nat(70),
      fc.nat(3),
      fc.constantFrom('', ' ', '  ', ':', ': ', '[', '[7]', ']', '-', '<', '9', 'M', 'last ', 'npm ', 'Warn', 'é', '\0', '\r', '=', '.5'),
    )
    .map(([text, at, length, by]) => text.slice(0, at) + by + text.slice(at + length)),
  fc
    .tuple(
      fc.constantFrom('', '<13>'),
      fc.constantFrom('2021-03-05', '2021-02-31', '1969-12-31', '2021-13-01', '0021-03-05', '2100-02-29', '2021-3-5'),
      fc.constantFrom('T', 't', ' '),
      fc.constantFrom('13:07:59', '24:00:00', '23:59:60', '13:07', '00:00:00'),
      fc.constantFrom('', '.', '.2', '.250', '.250123', '.999999999', '.1234567891', ',5'),
      fc.constantFrom('Z', '+01:00', '-11:30', '+0100', '', ' CET', '+25:00', 'z'),
    )
    .map(([priority, day, mark, time, fraction, zone]) => `${priority}${day}${mark}${time}${fraction}${zone} web1 su[7]: x`),
  fc.tuple(fc.constantFrom(...SYSLOG), fc.nat(90)).map(([text, end]) => text.slice(0, end)),
);

const ALB =
  'https 2021-03-05T13:07:59.250000Z app/shop/50dc 192.0.2.7:40000 10.0.0.1:80 0.000 0.001 -1 200 404 34 17 "GET https://example.org:443/ HTTP/1.1" "curl \\"x" a b arn "Root=1" "example.org" "-" 0 2021-03-05T13:07:59.249000Z "forward" "-" "-" "-" "-" "-" "-"';
/** Lines of a load balancer as they are, with other characters in places, and cut. */
const albLine = fc.oneof(
  fc.constant(ALB),
  fc
    .tuple(fc.nat(ALB.length), fc.nat(2), fc.constantFrom('', ' ', '  ', '"', '" ', '\\', '\\"', '-', '[', ']', '[x] ', '9', 'é'))
    .map(([at, length, by]) => ALB.slice(0, at) + by + ALB.slice(at + length)),
  fc.nat(ALB.length).map((end) => ALB.slice(0, end)),
);

/** Decodes lines in one text, which is given as it is or as bytes. */
function decoderOf(
  name: string,
  config: Record<string, string | boolean>,
  textOf: (text: string) => Text,
): (lines: readonly string[]) => unknown {
  const plugin = findPlugin('decoder', name);
  const spec = sandboxSpec('decoder', plugin, { config });
  const script = new DirectScript(
    spec,
    scriptCode(plugin.path, () => true),
    false,
  );
  return (lines) => {
    let at = 0;
    const starts = Uint32Array.from(lines, (one) => (at += one.length + 1) - one.length - 1);
    const ends = Uint32Array.from(lines, (one, i) => (starts[i] as number) + one.length);
    const payload = textValues(textOf(lines.map((one) => `${one}\n`).join('')), starts, ends);
    const batch = recordBatch(payload, { type: 't', logger: 'l', hostname: null });
    const [served] = script.serve([{ kind: 'process', id: 1, batch, selection: null }]);
    const { result } = served as NonNullable<typeof served>;
    return {
      messages: messagesOf(result).map((message) => ({
        ...message,
        uuid: null,
        timestamp: isNow(message.timestamp) ? 'now' : message.timestamp,
      })),
      failures: result.failures,
      origins: result.origins,
    };
  };
}

/** Whether a time in nanoseconds is that of this run, as a line without a date has it. */
const isNow = (time: bigint): boolean => BigInt(Date.now()) * 1_000_000n - time < 600_000_000_000n;

test.each([
  ['nginx_access', { log_format: 'combined', payload_keep: true }, line],
  ['aws_access', { format: 'alb', payload_keep: true }, albLine],
  ['rfc3164', { tz: 'Europe/Berlin' }, syslogLine],
  ['syslog', { prefix_keep: true }, syslogLine],
  ['rfc5424', {}, syslogLine],
  ['linux_auth', {}, syslogLine],
] as const)('a log of %s is decoded from its bytes as from its text', (name, config, lines) => {
  const fromText = decoderOf(name, config, (text) => text);
  const fromBytes = decoderOf(name, config, (text) => new LatinText(Buffer.from(text, 'latin1')));
  fc.assert(
    fc.property(fc.array(lines, { minLength: 1, maxLength: 12 }), (some) => {
      expect(fromBytes(some)).toEqual(fromText(some));
    }),
    { numRuns: 100 },
  );
});
