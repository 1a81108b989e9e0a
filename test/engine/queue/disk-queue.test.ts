import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open as openFile, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { QueueChunk } from '../../../engine/queue/disk-queue.ts';
import { QueueFolder } from '../../../engine/queue/segments.ts';
import { bytesLeft } from '../../../engine/queue/state.ts';
import { numbered, queueBench, readAll, record } from './queue-bench.ts';

const { openQueue, checkpoint, segments, folder, problems } = queueBench();

describe('a queue on disk', () => {
  it('gives what was appended, and again what was not acknowledged', async () => {
    const first = await openQueue();
    await first.append(numbered(3).map(record));
    expect(await readAll(first)).toEqual(numbered(3));
    await first.append(numbered(2, 3).map(record));
    await first.sync();
    expect(await readAll(first, 2)).toEqual(numbered(2, 3));
    const bytes = numbered(3).reduce((sum, text) => sum + record(text).length, 0);
    await first.close();
    expect(checkpoint()).toBe(`0 ${bytes}`);
    const second = await openQueue();
    expect(await segments()).toEqual(['0.log', '1.log']);
    await second.append(numbered(1, 5).map(record));
    expect(await readAll(second)).toEqual(numbered(3, 3));
    expect(second.isEmpty).toBe(true);
    expect(second.size).toBe(0);
    await second.close();
    expect(await segments()).toEqual(['1.log']);
    expect(problems()).toEqual([]);
  });

  it('begins new segments and removes finished ones', async () => {
    const queue = await openQueue({ maxFileSize: record('message 0').length * 3 });
    await queue.append(numbered(10).map(record));
    expect(await segments()).toEqual(['0.log', '1.log', '2.log', '3.log']);
    expect(await readAll(queue)).toEqual(numbered(10));
    await queue.close();
    expect(await segments()).toEqual(['3.log']);
    expect(checkpoint()).toBe(`3 ${record('message 9').length}`);
  });

  it('holds little more than what waits, however large a segment may be', async () => {
    const queue = await openQueue({ maxFileSize: 512 << 20 });
    const mebibyte = record('x'.repeat(1 << 20));
    const onDisk = async (): Promise<number> => (await segments()).reduce((sum, name) => sum + statSync(join(folder(), name)).size, 0);
    let most = 0;
    for (let i = 0; i < 60; i++) {
      await queue.append([mebibyte]);
      expect(await readAll(queue)).toHaveLength(1);
      most = Math.max(most, await onDisk());
    }
    expect(most).toBeLessThan(20 << 20);
    await queue.append(Array.from({ length: 40 }, () => mebibyte));
    expect(queue.size).toBe(40 * mebibyte.length);
    expect(await onDisk()).toBeLessThan(60 << 20);
    await queue.close();
  });

  it('has each record once when a segment could not be ended or begun at first', async () => {
    const queue = await openQueue({ maxFileSize: record('message 0').length * 3 });
    const handle = await openFile(folder(), 'r');
    await handle.close();
    vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync').mockRejectedValueOnce(new Error('ENOSPC'));
    let left = numbered(7).map(record);
    const append = (): Promise<void> => {
      const given = left;
      return queue.append(given, (count) => (left = left.slice(count)));
    };
    await expect(append()).rejects.toThrow('ENOSPC');
    expect(left).toHaveLength(4);
    writeFileSync(join(folder(), '1.log'), 'in the way');
    await expect(append()).rejects.toThrow('EEXIST');
    await rm(join(folder(), '1.log'));
    await append();
    expect(await readAll(queue)).toEqual(numbered(7));
    expect(problems()).toEqual([]);
  });

  it('makes room of what is delivered when the disk is full', async () => {
    const queue = await openQueue();
    await queue.append(numbered(5).map(record));
    const handle = await openFile(folder(), 'r');
    await handle.close();
    expect(await readAll(queue)).toEqual(numbered(5));
    vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'write').mockRejectedValueOnce(new Error('ENOSPC'));
    const write = QueueFolder.prototype.writeCheckpoint;
    vi.spyOn(QueueFolder.prototype, 'writeCheckpoint').mockImplementation(function (this: QueueFolder, cursor) {
      return existsSync(join(folder(), '0.log')) ? Promise.reject(new Error('ENOSPC')) : write.call(this, cursor);
    });
    await expect(queue.append([record('message 5')])).rejects.toThrow('ENOSPC');
    await expect.poll(segments).toEqual(['1.log']);
    await expect.poll(checkpoint).toBe('1 0');
    await queue.append([record('message 5')]);
    expect(await readAll(queue)).toEqual(['message 5']);
    expect(problems()).toEqual([]);
  });

  it('says once that its checkpoint cannot be written, and that it can be again', async () => {
    const queue = await openQueue();
    const refuse = vi
      .spyOn(QueueFolder.prototype, 'writeCheckpoint')
      .mockRejectedValue(Object.assign(new Error('EROFS'), { code: 'EROFS' }));
    for (const text of ['a', 'b']) {
      await queue.append([record(text)]);
      expect(await readAll(queue)).toEqual([text]);
    }
    await expect.poll(() => refuse.mock.calls.length).toBe(4);
    refuse.mockRestore();
    await queue.append([record('c')]);
    expect(await readAll(queue)).toEqual(['c']);
    await queue.close();
    const why = `messages may come again, for its checkpoint in ${folder()} cannot be written (EROFS); make its file system writable`;
    expect(problems()).toEqual([why, 'its checkpoint can be written again']);
  });

  it('takes a record that is longer than a segment', async () => {
    const queue = await openQueue({ maxFileSize: 20 });
    await queue.append(['a', 'b'.repeat(100), 'c'].map(record));
    expect(await segments()).toEqual(['0.log', '1.log', '2.log']);
    expect(await readAll(queue)).toEqual(['a', 'b'.repeat(100), 'c']);
  });

  it('says what is left in a folder()', async () => {
    expect(await bytesLeft(join(folder(), 'absent'))).toBe(0);
    const queue = await openQueue();
    await queue.append(numbered(2).map(record));
    await queue.close();
    expect(await bytesLeft(folder())).toBe(2 * record('message 0').length);
  });

  it('has room for what fits, and counts what waits', async () => {
    const one = record('message 0').length;
    const queue = await openQueue({ maxBufferSize: one * 4 });
    const records = numbered(6).map(record);
    expect(queue.room(records)).toBe(4);
    await queue.append(records.slice(0, 3));
    expect(queue.room(records)).toBe(1);
    expect(queue.fullness).toBe(0.75);
    const chunk = (await queue.read()) as QueueChunk;
    expect(queue.room(records)).toBe(1);
    await queue.acknowledge(chunk);
    expect(queue.room(records)).toBe(4);
    expect([records, [record('x'.repeat(one * 4))], records.slice(2)].map((some) => queue.isTooLarge(some))).toEqual([true, true, false]);
  });

  it.each<[string, string | null, string[], string]>([
    ['without a checkpoint at the lowest segment', null, ['4', '6', '7'], ''],
    ['at the checkpoint', `6 ${record('6').length}`, ['7'], ''],
    ['behind a segment that is gone', '5 400', ['6', '7'], ''],
    ['behind all of them', '9 10', [], ''],
    ['with a segment that is shorter than the checkpoint says', '6 999', ['7'], ''],
    ['at the lowest segment when the checkpoint is damaged', '6 x', ['4', '6', '7'], 'cannot be understood'],
  ])('begins %s', async (_title, cursor, wanted, said) => {
    for (const name of ['4', '6', '7']) writeFileSync(join(folder(), `${name}.log`), record(name));
    writeFileSync(join(folder(), 'notes.txt'), 'not mine');
    if (cursor !== null) writeFileSync(join(folder(), 'checkpoint.txt'), cursor);
    const queue = await openQueue();
    expect(await readAll(queue)).toEqual(wanted);
    expect(queue.size).toBe(0);
    if (said === '') expect(problems()).toEqual([]);
    else expect(problems().join()).toContain(said);
    await queue.append([record('new')]);
    expect(await readAll(queue)).toEqual(['new']);
    expect(existsSync(join(folder(), 'notes.txt'))).toBe(true);
  });

  it('passes over what is damaged, and says so', async () => {
    const first = await openQueue({ maxFileSize: 2000 });
    await first.append(numbered(200).map(record));
    await first.close();
    const path = join(folder(), '1.log');
    const bytes = readFileSync(path);
    const length = record('message 110').length;
    bytes.fill(0xff, 10, 10 + length);
    writeFileSync(path, bytes);
    const last = (await segments()).at(-1) as string;
    truncateSync(join(folder(), last), readFileSync(join(folder(), last)).length - 3);
    const second = await openQueue({ maxFileSize: 2000 });
    const found = await readAll(second);
    expect(found).toHaveLength(200 - 2 - 1);
    expect(
      numbered(200)
        .filter((text) => !found.includes(text))
        .at(-1),
    ).toBe('message 199');
    expect(problems()).toEqual([
      expect.stringMatching(/^\d+ bytes of .*1\.log are not a whole record: the file is damaged/) as string,
      expect.stringMatching(/are not a whole record: the last record was not written to its end/) as string,
    ]);
    expect(second.size).toBe(0);
  });

  it('goes on with the next segment when one is gone', async () => {
    const first = await openQueue({ maxFileSize: 100 });
    await first.append(numbered(12).map(record));
    await first.close();
    const second = await openQueue({ maxFileSize: 100 });
    await rm(join(folder(), '1.log'));
    const found = await readAll(second);
    expect(found.length).toBeGreaterThan(5);
    expect(found.at(-1)).toBe('message 11');
    expect(second.size).toBe(0);
  });

  it('writes the checkpoint after more than so many messages', async () => {
    const queue = await openQueue({ cursorUpdateCount: 5 });
    for (let i = 0; i < 6; i++) {
      await queue.append([record(`${i}`)]);
      await queue.acknowledge((await queue.read()) as QueueChunk);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(existsSync(join(folder(), 'checkpoint.txt'))).toBe(i === 5);
    }
  });

  it('notes what is delivered of a chunk, record by record', async () => {
    const queue = await openQueue();
    await queue.append(numbered(5).map(record));
    const chunk = (await queue.read()) as QueueChunk;
    const size = record('message 0').length;
    for (const count of [1, 3, 3, 2]) await queue.acknowledge(chunk, count);
    expect([checkpoint(), queue.size]).toEqual([`0 ${3 * size}`, 2 * size]);
    await queue.acknowledge(chunk);
    expect([checkpoint(), queue.size, queue.isEmpty]).toEqual([`0 ${5 * size}`, 0, true]);
  });

  it.each<[title: string, mark: (size: number) => string, left: string[], saved: (size: number) => string]>([
    ['ahead of the checkpoint', (size) => `0 ${3 * size}`, numbered(2, 3), (size) => `0 ${3 * size}`],
    ['behind the checkpoint', () => '0 0', numbered(4, 1), (size) => `0 ${size}`],
    ['behind the end of its segment', (size) => `0 ${9 * size}`, numbered(4, 1), (size) => `0 ${size}`],
    ['in a segment that is not there', () => '7 0', numbered(4, 1), (size) => `0 ${size}`],
    ['that is none', () => 'nonsense', numbered(4, 1), (size) => `0 ${size}`],
  ])("goes on at its reader's own mark: %s", async (_title, mark, left, saved) => {
    const size = record('message 0').length;
    const first = await openQueue();
    await first.append(numbered(5).map(record));
    await first.acknowledge((await first.read()) as QueueChunk, 1);
    await first.close();
    const second = await openQueue({ delivered: mark(size) });
    expect(checkpoint()).toBe(saved(size));
    expect(await readAll(second, left.length)).toEqual(left);
  });

  it('delivers everything once and in order, however it is written, read and closed', async () => {
    const step = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 40 }), isKnown: fc.boolean() }),
      fc.constant('read' as const),
      fc.constant('reopen' as const),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 20, max: 600 }),
        fc.nat(3000),
        async (steps, maxFileSize, recentBytes) => {
          await rm(folder(), { recursive: true, force: true });
          let queue = await openQueue({ maxFileSize, recentBytes });
          let appended = 0;
          const delivered: string[] = [];
          for (const next of steps) {
            if (next === 'reopen') {
              await queue.close();
              queue = await openQueue({ maxFileSize, recentBytes });
            } else if (next === 'read') {
              delivered.push(...(await readAll(queue)));
            } else {
              const sent = numbered(next.append, appended);
              const known = { messages: sent.map((text) => Buffer.from(text)), path: { loop: 0, injected: false }, of: null, from: 0 };
              await queue.append(sent.map(record), undefined, next.isKnown ? known : undefined);
              appended += next.append;
            }
          }
          delivered.push(...(await readAll(queue)));
          expect(delivered).toEqual(numbered(appended));
          await queue.close();
        },
      ),
      { numRuns: 40 },
    );
  });
});
