/** Datagrams that find no room while the disk of an output is full: reports and the log count exactly what was sent and not stored. */
import { createSocket, type Socket } from 'node:dgram';
import { existsSync, mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { freePort } from '../../ports.ts';
import { until } from '../../until.ts';
import { startCommand } from './start-command.ts';

/** More than batches and blocks under way take, a MiB and a quarter of one each. */
const COUNT = 1200;
const BYTES = 60_000;

interface Report {
  readonly inputs: readonly { readonly LostDatagramCount?: { readonly value: number } }[];
}

/** By the last report that was written; 0 before the first one. */
function lastLost(path: string): number {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const last = lines.at(-1);
  if (last === undefined) return 0;
  const { Payload } = JSON.parse(last) as { Payload: string };
  return (JSON.parse(Payload) as Report).inputs[0]?.LostDatagramCount?.value ?? 0;
}

it.runIf(process.platform === 'linux')('datagrams are stored, or counted as lost in reports and at the end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-lost-'));
  const at = (name: string): string => join(folder, name);
  const port = await freePort();
  symlinkSync('/dev/full', at('out.txt'));
  writeFileSync(
    at('line.js'),
    'function process_message() { inject_payload("txt", "", `${read_message("Payload").length}\\n`); return 0; }\n',
  );
  writeFileSync(
    at('p.toml'),
    `[svcd]
base_dir = ${JSON.stringify(at('base'))}
[in]
type = "UdpInput"
address = "127.0.0.1:${port}"
queue_size = 1
[line]
type = "SandboxEncoder"
filename = "line.js"
[out]
type = "FileOutput"
path = ${JSON.stringify(at('out.txt'))}
message_matcher = "Type == 'in'"
encoder = "line"
[out.retries]
delay = "20ms"
max_delay = "50ms"
[reports]
type = "FileOutput"
path = ${JSON.stringify(at('reports.jsonl'))}
message_matcher = "Type == 'svc.all-report'"
encoder = "json"
`,
  );
  await using service = startCommand(['run', '--report-interval', '1', at('p.toml')], { cwd: folder });
  const { err: said } = service;
  const told = (): number => [...said().matchAll(/lost (\d+) datagrams/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  const stored = (): number => readFileSync(at('out.txt'), 'utf8').split('\n').length - 1;
  const bound = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  await until(() => readFileSync('/proc/net/udp', 'utf8').includes(bound), said);
  const socket = await connected(port);
  const datagram = Buffer.alloc(BYTES, 'x');
  for (let i = 0; i < COUNT; i++) {
    await new Promise<void>((resolve, reject) => socket.send(datagram, (error) => (error === null ? resolve() : reject(error))));
    if (i % 5 === 0) await delay(1);
  }
  socket.close();
  await until(() => told() > 0, said);
  // The disk has room again: the next attempt opens another file.
  writeFileSync(at('room.txt'), '');
  renameSync(at('room.txt'), at('out.txt'));
  await until(
    () => stored() + lastLost(at('reports.jsonl')) === COUNT,
    () => `${COUNT}: ${stored()} are stored, ${lastLost(at('reports.jsonl'))} lost by the reports, ${told()} by the log`,
  );
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect({ stored: stored(), told: told() }).toEqual({
    stored: COUNT - lastLost(at('reports.jsonl')),
    told: lastLost(at('reports.jsonl')),
  });
});

async function connected(port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.connect(port, '127.0.0.1', resolve));
  return socket;
}
