/** Logs of a real rsyslog, by its own templates and by others. */
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decoders } from './support/decode.ts';
import { installed, reachable, RSYSLOG_MODULES, sendRaw, ServerFolder } from './support/server.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';

/** Templates that rsyslog has by its own, as text; the names are those of its documentation. */
const BUILT_IN = {
  RSYSLOG_TraditionalFileFormat: '%TIMESTAMP% %HOSTNAME% %syslogtag%%msg:::sp-if-no-1st-sp%%msg:::drop-last-lf%\\n',
  RSYSLOG_FileFormat: '%TIMESTAMP:::date-rfc3339% %HOSTNAME% %syslogtag%%msg:::sp-if-no-1st-sp%%msg:::drop-last-lf%\\n',
  RSYSLOG_ForwardFormat: '<%PRI%>%TIMESTAMP:::date-rfc3339% %HOSTNAME% %syslogtag:1:32%%msg:::sp-if-no-1st-sp%%msg%',
  RSYSLOG_TraditionalForwardFormat: '<%PRI%>%TIMESTAMP% %HOSTNAME% %syslogtag:1:32%%msg:::sp-if-no-1st-sp%%msg%',
  RSYSLOG_SyslogProtocol23Format: '<%PRI%>1 %TIMESTAMP:::date-rfc3339% %HOSTNAME% %APP-NAME% %PROCID% %MSGID% %STRUCTURED-DATA% %msg%\\n',
} as const;
const OWN = {
  wide: '%syslogpriority% %syslogfacility% %timegenerated:::date-rfc3339% %HOSTNAME% %syslogtag% %fromhost-ip% %pri-text% %inputname% %msg%\\n',
  epoch: '%timereported:::date-unixtimestamp% %syslogseverity-text% %syslogfacility-text% %programname% %procid% [%msg%]\\n',
  stamp: '%timestamp:::date-mysql% %hostname% %timestamp:::date-pgsql% %app-name% %msg%\\n',
} as const;
type Template = keyof typeof BUILT_IN | keyof typeof OWN;
/** Two of the built-in templates put no line end behind the message, so one is added to have lines in the file. */
const withLineEnd = (text: string): string => (text.endsWith('\\n') ? text : `${text}\\n`);
const TEMPLATES = Object.fromEntries(Object.entries({ ...BUILT_IN, ...OWN }).map(([name, text]) => [name, withLineEnd(text)])) as Record<
  Template,
  string
>;

interface Sent {
  readonly facility: number;
  readonly severity: number;
  readonly program: string;
  readonly pid: number;
  readonly text: string;
}
const SENT: readonly Sent[] = [
  { facility: 4, severity: 2, program: 'su', pid: 77, text: "'su root' failed for lonvick on /dev/pts/8" },
  { facility: 23, severity: 7, program: 'postfix/smtpd', pid: 9, text: 'connect from unknown[192.0.2.7]: "quoted", a=b %percent%' },
  { facility: 1, severity: 6, program: 'app', pid: 4711, text: 'gr\u00fc\u00dfe [x] <y>' },
  { facility: 3, severity: 3, program: 'daemon', pid: 1, text: 'last' },
];
const DATE = 'Mar  5 13:07:59';
const HOST = 'box1';

const server = new ServerFolder();
const decoders = new Decoders();

