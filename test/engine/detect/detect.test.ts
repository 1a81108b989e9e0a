import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DecoderDetector } from '../../../engine/detect/detect.ts';
import { HEAD_LENGTH } from '../../../engine/detect/forms/head.ts';
import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { decoderSplit } from '../../../engine/plugins/split.ts';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import type { Sandbox, SandboxSpec } from '../../../engine/sandbox/contract/types.ts';
import { metaOf } from '../../plugins/support/sandbox.ts';
import { APACHE, APACHE_COMBINED, COMBINED, COMMON, CRON, LOGS, NGINX, NGINX_COMBINED, lines, read, times } from './detect-table.ts';

const root = resolve(import.meta.dirname, '../../..');
const sandboxes = startSandboxes({ hosts: 1 });
afterAll(() => sandboxes.close());
const errors: string[] = [];
const detector = new DecoderDetector(sandboxes, (text) => errors.push(text));

async function detect(text: string) {
  const found = await detector.detect(text);
  await found?.sandbox.stop();
  return found;
}

it('starts a decoder once for many texts, and hands over one that is at none of them', async () => {
  const started: Sandbox[] = [];
  const start = async (spec: SandboxSpec): Promise<Sandbox> => {
    started.push(await sandboxes.start(spec));
    return started.at(-1) as Sandbox;
  };
  const many = new DecoderDetector({ ...sandboxes, start }, (text) => errors.push(text));
  const found = await Promise.all(Array.from({ length: 20 }, (_, i) => many.recognise(i % 2 === 0 ? CRON : '{"time":1}\n{"time":2}\n')));
  expect(new Set(found.map((each) => each?.name)).size).toBe(2);
  expect(started.map(({ spec }) => spec.name).sort()).toEqual([...new Set(started.map(({ spec }) => spec.name))].sort());
  const [taken, again] = await Promise.all([many.detect(CRON), many.detect(CRON)]);
  expect(started).toContain(taken?.sandbox);
  expect(taken?.sandbox).not.toBe(again?.sandbox);
  await Promise.all(started.map((sandbox) => sandbox.stop()));
});

describe('access logs', () => {
  it.each<{ title: string; line: string; name: 'nginx_access' | 'apache_access'; format: string }>([
    { title: 'the combined format', line: COMBINED, name: 'nginx_access', format: NGINX_COMBINED },
    { title: 'the common format', line: COMMON, name: 'nginx_access', format: NGINX },
    {
      title: 'the address behind a proxy',
      line: `${COMBINED} "198.51.100.7, 2001:db8::1"`,
      name: 'nginx_access',
      format: `${NGINX_COMBINED} "$http_x_forwarded_for"`,
    },
    { title: 'the time of a request', line: `${COMBINED} 0.012`, name: 'nginx_access', format: `${NGINX_COMBINED} $request_time` },
    {
      title: 'times of the request and behind it',
      line: `${COMBINED} 0.012 0.010`,
      name: 'nginx_access',
      format: `${NGINX_COMBINED} $request_time $upstream_response_time`,
    },
    {
      title: 'address, host, and times with their names',
      line: `${COMBINED} "-" "shop.example.org" rt=0.012 urt="0.010"`,
      name: 'nginx_access',
      format: `${NGINX_COMBINED} "$http_x_forwarded_for" "$host" rt=$request_time urt="$upstream_response_time"`,
    },
    {
      title: 'something unknown behind the combined format',
      line: `${COMBINED} secret 7f9c2a`,
      name: 'nginx_access',
      format: NGINX_COMBINED,
    },
    { title: 'no address of a client', line: COMBINED.replace('203.0.113.9', 'unix:'), name: 'nginx_access', format: NGINX_COMBINED },
    { title: 'IPv6', line: COMBINED.replace('203.0.113.9', '2001:db8::7'), name: 'nginx_access', format: NGINX_COMBINED },
    {
      title: 'a user agent with quotes',
      line: `${COMMON} "-" "a \\"b\\" c"`,
      name: 'nginx_access',
      format: NGINX_COMBINED,
    },
    {
      title: 'a request that is none',
      line: '203.0.113.9 - - [05/Mar/2021:13:07:59 +0100] "\\x16\\x03\\x01" 400 150 "-" "-"',
      name: 'nginx_access',
      format: NGINX_COMBINED,
    },
    { title: 'virtual hosts', line: `example.org:443 ${COMBINED}`, name: 'apache_access', format: `%v:%p ${APACHE_COMBINED}` },
    { title: 'virtual hosts without ports', line: `example.org ${COMMON}`, name: 'apache_access', format: `%v ${APACHE} %b` },
    { title: 'an identity', line: COMBINED.replace('- alice', 'al alice'), name: 'apache_access', format: APACHE_COMBINED },
    {
      title: 'a dash for no bytes',
      line: COMBINED.replace('5120', '-'),
      name: 'apache_access',
      format: APACHE_COMBINED.replace('%O', '%b'),
    },
  ])('$title', async ({ line, name, format }) => {
    const found = await detect(times(line, 3));
    expect(found).toMatchObject({ name, confidence: 1, config: { log_format: format }, split: { kind: 'line' } });
    expect(found?.records).toHaveLength(3);
    expect(found?.records[0]?.timestamp).toBe(1_614_946_079_000_000_000n);
    expect(found?.records[0]?.fields.map(({ name: field }) => field)).toContain('status');
  });

  it('takes damaged lines into account', async () => {
    const found = await detect(times(COMBINED, 7) + times('at java.lang.Thread.run', 3));
    expect(found).toMatchObject({ name: 'nginx_access', confidence: expect.closeTo(0.7) as number });
  });

  it('takes the lines that can be records alone when they are fewer', async () => {
    const found = await detect(times('starting', 3) + times(COMBINED, 5) + times('at java.lang.Thread.run', 2));
    expect(found).toMatchObject({ name: 'nginx_access', confidence: 0.5 });
  });
});

