/** A service as those see it who look after it: over HTTP and by what it tells systemd. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { freePort } from '../../ports.ts';
import { until } from '../../until.ts';
import { fileOf } from './run-cli.ts';
import { startCommand } from './start-command.ts';

const folder = dirname(fileOf('shown.log', 'one\nbad\ntwo\n'));
const told = fileOf('told.txt', '');
const RETRIES = 'delay = "10ms"\nmax_delay = "20ms"\nmax_jitter = "0"\n';

/** A stand-in for the program of systemd: notes what it is to tell, and where. */
function standIn(): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET $WATCHDOG_USEC $*" >> '${told}'\n`);
  chmodSync(join(bin, 'systemd-notify'), 0o755);
  return [bin, process.env['PATH'] ?? ''].join(delimiter);
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer((socket) => void socket.resume().on('error', () => undefined)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const config = (admin: number, input: number, output: number, more = ''): string => `[admin]
address = "127.0.0.1:${admin}"

[lines]
type = "FileInput"
paths = ["shown.log"]
decoder = "decoding"

[decoding]
type = "SandboxDecoder"
filename = "shown-decoder.js"

[lines-in]
type = "TcpInput"
address = "127.0.0.1:${input}"
[lines-in.retries]
${RETRIES}
[counting]
type = "SandboxFilter"
filename = "shown-filter.js"
message_matcher = "TRUE"

[out]
type = "TcpOutput"
address = "127.0.0.1:${output}"
message_matcher = "Type == 'logfile'"
encoder = "json"
[out.buffering]
max_buffer_size = 100000
[out.retries]
${RETRIES}${more}`;

/** The metrics that a file names. */
function namedIn(file: string): string[] {
  const text = readFileSync(inRoot('resources/deploy/monitoring', file), 'utf8');
  return [...new Set(text.match(/\b(?:sluicebox|process)_[a-z_]+\b/g))];
}

it.runIf(process.platform === 'linux')('tells over HTTP and to systemd whether it is ready, and why not', async () => {
  fileOf('shown-decoder.js', "function process_message() { return read_message('Payload') === 'bad' ? [-1, 'bad'] : 0; }");
  fileOf('shown-filter.js', 'function process_message() { return 0; }');
  const [admin, input, output] = [await freePort(), await freePort(), await freePort()];
  const taken = await listenOn(input);
  const path = fileOf('shown.toml', config(admin, input, output));
  const env = { PATH: standIn(), NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '400000', SLUICEBOX_DATA: join(folder, 'shown-data') };
  await using service = startCommand(['run', path], { env, cwd: folder });
  const ask = async (page: string, headers = {}): Promise<{ status: number; text: string }> => {
    const response = await fetch(`http://127.0.0.1:${admin}${page}`, { headers });
    return { status: response.status, text: await response.text() };
  };
  const states = (): string[] => readFileSync(told, 'utf8').split('\n').slice(0, -1);

  await until(async () => (await ask('/health')).status === 200, 'that it lives');
  await until(async () => {
    const { status, text } = await ask('/ready');
    expect(status).toBe(503);
    expect(text).toMatch(
      /^\[lines-in\] TCP 127\.0\.0\.1:\d+ is in use by another program.*\n\[out\] cannot be delivered to and is tried again: /,
    );
    return true;
  }, 'the reasons');
  await until(() => states().some((state) => state.includes('EXTEND_TIMEOUT_USEC')), 'that it is starting');
  expect(states().filter((state) => state.includes('READY=1'))).toEqual([]);

  taken.close();
  const target = await listenOn(output);
  await until(async () => (await ask('/ready')).text === 'ready\n', 'that it is ready');
  await until(() => states().includes('/run/notify  READY=1 STATUS=ready'), 'that systemd knows');
  await until(() => states().includes('/run/notify  WATCHDOG=1 STATUS=ready'), 'that its loop turns');

  const { text: scrape } = await ask('/metrics', { accept: 'application/openmetrics-text' });
  const there = new Set(Array.from(scrape.matchAll(/^([a-z_]+)[ {]/gm), ([, name]) => name));
  expect(namedIn('alerts.yml').length).toBeGreaterThan(10);
  for (const file of ['alerts.yml', 'grafana.json']) expect(namedIn(file).filter((name) => !there.has(name))).toEqual([]);
  expect(scrape).toMatch(/^sluicebox_plugin_failed_messages_total\{kind="decoder",plugin="decoding \(lines\)"\} 1$/m);
  expect(scrape).toMatch(/^sluicebox_input_bytes_total\{kind="input",plugin="lines"\} 12$/m);
  expect(scrape).toMatch(/^sluicebox_plugin_up\{kind="output",plugin="out"\} 1$/m);
  expect(scrape).toMatch(/^sluicebox_script_cpu_seconds_total\{kind="filter",plugin="counting"\} \d/m);
  // Each series is there once.
  const series = Array.from(scrape.matchAll(/^([a-z_]+(?:\{.*\})?) /gm), ([, name]) => name);
  expect(series.length).toBe(new Set(series).size);

  writeFileSync(path, config(admin, input, output, '[more]\ntype = "LogOutput"\nmessage_matcher = "FALSE"\nencoder = "json"\n'));
  await until(() => service.err().includes('[more] started'), 'the reload');
  await until(() => / RELOADING=1\n(.*\n)*.* READY=1$/m.test(states().join('\n')), 'that systemd knows of it');
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(states().findLast((state) => !state.includes('WATCHDOG'))).toBe('/run/notify  STOPPING=1 STATUS=the service is stopping');
  target.close();
});
