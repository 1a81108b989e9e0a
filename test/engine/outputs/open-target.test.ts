/** Files of outputs that are pipes: their readers come late, go away and are slow. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorCode } from '../../../engine/base/errors.ts';
import { NotDeliveredError, RetriedWriter } from '../../../engine/outputs/delivery.ts';
import { FileWriter } from '../../../engine/outputs/file-output.ts';
import { openTarget } from '../../../engine/outputs/open-target.ts';
import { until } from '../../until.ts';

let folder: string;
let pipe: string;
let said: string[];
let readers: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-pipe-'));
  pipe = join(folder, 'pipe');
  said = [];
  readers = [];
});
afterEach(() => {
  for (const reader of readers) reader.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Reader {
  readonly text: () => string;
  readonly end: () => Promise<unknown>;
}

function read(): Reader {
  const child = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  readers.push(child);
  let text = '';
  child.stdout.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    text: () => text,
    end: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

const flush = { flushInterval: 1000, flushCount: 1, flushOperator: 'AND' } as const;
const retries = { delay: 5, max_delay: 5, max_jitter: 0, max_retries: -1 };

async function opened(): Promise<RetriedWriter> {
  const writer = new FileWriter({ path: pipe, perm: 0o644, folderPerm: 0o700, ...flush });
  await writer.opened();
  return new RetriedWriter(writer, { retries, onProblem: (text) => said.push(text) });
}

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  beforeEach(() => void execFileSync('mkfifo', [pipe]));

  it('that nobody reads yet is waited for, without a thread being held', async () => {
    const pipes = Array.from({ length: 8 }, (_, i) => join(folder, `pipe-${i}`));
    execFileSync('mkfifo', pipes);
    for (const path of pipes) await expect(openTarget(path, { perm: 0o644, folderPerm: 0o700 })).rejects.toThrow('ENXIO');
    const writer = await opened();
    const written = writer.write(['one\n', 'two\n']);
    await until(() => said.length > 0, 'the problem');
    const reader = read();
    await written;
    await until(
      () => reader.text() === 'one\ntwo\n',
      () => reader.text(),
    );
    expect(said).toEqual([
      expect.stringMatching(/pipe cannot be written \(ENXIO.*start the program that reads it$/),
      'is delivered to again',
    ]);
    await writer.close();
  });

  it('whose reader goes away is waited for, and the batch comes to the next reader', async () => {
    const first = read();
    const writer = await opened();
    await writer.write(['one\n']);
    await until(
      () => first.text() === 'one\n',
      () => first.text(),
    );
    await first.end();
    const written = writer.write(['two\n', 'three\n']);
    await until(() => said.length > 0, 'the problem');
    const second = read();
    await written;
    await writer.write(['four\n']);
    await until(
      () => second.text() === 'two\nthree\nfour\n',
      () => second.text(),
    );
    expect(said).toEqual([expect.stringMatching(/\((EPIPE|ENXIO).*start the program that reads/), 'is delivered to again']);
    await writer.close();
  });

  it('that is full is waited for, and has all of a batch in order', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i} of a batch that no pipe holds at once\n`);
    // Read without waiting, so that it can be opened before there is a writer.
    await using handle = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = await opened();
    const state = { written: false };
    const written = writer.write(lines).then(() => (state.written = true));
    let text = '';
    const take = async (): Promise<void> => {
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(50_000), 0, 50_000, null);
        text += buffer.toString('latin1', 0, bytesRead);
      } catch (error) {
        if (errorCode(error) !== 'EAGAIN') throw error;
      }
    };
    await until(async () => {
      await take();
      return text.length > 0;
    }, 'the first bytes');
    expect(state.written).toBe(false);
    await until(async () => {
      await take();
      return state.written && text.length === lines.join('').length;
    }, 'all lines');
    await written;
    expect(text === lines.join('')).toBe(true);
    expect(said).toEqual([]);
    await writer.close();
  });

  it('that stays full does not hold up the end', async () => {
    await using _reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = await opened();
    const written = writer.write(['x'.repeat(1 << 20)]);
    const failed = expect(written).rejects.toThrow(NotDeliveredError);
    writer.closing();
    await failed;
    await writer.close();
  });

  it('is opened anew when that is asked for, also while nobody reads it', async () => {
    const writer = await opened();
    await writer.reopen();
    const reader = read();
    await writer.write(['one\n']);
    await until(
      () => reader.text() === 'one\n',
      () => reader.text(),
    );
    await writer.close();
  });
});

it('a file is made with its folders, and appended to', async () => {
  const path = join(folder, 'a', 'b');
  for (const text of ['one\n', 'two\n']) {
    await using handle = await openTarget(path, { perm: 0o640, folderPerm: 0o700 });
    await handle.appendFile(text);
  }
  expect(readFileSync(path, 'latin1')).toBe('one\ntwo\n');
});