describe('other logs', () => {
  it.each(LOGS)('$title', async ({ text, name, config = {}, confidence = 1 }) => {
    const found = await detect(text);
    expect(found).toMatchObject({
      name,
      config,
      confidence: expect.closeTo(confidence) as number,
      split: decoderSplit(findPlugin('decoder', name), found?.config),
    });
    expect(found?.records.length).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });

  it.runIf(process.platform === 'linux').each([
    ['/proc/meminfo', 'linux_memstats'],
    ['/proc/stat', 'linux_procstat'],
    ['/proc/loadavg', 'linux_loadavg'],
  ])('%s of this machine', async (path, name) => {
    expect(await detect(readFileSync(path, 'utf8'))).toMatchObject({ name, confidence: 1, split: { kind: 'none' } });
  });

  it('gives each of several files that are looked at together a sandbox of its own', async () => {
    const found = await Promise.all([1, 2, 3].map(() => detector.detect(times(COMBINED, 20))));
    const all = found.flatMap((one) => one?.sandbox ?? []);
    expect(new Set(all).size).toBe(3);
    await Promise.all(all.map((sandbox) => sandbox.stop()));
  });

  it('looks at the beginning of a long text alone', async () => {
    const found = await detect(times(COMBINED, Math.ceil(HEAD_LENGTH / COMBINED.length)) + times('something else', 100_000));
    expect(found).toMatchObject({ name: 'nginx_access', confidence: 1 });
  });

  it('looks beyond the first lines', async () => {
    expect(await detect(times(CRON, 60) + times('{"a":1}', 400))).toMatchObject({ name: 'generic' });
  });
});

