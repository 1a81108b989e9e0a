import { expect, it } from 'vitest';
import { parseConfig } from '../../../../engine/config/load.ts';
import { bundledNames } from '../../../../engine/plugins/catalog.ts';
import { flowFindings } from '../../../../engine/service/check/check-matchers.ts';

const log = (decoder: string, more = ''): string =>
  `[log]\ntype = "FileInput"\npaths = ["a"]\n${decoder === '' ? '' : `decoder = "${decoder}"\n`}${more}`;
const out = (matcher: string): string => `[out]\ntype = "LogOutput"\nmessage_matcher = "${matcher}"\n`;
const nginx = (type: string): string =>
  `[web]\ntype = "SandboxDecoder"\nplugin = "nginx_access"\n[web.config]\nlog_format = "combined"\n${type}\n`;
const all = (text: string) =>
  flowFindings(parseConfig(text, 'c.toml', { environment: {}, bundled: { decoder: bundledNames('decoder') } })).map(
    ({ section, text: said, hint }) => ({ section, said, hint }),
  );
/** Findings about matchers. */
const found = (text: string) => all(text).flatMap(({ section, hint }) => (section === 'out' ? [`${section}: ${hint}`] : []));
/** Findings about inputs. */
const left = (text: string) => all(text).flatMap(({ section, said }) => (section === 'out' ? [] : [`${section}: ${said}`]));

it.each([
  ['the Type of a decoder', `${log('web')}${nginx('type = "nginx.access"')}${out("Type == 'nginx.access'")}`],
  ['the Type that a decoder has by itself', `${log('apache_error')}${out("Type == 'apache.error'")}`],
  ['records', `${log('')}${out("Type == 'logfile'")}`],
  ['records that a decoder without a Type has read', `${log('linux_kern')}${out('Type =~ /^logf/')}`],
  ['records that a decoder refuses', `${log('apache_error', 'send_decode_failures = true\n')}${out("Type == 'logfile'")}`],
  ['what may be', `${log('')}${out("Type == 'x' || Fields[a] == 1")}`],
  ['all', `${log('')}${out('TRUE')}`],
  ['messages of filters and of the service', `${log('')}${out("Type =~ /^svc.sandbox/ || Type == 'svc.all-report'")}`],
  ['any Type of a decoder of the user', `${log('own')}[own]\ntype = "SandboxDecoder"\nfilename = "own.js"\n${out("Type == 'x'")}`],
  ['records of a port', `[net]\ntype = "UdpInput"\naddress = "127.0.0.1:1"\n${out("Type == 'net'")}`],
  ['any Type of what is recognised', `${log('auto')}${out("Type == 'x'")}`],
  ['any Type of framed messages', `${log('protobuf', 'splitter = "framing"\n')}${out("Type == 'x'")}`],
  ['any Type where an input has a problem', `${log('')}nothing = 1\n${out("Type == 'x'")}`],
  ['any Type without inputs', out("Type == 'x'")],
])('%s can be selected', (_what, text) => expect(found(text)).toEqual([]));

it.each([
  ["Type == 'nginx.acces'", 'nginx.access', 'type = "nginx.access"'],
  ["Type == 'nginx.access'", 'logfile', ''],
  ['Type =~ /^nginx/ && Fields[status] >= 500', 'logfile', ''],
  ["Type == 'a' || (Type == 'b' && Severity < 3)", 'logfile', ''],
])('%s selects nothing of %s', (matcher, made, type) => {
  expect(found(`${log('web')}${nginx(type)}${out(matcher)}`)).toEqual([`out: [log] makes ${made}`]);
});

it('names some of many inputs', () => {
  const inputs = ['a', 'b', 'c', 'd'].map((name) => log('').replace('[log]', `[${name}]`)).join('');
  expect(found(`${inputs}${out("Type == 'x'")}`)).toEqual(['out: [a] makes logfile; [b] makes logfile; [c] makes logfile; …']);
});

const NONE = (types: string): string => `log: no filter or output selects its messages, which have the Type ${types}`;
it.each([
  [log('') + out("Type == 'x'"), [NONE('logfile')]],
  [log('') + out('Type =~ /^svc/'), [NONE('logfile')]],
  [log('apache_error', 'send_decode_failures = true\n') + out("Type == 'x'"), [NONE('apache.error or logfile')]],
  [log('') + out('Fields[a] == 1'), []],
  [log('auto') + out("Type == 'x'"), []],
  [log(''), []],
])('messages that go nowhere: %j', (text, expected) => expect(left(text)).toEqual(expected));
