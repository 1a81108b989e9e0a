/** Logs of load balancers, proxies, storage services and network devices. */
import { decoderSplit } from '../decoder-splits.ts';
import { MOST, NEARLY_ALL, recordsOf, share, type DecoderCandidate, type Form, type Head } from './types.ts';

const ISO = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z`;
const ENDPOINTS = String.raw`\S+:\d+ (?:\S+:\d+|-)`;
const DURATIONS = String.raw`-?[\d.]+ -?[\d.]+ -?[\d.]+ \d{3} `;

/** What lines of a service look like, and whose they are. */
const AWS: readonly (readonly [format: string, look: RegExp])[] = [
  ['elb', new RegExp(`^${ISO} \\S+ ${ENDPOINTS} ${DURATIONS}`)],
  ['alb', new RegExp(`^(?:https?|h2|grpcs?|wss?) ${ISO} \\S+ ${ENDPOINTS} (?:${DURATIONS}|-1 -1 -1 )`)],
  ['nlb', new RegExp(String.raw`^tls \d\.\d \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \S+ \S+ ${ENDPOINTS} `)],
  ['s3', /^\S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] \S+ \S+ \S+ (?:REST|SOAP|WEBSITE|BATCH|S3)\.[A-Z_.]+ /],
];

/** Access logs of Amazon's load balancers and storage. */
export function awsForm({ lines }: Head): DecoderCandidate[] {
  const found = AWS.find(([, look]) => share(lines, look) >= MOST);
  return found === undefined ? [] : [{ name: 'aws_access', config: { format: found[0], type: `${found[0]}.access` } }];
}

const FLOW_NAMES = [
  ...['version', 'account-id', 'interface-id', 'srcaddr', 'dstaddr', 'srcport', 'dstport', 'protocol', 'packets', 'bytes'],
  ...['start', 'end', 'action', 'log-status'],
];
const FLOW =
  /^\d \S+ \S+ (?:[\d.]+|[\da-f:]+|-) (?:[\d.]+|[\da-f:]+|-) (?:(?:\d+|-) ){5}\d{9,10} \d{9,10} (?:ACCEPT|REJECT|-) (?:OK|NODATA|SKIPDATA)$/;

/** Flow logs of Amazon's private clouds: values between blanks, under their names or, from a stream, without. */
export function flowForm({ lines }: Head): DecoderCandidate[] {
  const header = lines[0]?.split(' ') ?? [];
  const isHeaded = header.includes('start') && header.includes('srcaddr') && header.every((name) => /^[a-z][a-z0-9-]*$/.test(name));
  if (!isHeaded && share(lines, FLOW) < NEARLY_ALL) return [];
  const names = isHeaded ? header : FLOW_NAMES;
  const config = { header: names.join(' '), delimiter: ' ', time_field: 'start', number_fields: '*, bytes:B', type: 'vpc.flow' };
  return [{ name: 'csv', config, split: decoderSplit('csv', config), records: isHeaded ? lines.slice(1) : lines }];
}

const ENVOY = new RegExp(String.raw`^\[${ISO}\] "(?:[A-Z]+|-) \S+ (?:HTTP/[\d.]+|-)" \d+ \S+ `);

/** Access logs of Envoy, in the formats that it and Istio have by themselves. */
export function envoyForm({ lines }: Head): DecoderCandidate[] {
  if (share(lines, ENVOY) < MOST) return [];
  // What has less reads what has more, too.
  return ['istio', 'default'].map((format) => ({ name: 'envoy_access', config: { log_format: format, type: 'envoy.access' } }));
}

const ZEEK = /^(?:#[^\n]*\n){1,20}/;

/** Logs of Zeek with tabs, whose lines say themselves what is in them. */
export function zeekForm({ text, lines }: Head): DecoderCandidate[] {
  const head = ZEEK.exec(text.replace(/^\ufeff/, ''))?.[0] ?? '';
  const valueOf = (name: string): string => new RegExp(`^#${name}\t(.*)$`, 'm').exec(head)?.[1]?.replaceAll('\t', ' ') ?? '';
  const fields = valueOf('fields');
  if (fields === '') return [];
  const config = { fields, types: valueOf('types'), type: `zeek.${valueOf('path') || 'log'}` };
  return [{ name: 'zeek', config, records: lines.filter((line) => !line.startsWith('#')) }];
}

const CLOCK = String.raw`(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}(?: [+-]\d{4})?`;
const LOGCAT = new RegExp(
  [
    String.raw`^${CLOCK} +(?:\w+ +)?\d+ +\d+ [VDIWEFA] [^\n]{0,80}?: `,
    String.raw`^(?:${CLOCK} )?[VDIWEFA]/[^\n(]{0,80}\( *\d+\): `,
    String.raw`^\[ +${CLOCK} +\d+: *\d+ [VDIWEFA]/[^\n]{0,80}\]\n`,
    '^-{5,20} beginning of ',
  ].join('|'),
);
const MOST_RECORDS = 100;

/** What logcat of Android prints. */
export const logcatForm: Form = ({ text }) => {
  const split = decoderSplit('android_logcat');
  const records = split.kind === 'regex' ? recordsOf(text, split).slice(0, MOST_RECORDS) : [];
  return share(records, LOGCAT) >= NEARLY_ALL ? [{ name: 'android_logcat', config: { type: 'logcat' }, split, records }] : [];
};

const CISCO = /^[^%\n]{0,200}%[A-Z][A-Z0-9_]*(?:-[A-Z][A-Z0-9_]*)*-(?:\d+-)?[0-7]-[A-Z0-9_]+: /;

/** Messages of Cisco's devices, with or without syslog. */
export function ciscoForm({ lines }: Head): DecoderCandidate[] {
  return share(lines, CISCO) >= MOST ? [{ name: 'cisco', config: { type: 'cisco' } }] : [];
}
