import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../ports.ts';
import { slowness } from '../../patience.ts';
import { until } from '../../until.ts';
import { recordText } from '../tally.ts';
import { EngineProcess } from '../window/engine-process.ts';
import { Sender } from '../window/kills.ts';
import { windowRotation } from '../window/rotation.ts';
import type { Fault, FaultResult } from './fault.ts';
import { FROZEN_MS } from './frozen.ts';

/** Runs with a folder, and engines that end with it. */
async function withEngines(work: (folder: string, start: () => EngineProcess) => Promise<FaultResult>): Promise<FaultResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-engines-'));
  const engines: EngineProcess[] = [];
  const start = (): EngineProcess => {
    const engine = new EngineProcess(folder);
    engines.push(engine);
    return engine;
  };
  try {
    return await work(folder, start);
  } finally {
    for (const engine of engines) await engine.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const listen = (engine: EngineProcess, port: number): Promise<unknown> =>
  engine.request('source.listen', { protocol: 'tcp', host: '127.0.0.1', port });

const ROTATIONS = ['rename', 'copytruncate', 'delayed gzip'] as const;

export const engines: readonly Fault[] = [
  {
    name: 'three files kept of a log that a busy window shows: renamed, copied, packed',
    promise: 'once',
    run: async ({ length }) => {
      let [tried, lost, repeated] = [0, 0, 0];
      let said = '';
      for (const rotation of ROTATIONS) {
        const files = 12 * length;
        const recordsPerFile = 3000;
        const result = await windowRotation({
          ...{ rotation, recordsPerFile, records: files * recordsPerFile, besides: 10_000 },
          recordsPerSecond: recordsPerFile / 0.8 / slowness(),
        });
        tried += files;
        lost += result.lost;
        repeated += result.repeated;
        if (result.lost + result.repeated > 0) said += `${rotation}: ${result.lost} lost, ${result.repeated} twice: ${result.said}\n`;
      }
      return { tried, lost, repeated, late: 0, said };
    },
  },
  {
    name: "SIGSTOP of the window's engine, for 5 s and for 30 s",
    promise: 'once',
    run: () =>
      withEngines(async (_, start) => {
        const sender = new Sender(await freePort(), 2000);
        const engine = start();
        await listen(engine, sender.port);
        sender.start();
        for (const ms of FROZEN_MS) {
          await delay(1000);
          engine.signal('SIGSTOP');
          await delay(ms);
          engine.signal('SIGCONT');
        }
        await delay(1000);
        sender.pause();
        await until(() => engine.shown('tcp') >= sender.sent, 'what was sent').catch(() => undefined);
        await sender.stop();
        const lines = await engine.lines();
        const distinct = new Set(lines).size;
        return { tried: FROZEN_MS.length, lost: sender.sent - distinct, repeated: lines.length - distinct, late: 0 };
      }),
  },
  {
    name: 'two engines on one data folder, of which the first is killed',
    promise: 'once',
    run: () =>
      withEngines(async (_, start) => {
        const sender = new Sender(await freePort(), 2000);
        const first = start();
        await listen(first, sender.port);
        sender.start();
        await until(() => first.shown('tcp') > 2000, 'records');
        const second = start();
        await second.request('engine.state', {});
        await delay(1000);
        const taken = second.shown('tcp');
        sender.pause();
        await delay(500);
        const shown = first.shown('tcp');
        await first.kill();
        await second.stop();
        const third = start();
        await until(() => third.listens, 'the listener');
        await sender.stop();
        const lines = await third.lines();
        const distinct = new Set(lines).size;
        return { tried: 1, lost: Math.max(0, shown - distinct), repeated: lines.length - distinct + taken, late: 0 };
      }),
  },
  {
    name: 'an export over a symbolic link to the log that is being read',
    promise: 'once',
    run: () =>
      withEngines(async (folder, start) => {
        const text = Array.from({ length: 5000 }, (_, i) => `${recordText('log', i)}\n`).join('');
        const log = join(folder, 'app.log');
        const link = join(folder, 'export.log');
        writeFileSync(log, text);
        symlinkSync(log, link);
        const engine = start();
        await engine.grant('open', log);
        await engine.request('source.open', { paths: [log] });
        await until(() => engine.shown('file') === 5000, 'the log');
        await engine.grant('export', link);
        const said = await engine.request('export.start', { query: {}, format: 'json', columns: [], path: link }).then(
          () => 'written in its place',
          () => 'refused',
        );
        await delay(2000);
        const kept = new Set(readFileSync(log, 'utf8').split('\n').slice(0, -1));
        return { tried: 1, lost: 5000 - [...kept].filter((line) => text.includes(`${line}\n`)).length, repeated: 0, late: 0, note: said };
      }),
  },
];
