import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './samples.ts';

/** Messages of the probe in the shell. */
interface Mark {
  readonly mark: 'shown' | 'seen' | 'following' | 'used';
  readonly value: unknown;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface OpenWindow {
  /** Milliseconds since 1970. */
  readonly started: number;
  /** Of the shell. */
  readonly pid: number;
  /** Ends with the window. @throws {Error} when the page has failed */
  readonly marks: AsyncGenerator<Mark>;
}

interface WindowOptions {
  /** The folder of its data; what was open before is not offered. */
  readonly data: string;
  /** The file that it opens; null: none. */
  readonly file: string | null;
  /** Times that someone does each work in it when all is read. */
  readonly used?: number;
}

/** Milliseconds within which the page marks each step; a window that says nothing for so long is closed, and its benchmark fails. */
const LONGEST_STEP_MS = 300_000;

/** Opens the real window for as long as the work takes. */
export async function withWindow<T>({ data, file, used = 0 }: WindowOptions, work: (window: OpenWindow) => Promise<T>): Promise<T> {
  for (const name of ['workspace.toml', 'recent.json']) rmSync(join(data, name), { force: true });
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const probe = join(import.meta.dirname, 'window-probe.cjs');
  const files = file === null ? [] : [file];
  const env = { ...process.env, SLUICEBOX_BENCH_FILES: String(files.length), SLUICEBOX_BENCH_USE: String(used) };
  const started = Date.now();
  const child = spawn(
    process.env.SLUICEBOX_ELECTRON as string,
    ['--require', probe, root, ...sandbox, '--log-level=3', `--user-data-dir=${data}`, '--', ...files],
    { env, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const ended = new Promise((done) => child.once('exit', done));
  const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_STEP_MS);
  async function* marks(): AsyncGenerator<Mark> {
    for await (const line of createInterface({ input: child.stdout })) {
      late.refresh();
      const told = JSON.parse(line) as Mark | { readonly mark: 'failed'; readonly value: unknown };
      if (told.mark === 'failed') throw new Error(`The page of the window failed: ${String(told.value)}`);
      yield told;
    }
  }
  try {
    return await work({ started, pid: child.pid as number, marks: marks() });
  } finally {
    clearTimeout(late);
    child.kill('SIGTERM');
    await ended;
  }
}