const quoted = (text: string): string => text.replace(/"/g, '\\"');
const configuration = (udp: number, tcp: number): string => `
global(workDirectory="${server.path}")
module(load="imudp") module(load="imtcp")
input(type="imudp" address="127.0.0.1" port="${udp}") input(type="imtcp" address="127.0.0.1" port="${tcp}")
${Object.entries(TEMPLATES)
  .map(([name, text]) => `template(name="t_${name}" type="string" string="${quoted(text)}")`)
  .join('\n')}
${Object.keys(TEMPLATES)
  .map((name) => `action(type="omfile" file="${server.path}/${name}.log" template="t_${name}")`)
  .join('\n')}
action(type="omfile" file="${server.path}/built-in.log" template="RSYSLOG_FileFormat")
`;

const legacy = ({ facility, severity, program, pid, text }: Sent): string =>
  `<${facility * 8 + severity}>${DATE} ${HOST} ${program}[${pid}]: ${text}`;
const modern = ({ facility, severity, program, pid, text }: Sent): string =>
  `<${facility * 8 + severity}>1 2021-03-05T13:07:59.250Z ${HOST} ${program} ${pid} ID47 [origin@32473 ip="192.0.2.1" q="a \\"b\\""] ${text}`;

beforeAll(async () => {
  const [udp, tcp] = [await freePort(), await freePort()];
  const conf = server.file('rsyslog.conf', configuration(udp, tcp));
  const args = ['-n', '-f', conf, '-i', `${server.path}/rsyslog.pid`, '-M', RSYSLOG_MODULES];
  await server.start(installed('usr/sbin/rsyslogd'), args, () => reachable(tcp));
  const lines = (name: string): number => server.read(`${name}.log`).split('\n').length - 1;
  const written = (count: number): Promise<boolean> =>
    until(() => Object.keys(TEMPLATES).every((name) => lines(name) === count), 'the lines');
  const socket = createSocket('udp4');
  for (const [i, sent] of SENT.entries()) {
    await new Promise((resolve) => socket.send(legacy(sent), udp, '127.0.0.1', resolve));
    await written(i + 1);
  }
  socket.close();
  await sendRaw({ port: tcp }, SENT.map((sent) => `${modern(sent)}\n`).join(''));
  await written(SENT.length * 2);
});
afterAll(async () => {
  await decoders.close();
  await server.close();
});

/** The templates say that a line end stands behind the message, so it is part of the record. */
const WITH_LINE_END = { kind: 'regex', pattern: '(\\n)' } as const;

function decode(name: Template, decoder = 'rsyslog') {
  const path = `${server.path}/${name}.log`;
  return decoder === 'syslog'
    ? decoders.decode(path, decoder)
    : decoders.decode(path, decoder, { template: TEMPLATES[name] }, WITH_LINE_END);
}

/** Each message was sent in both forms. */
const BOTH = [...SENT, ...SENT];

it.each(Object.keys(TEMPLATES) as Template[])('decodes the template %s', async (name) => {
  const { records, failures } = await decode(name);
  expect(failures).toEqual([]);
  expect(records).toHaveLength(BOTH.length);
  for (const [i, { text }] of BOTH.entries()) expect(String(records[i]?.['Payload']).trim()).toBe(text);
});

it.each(['RSYSLOG_TraditionalFileFormat', 'RSYSLOG_FileFormat'] as const)('decodes who wrote, and when, from %s', async (name) => {
  const { records } = await decode(name);
  for (const [i, { program, pid }] of BOTH.entries()) {
    expect(records[i]).toMatchObject({ Hostname: HOST, programname: program, Pid: pid });
    expect(new Date(records[i]?.['Time'] as number).toISOString()).toMatch(/-03-05T13:07:59/);
  }
});

it.each(['RSYSLOG_ForwardFormat', 'RSYSLOG_TraditionalForwardFormat', 'RSYSLOG_SyslogProtocol23Format'] as const)(
  'decodes priorities from %s',
  async (name) => {
    const { records } = await decode(name);
    for (const [i, { facility, severity }] of BOTH.entries())
      expect(records[i]).toMatchObject({ Severity: severity, syslogfacility: facility });
  },
);

it.each(Object.keys(BUILT_IN) as Template[])('decodes %s as plain syslog, and finds out that it is', async (name) => {
  const { records, failures } = await decode(name, 'syslog');
  expect(failures).toEqual([]);
  for (const [i, { text, program, pid }] of BOTH.entries()) {
    // The name of an application is what rsyslog finds in front of a slash in the tag.
    const programname = name === 'RSYSLOG_SyslogProtocol23Format' && i < SENT.length ? program.replace(/\/.*/, '') : program;
    expect(records[i]).toMatchObject({ Hostname: HOST, programname, Pid: pid });
    // Behind a tag of RFC 3164 rsyslog counts the blank to the message.
    expect(String(records[i]?.['Payload']).replace(/^ /, '')).toBe(text);
  }
  expect(await decoders.detect(server.read(`${name}.log`))).toMatchObject({ name: 'syslog', confidence: 1 });
});

it('decodes structured data', async () => {
  const { records } = await decode('RSYSLOG_SyslogProtocol23Format', 'syslog');
  expect(records.at(-1)).toMatchObject({ msgid: 'ID47', 'origin@32473.ip': '192.0.2.1', 'origin@32473.q': 'a "b"' });
});

it('has the template that rsyslog has', () => {
  expect(server.read('built-in.log')).toBe(server.read('RSYSLOG_FileFormat.log'));
});
