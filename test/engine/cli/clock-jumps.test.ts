/** The whole service while the clock of the machine jumps; where there is a C compiler. */
import { createSocket } from 'node:dgram';
import { appendFileSync, existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../../ports.ts';
import { preloaded } from '../../preloaded.ts';
import { until } from '../../until.ts';
import { startCommand } from './start-command.ts';

const LIBRARY = preloaded('shifted-clock');
const DECADE = 10 * 365 * 24 * 3600;
const JUMPS = new Map([
  ['an hour ahead', 3600],
  ['ten years ahead', DECADE],
  ['ten years back', -DECADE],
  ['the right time', 0],
]);

it.runIf(LIBRARY !== null)('records and ticks flow on when the clock is set ahead and back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-clock-'));
  const at = (name: string): string => join(folder, name);
  const setClock = (ahead: number): void => writeFileSync(at('ahead'), String(ahead));
  const linesOf = (name: string): string[] => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').split('\n').slice(0, -1) : []);
  const port = await freePort();
  writeFileSync(at('in.log'), '');
  writeFileSync(at('payload.js'), 'function process_message() { inject_payload("txt", "", `${read_message("Payload")}\\n`); return 0; }\n');
  writeFileSync(
    at('tick.js'),
    'let seen = 0;\nfunction process_message() { seen++; return 0; }\n' +
      'function timer_event(ns) { inject_payload("txt", "seen", `${seen}`); }\n',
  );
  writeFileSync(
    at('p.toml'),
    `[in]
type = "FileInput"
paths = [${JSON.stringify(at('in.log'))}]
[count]
type = "SandboxFilter"
filename = "tick.js"
message_matcher = "Type == 'logfile'"
ticker_interval = 1
[payload]
type = "SandboxEncoder"
filename = "payload.js"
[ticks]
type = "FileOutput"
path = ${JSON.stringify(at('ticks.txt'))}
message_matcher = "Fields[payload_name] == 'seen'"
encoder = "payload"
[out]
type = "FileOutput"
path = ${JSON.stringify(at('out.txt'))}
message_matcher = "Type == 'logfile'"
encoder = "payload"
use_buffering = true
[times]
type = "FileOutput"
path = ${JSON.stringify(at('times.txt'))}
message_matcher = "Type == 'logfile'"
encoder = "json"
[rotated]
type = "FileOutput"
path = ${JSON.stringify(at('rotated/%Y.txt'))}
rotation_interval = 24
message_matcher = "Type == 'logfile'"
encoder = "payload"
[udp]
type = "UdpInput"
address = "127.0.0.1:${port}"
[datagrams]
type = "FileOutput"
path = ${JSON.stringify(at('datagrams.txt'))}
message_matcher = "Type == 'udp'"
encoder = "payload"
[reports]
type = "FileOutput"
path = ${JSON.stringify(at('reports.txt'))}
message_matcher = "Type == 'svc.all-report'"
encoder = "json"
`,
  );
  setClock(0);
  await using service = startCommand(['run', '--report-interval', '1', at('p.toml')], {
    env: { SLUICEBOX_DATA: at('data'), LD_PRELOAD: LIBRARY as string, CLOCK_AHEAD: at('ahead') },
  });
  const lines: string[] = [];
  for (const [time, ahead] of JUMPS) {
    setClock(ahead);
    // The second line has no end: it is delivered after a second of silence, and what follows on its own.
    lines.push(`${lines.length} whole at ${time}`, `${lines.length + 1} open at ${time}`);
    appendFileSync(at('in.log'), lines.slice(-2).join('\n'));
    const reported = linesOf('reports.txt').length;
    await Promise.all([
      until(
        () => linesOf('out.txt').length === lines.length,
        () => `line ${lines.length} at ${time}: ${service.err()}`,
      ),
      until(() => linesOf('ticks.txt').at(-1) === String(lines.length), `the tick at ${time}`),
      until(async () => {
        await sendTo(port, `datagram at ${time}`);
        return linesOf('datagrams.txt').includes(`datagram at ${time}`);
      }, `the datagram at ${time}`),
      until(() => linesOf('reports.txt').length > reported + 1, `reports at ${time}`),
    ]);
  }
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(linesOf('out.txt')).toEqual(lines);
  const years = linesOf('times.txt').map((line) => {
    const { Timestamp } = JSON.parse(line) as { Timestamp: string };
    return new Date(Number(BigInt(Timestamp) / 1_000_000n)).getUTCFullYear() - new Date().getUTCFullYear();
  });
  expect(years.slice(2, 6).map((year) => Math.round(year / 10))).toEqual([1, 1, -1, -1]);
  const year = new Date().getUTCFullYear();
  const files = globSync(at('rotated/*.txt')).map((path) => [
    Math.round((Number(basename(path, '.txt')) - year) / 10),
    readFileSync(path, 'utf8'),
  ]);
  expect(files.map(([decade]) => decade).toSorted()).toEqual([-1, 0, 1]);
  expect(
    files
      .map(([, text]) => text)
      .join('')
      .split('\n')
      .slice(0, -1)
      .toSorted(),
  ).toEqual(lines.toSorted());
  const { inputs } = JSON.parse((JSON.parse(linesOf('reports.txt').at(-1) ?? '') as { Payload: string }).Payload) as Report;
  const received = linesOf('datagrams.txt').length;
  expect(inputs.find(({ Name }) => Name === 'udp')).toMatchObject({
    LostDatagramCount: { value: 0 },
    ProcessMessageCount: { value: received },
  });
  expect(service.err()).toBe('');
});

interface Report {
  readonly inputs: readonly { readonly Name: string }[];
}

async function sendTo(port: number, text: string): Promise<void> {
  const socket = createSocket('udp4');
  await new Promise((resolve) => socket.send(text, port, '127.0.0.1', resolve));
  socket.close();
}
