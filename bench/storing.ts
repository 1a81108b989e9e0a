import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { commandSandboxes } from '../engine/cli/command-sandboxes.ts';
import type { CommandContext } from '../engine/cli/command.ts';
import { FileDecoders } from '../engine/cli/file-decoders.ts';
import { Output } from '../engine/cli/output.ts';
import { StoreJob } from '../engine/cli/query/store-job.ts';
import { makeFolderSync } from '../engine/base/files/folders.ts';
import { StoreWriter } from '../engine/lake/store-writer.ts';
import type { MessageBatch } from '../engine/message/batch/batch.ts';
import { generatedLog } from './logs.ts';
import { median, progress, type Figure } from './report.ts';
import { folder } from './samples.ts';

/** Lines that are decoded, as many as two files hold, and how often each is stored in a round. */
const LINES = 240_000;
const TIMES = 4;
const MESSAGES = LINES * TIMES;
const FOLDER = join(folder, 'storing');

interface Decoded {
  readonly batch: MessageBatch;
  readonly raw: MessageBatch | null;
}

/** Processor time in microseconds a message. */
interface Spent {
  readonly thread: number;
  readonly all: number;
}

/** Measures the storing of messages that are decoded already: what it takes of the engine's thread, and of all threads, and the size of the files. */
export async function storingFigures(rounds: number): Promise<Figure[]> {
  const { path } = generatedLog('access', LINES);
  const figures: Figure[] = [];
  for (const keepsRaw of [false, true]) {
    const what = keepsRaw ? 'storing with the lines' : 'storing';
    const decoded = await decodedOf(path, keepsRaw);
    const spent: Spent[] = [];
    for (let round = 1; round <= rounds; round++) {
      progress(`${what}, round ${round} of ${rounds}`);
      spent.push(await stored(decoded));
    }
    const bytes = readdirSync(FOLDER).reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0);
    rmSync(FOLDER, { recursive: true });
    figures.push(
      { what: `${what}, on the engine's thread`, value: median(spent.map(({ thread }) => thread)), unit: 'µs/message' },
      {
        what: `${what}, in all`,
        value: median(spent.map(({ all }) => all)),
        unit: 'µs/message',
        note: `${(bytes / MESSAGES).toFixed(1)} bytes a message`,
      },
    );
  }
  return figures;
}

/** The messages of a log, decoded. */
async function decodedOf(path: string, keepsRaw: boolean): Promise<Decoded[]> {
  const context: CommandContext = {
    out: new Output(new Writable({ write: (_chunk, _encoding, done) => done() })),
    complain: (text) => process.stderr.write(`${text}\n`),
    signal: new AbortController().signal,
  };
  const decoded: Decoded[] = [];
  const add = (_table: string, batch: MessageBatch, raw: MessageBatch | null): Promise<void> => {
    decoded.push({ batch, raw });
    return Promise.resolve();
  };
  const sandboxes = commandSandboxes();
  const job = new StoreJob({ table: () => undefined, add }, context, () => undefined, { keepsRaw });
  try {
    await new FileDecoders(
      sandboxes,
      { name: null, settings: {}, scripts: null, quiet: true, onlyDecoded: false, strict: false },
      context,
    ).with(path, async (source) => {
      job.into('access', source);
      await job.run(source.chunks);
    });
  } finally {
    await sandboxes.close();
  }
  return decoded;
}

async function stored(decoded: readonly Decoded[]): Promise<Spent> {
  rmSync(FOLDER, { recursive: true, force: true });
  makeFolderSync(FOLDER, 0o700);
  const writer = new StoreWriter(FOLDER);
  await writer.begin([]);
  const thread = process.threadCpuUsage();
  const all = process.cpuUsage();
  for (let time = 0; time < TIMES; time++) for (const { batch, raw } of decoded) await writer.add(batch, raw);
  await writer.seal();
  const own = process.threadCpuUsage(thread);
  const whole = process.cpuUsage(all);
  await writer.close();
  return { thread: (own.user + own.system) / MESSAGES, all: (whole.user + whole.system) / MESSAGES };
}
