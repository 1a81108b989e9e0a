import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drainQueue, FileTarget, type DrainTarget } from '../../../engine/cli/queue-drain.ts';
import { DiskQueue } from '../../../engine/queue/disk-queue.ts';
import { encodeRecord } from '../../../engine/queue/record.ts';
import { bytesLeft } from '../../../engine/queue/state.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-drain-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

/** More than a reader takes at once. */
const COUNT = 2000;
const texts = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i} ${'x'.repeat(400)}`);
const lines = (count: number): string =>
  texts(count)
    .map((text) => `${text}\n`)
    .join('');

async function fill(count: number): Promise<void> {
  const queue = await DiskQueue.open({
    path: at('q'),
    maxFileSize: 300_000,
    maxBufferSize: 0,
    cursorUpdateCount: 0,
    onProblem: () => undefined,
  });
  await queue.append(texts(count).map((text) => encodeRecord(Buffer.from(text), { loop: 0, injected: false })));
  await queue.close();
}

const encode = (messages: readonly Uint8Array[]): Uint8Array[] => messages.map((message) => Buffer.concat([message, Buffer.from('\n')]));

async function drain(target: DrainTarget, signal = new AbortController().signal): Promise<number> {
  try {
    return await drainQueue(at('q'), { target, encode, signal, onProblem: () => undefined });
  } finally {
    await target.close();
  }
}
const toFile = async (): Promise<FileTarget> => FileTarget.open(at('out'), at('q'));

/** A target that ends like a process that is killed, in a certain write. */
function killed(target: FileTarget, inWrite: number, isNoted: boolean): DrainTarget {
  let left = inWrite;
  return {
    mark: target.mark,
    async write(pieces, mark) {
      if (--left > 0 || isNoted) await target.write(pieces, mark);
      else appendFileSync(at('out'), Buffer.concat(pieces.slice(0, 3)));
      if (left <= 0) throw new Error('killed');
    },
    finish: () => target.finish(),
    close: () => target.close(),
  };
}

describe('a drain into a file', () => {
  it('writes all messages, and leaves nothing', async () => {
    await fill(COUNT);
    expect(await drain(await toFile())).toBe(COUNT);
    expect(readFileSync(at('out'), 'utf8')).toBe(lines(COUNT));
    expect(await bytesLeft(at('q'))).toBe(0);
    expect(existsSync(at('q/drain.json'))).toBe(false);
  });

  it.each([
    ['in the first write', 1, false],
    ['in the middle of a write', 2, false],
    ['between the note and the checkpoint', 2, true],
  ])('goes on exactly when it is killed %s', async (_when, inWrite, isNoted) => {
    await fill(COUNT);
    await expect(drain(killed(await toFile(), inWrite, isNoted))).rejects.toThrow('killed');
    await drain(await toFile());
    expect(readFileSync(at('out'), 'utf8')).toBe(lines(COUNT));
    expect(await bytesLeft(at('q'))).toBe(0);
  });

  it('goes on exactly after an interrupt', async () => {
    await fill(COUNT);
    const stop = new AbortController();
    const target = await toFile();
    const write: DrainTarget = {
      mark: null,
      finish: () => target.finish(),
      close: () => target.close(),
      write: (...of) => (stop.abort(), target.write(...of)),
    };
    const first = await drain(write, stop.signal);
    expect(first).toBeLessThan(COUNT);
    expect(first + (await drain(await toFile()))).toBe(COUNT);
    expect(readFileSync(at('out'), 'utf8')).toBe(lines(COUNT));
  });

  it('does not write into a file that is there for another reason', async () => {
    await fill(1);
    writeFileSync(at('out'), 'mine');
    await expect(toFile()).rejects.toThrow('is there already');
    expect(readFileSync(at('out'), 'utf8')).toBe('mine');
  });

  it('ends where the rest of a queue is damaged', async () => {
    await fill(2);
    appendFileSync(at('q/0.log'), '\x1e\x02');
    expect(await drain(await toFile())).toBe(2);
  });

  it('of nothing is an empty file', async () => {
    await fill(0);
    expect(await drain(await toFile())).toBe(0);
    expect(readFileSync(at('out'), 'utf8')).toBe('');
  });
});
