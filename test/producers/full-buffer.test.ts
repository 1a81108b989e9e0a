/** An edge whose servers are away for so long that its disk buffer is full. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NatsInput } from '../../engine/inputs/nats/nats-input.ts';
import { startCommand } from '../engine/cli/start-command.ts';
import { TestSink } from '../engine/inputs/harness.ts';
import { patienceMs } from '../patience.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';
import { GATHERING } from './support/nats-bench.ts';
import { NatsServer } from './support/nats-server.ts';

const LINES = 8_000;
const MAX_BUFFER = 300_000;
/** Milliseconds after which it is told again how many are lost. */
const TELL_MS = 10_000;
const RETRIES = { delay: 20, max_delay: 100, max_jitter: 0, max_retries: -1 };

let folder: string;
let server: NatsServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-full-'));
  server = new NatsServer();
  server.port = await freePort();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes an edge that reads a log, and publishes its lines to servers that are not there yet. */
function edge(fullAction: string): string {
  const log = join(folder, 'a.log');
  writeFileSync(log, Array.from({ length: LINES }, (_, i) => `line ${i}\n`).join(''));
  const path = join(folder, 'edge.toml');
  writeFileSync(
    path,
    `[svcd]\nbase_dir = ${JSON.stringify(join(folder, 'base'))}\nlog_flags = 0\n[log]\ntype = "FileInput"\npaths = [${JSON.stringify(log)}]\n` +
      `[up]\ntype = "NatsOutput"\nservers = ["127.0.0.1:${server.port}"]\nstream = "LOGS"\nsubject = "logs.a"\nmessage_matcher = "Type == 'logfile'"\n` +
      `[up.retries]\ndelay = "20ms"\nmax_delay = "100ms"\nmax_jitter = "0s"\n` +
      `[up.buffering]\nmax_buffer_size = ${MAX_BUFFER}\nfull_action = "${fullAction}"\n`,
  );
  return path;
}

/** Starts the server with a stream, and reads what comes. */
async function reading(): Promise<{ readonly sink: TestSink; stop(): Promise<void> }> {
  await server.start();
  const connection = await connect({ servers: [`127.0.0.1:${server.port}`] });
  await (await jetstreamManager(connection)).streams.add({ name: 'LOGS', subjects: ['logs.>'] });
  await connection.close();
  const sink = new TestSink();
  const of = { stream: 'LOGS', durable: 'all', subject: 'logs.>' };
  const input = new NatsInput({ name: 'in', servers: server.at(), ...of, ...GATHERING, retries: RETRIES });
  await input.start(sink);
  return { sink, stop: () => input.stop() };
}

it('waits with full_action = "block", and all of the log comes once when the servers are there', async () => {
  await using service = startCommand(['run', edge('block')]);
  await until(() => /\[up\] cannot be delivered to .*no connection to/.test(service.err()), service.err);
  const { sink, stop } = await reading();
  await until(
    () => sink.payloads.length >= LINES,
    () => `${LINES} lines: ${sink.payloads.length} are there; ${service.err()}`,
  );
  expect(sink.payloads).toEqual(Array.from({ length: LINES }, (_, i) => `line ${i}`));
  expect(service.err()).not.toMatch(/lost/);
  await stop();
});

it('says how many messages it drops with full_action = "drop", and delivers all others', async () => {
  await using service = startCommand(['run', edge('drop')]);
  const lost = (): number =>
    [...service.err().matchAll(/its buffer is full: \d+ bytes wait; (\d+) messages are lost/g)].reduce((sum, [, n]) => sum + Number(n), 0);
  await until(() => lost() > 0, service.err);
  const { sink, stop } = await reading();
  const all = (): number => sink.payloads.length + lost();
  await until(
    () => all() === LINES,
    () => `${LINES} lines: ${sink.payloads.length} are there; ${service.err()}`,
    () => TELL_MS + patienceMs(),
  );
  expect(new Set(sink.payloads).size).toBe(sink.payloads.length);
  await stop();
});

it('ends with full_action = "shutdown", and the next start goes on where it ended', async () => {
  const config = edge('shutdown');
  await using service = startCommand(['run', config]);
  expect(await service.ended).toBe(1);
  expect(service.err()).toMatch(/\[up\] its buffer is full: \d+ bytes wait/);
  const { sink, stop } = await reading();
  const seen = (): number => new Set(sink.payloads).size;
  await until(
    async () => {
      await using next = startCommand(['run', config, '--until-idle']);
      await next.ended;
      return seen() === LINES;
    },
    () => `${LINES} lines: ${seen()} are there`,
  );
  await stop();
});