/** Decoders that have examples of which nobody can tell without settings what they are, or which are only a part of a file. */
const OF_THEIR_OWN = new Set([
  'apache_access',
  'nginx_access',
  'csv',
  'json_lines',
  'key_value',
  'regex',
  'rsyslog',
  'graylog_extended',
  'linux_memstats',
  'linux_procstat',
  'w3c_extended',
  'envoy_access',
  'glog',
  'zeek',
  'aws_cloudtrail',
  'grok',
  'journal_short',
  'windows_event_csv',
  'generic',
]);
const SYSLOG = ['syslog', 'rfc3164', 'rfc5424', 'rsyslog', 'linux_auth', 'linux_kern'];
/** Decoders that read the lines of others as well; key_value and logfmt differ in names alone. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(SYSLOG.map((name) => [name, SYSLOG])),
  // The same lines from another server.
  apache_access: ['nginx_access'],
  key_value: ['logfmt'],
  regex: ['program_log'],
  graylog_extended: ['json_lines'],
  grok: ['nginx_access', 'linux_auth'],
  journal_short: ['syslog'],
  generic: ['json_lines', 'prefixed_log'],
};

const examples = readdirSync(resolve(root, 'plugins/decoders')).flatMap((file) => {
  const meta = metaOf(`decoders/${file}`);
  return meta.examples
    .filter(({ fails }) => fails === undefined)
    .map(({ title, in: input }) => ({
      name: meta.name,
      title,
      text: typeof input === 'string' ? input : ((input as InjectMessage).Payload ?? ''),
    }));
});

describe('the examples of the decoders', () => {
  it.each(examples)('$name: $title', async ({ name, text }) => {
    const found = await detect(text);
    if (found === null || (found.name === 'generic' && name !== 'generic')) expect(OF_THEIR_OWN).toContain(name);
    else expect([name, ...(ALSO[name] ?? [])]).toContain(found.name);
  });
});

it('reads dates without a year as of the time of the text', async () => {
  const written = BigInt(Date.UTC(2019, 0, 1)) * 1_000_000n;
  const found = await detector.detect(times('Dec 31 23:59:58 box1 app: old', 3), written);
  await found?.sandbox.stop();
  expect(found?.records[0]?.timestamp).toBe(BigInt(Date.UTC(2018, 11, 31, 23, 59, 58)) * 1_000_000n);
});

describe('finds no decoder for', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['empty lines', '\n  \n\r\n'],
    ['one word', 'hello'],
    ['prose', times('It was a dark and stormy night.', 20)],
    ['prose with commas', lines('Well, it was dark, and stormy', 'Ships, sails, and wax', 'Kings, cabbages, and 3 pigs')],
    ['prose with equals signs', lines('Set size=3 and name=x to have it.', 'Then level=info is what time=now means, is it?')],
    ['mostly something else', times(COMBINED, 5) + times('at java.lang.Thread.run', 25)],
    ['Markdown', read('README.md')],
    ['a table in Markdown', lines('| a | b |', '|---|---|', '| 1 | 2 |', '| 3 | 4 |')],
    ['TypeScript', read('engine/detect/detect.ts')],
    ['JSON over many lines', read('package.json')],
    ['one JSON object that is not a log', '{"name":"x","version":"1.0.0"}'],
    ['lists of JSON', times('[1,2,3]', 5)],
    ['TOML', read('resources/examples/http-status.toml')],
    ['a settings file', lines('PATH=/bin:/usr/bin', 'LANG=C', 'HOME=/root', 'time=1')],
    ['settings in front of a command', lines('A=1 B=2 make all install test clean', 'C=3 make x y z')],
    ['CSV without a header', lines('1,2,3', '4,5,6', '7,8,9')],
    ['CSV of words alone', lines('red,green,blue', 'rot,grün,blau', 'rouge,vert,bleu')],
    ['dates without times', lines('== 2021-03-05 north', 'rpm: 7', '== 2021-03-06 south', 'rpm: 8')],
    ['rows of different lengths', lines('a,b,c', '1,2,3', '4,5', '6,7,8,9')],
    ['a header with nothing behind it', lines('time,status,bytes')],
    ['/etc/passwd', lines('root:x:0:0:root:/root:/bin/bash', 'daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin')],
    ['bytes', String.fromCharCode(...Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256))],
    ['HTML', lines('<html>', '<body>', '<1>', '</body>', '</html>')],
    ['a long line', 'x'.repeat(HEAD_LENGTH * 2)],
    ['numbers', lines('1 2 3 4 5 6 7 8 9 10 11', '1 2 3')],
  ])('%s', async (_, text) => {
    expect(await detect(text)).toBeNull();
    expect(errors).toEqual([]);
  });
});
