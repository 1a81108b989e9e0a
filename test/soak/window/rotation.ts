import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from '../../patience.ts';
import { until } from '../../until.ts';
import { freePort } from '../../ports.ts';
import { LogWriter, type RotationKind } from '../log-writer.ts';
import { readRecord } from '../tally.ts';
import { EngineProcess } from './engine-process.ts';
import { Sender } from './kills.ts';

export interface WindowRotation {
  readonly rotation: RotationKind;
  readonly records: number;
  readonly recordsPerSecond: number;
  readonly recordsPerFile: number;
  /** Records a second that come over TCP beside the log. */
  readonly besides: number;
}

export interface WindowRotationResult {
  readonly lost: number;
  readonly repeated: number;
  /** Warnings and errors of the window. */
  readonly said: string;
}

const KEPT = 3;
const TICK_MS = 20;

/** Rotates a log that the engine of a window shows, while it has more to do than it can: a flood over TCP, and a view that is sorted again and again. */
export async function windowRotation(options: WindowRotation): Promise<WindowRotationResult> {
  const { rotation, records, recordsPerSecond, recordsPerFile, besides } = options;
  const folder = await mkdtemp(join(tmpdir(), 'sluicebox-window-'));
  const log = new LogWriter('log', join(folder, 'app.log'), rotation, recordsPerFile, KEPT);
  log.write(1);
  const sender = new Sender(await freePort(), besides);
  const engine = new EngineProcess(join(folder, 'data'));
  let isWriting = true;
  try {
    await engine.request('source.listen', { protocol: 'tcp', host: '127.0.0.1', port: sender.port });
    await engine.grant('open', log.path);
    const { opened } = await engine.request('source.open', { paths: [log.path] });
    // What is rotated before the log is open belongs to no source.
    await until(() => engine.shown('file') > 0, 'the first record');
    sender.start();
    const sorting = keepSorting(engine, () => isWriting);
    const begun = performance.now();
    while (log.written < records) {
      const due = Math.min(records, Math.floor(((performance.now() - begun) / 1000) * recordsPerSecond));
      // Each file is there for a while, also when this process was held up.
      if (due > log.written) log.write(Math.min(due - log.written, Math.ceil(recordsPerFile / 4)));
      await delay(TICK_MS);
    }
    isWriting = false;
    sender.pause();
    await sorting;
    for (let since = performance.now(), last = -1; engine.shown('file') < records && performance.now() - since < patienceMs();) {
      if (engine.shown('file') !== last) since = performance.now();
      last = engine.shown('file');
      await delay(100);
    }
    await sender.stop();
    const shown = (await engine.lines(opened)).flatMap((line) => readRecord(line)?.number ?? []);
    const distinct = new Set(shown).size;
    return { lost: records - distinct, repeated: shown.length - distinct, said: engine.problems.join('\n') };
  } finally {
    await sender.stop();
    await engine.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function keepSorting(engine: EngineProcess, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    const { view } = await engine.request('view.open', { query: {} });
    await engine.request('view.sort', { view, column: { by: 'text', down: true } });
    await engine.request('view.histogram', { view, buckets: 200 });
    await engine.request('view.text', { view, start: 0, count: 1000, format: 'raw' });
    await engine.request('view.close', { view });
  }
}
