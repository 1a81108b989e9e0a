import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FilePollingInput, type FilePollingInputOptions } from '../../../../engine/inputs/poll/file-polling-input.ts';
import { temporaryFolder, TestSink } from '../harness.ts';
import { until } from '../../../until.ts';

async function started(
  options: Partial<FilePollingInputOptions> & { readonly path: string },
): Promise<{ input: FilePollingInput; sink: TestSink }> {
  const input = new FilePollingInput({ name: 'poll', seconds: 1, hostname: 'box', ...options });
  const sink = new TestSink();
  await input.start(sink);
  return { input, sink };
}

describe.concurrent('a file that is read again and again', () => {
  it('is one message at each reading, with its path and the interval', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('stat');
    writeFileSync(path, 'one\ntwo\n');
    const { input, sink } = await started({ path });
    expect(sink.records).toEqual([]);
    const before = Date.now();
    await until(() => sink.records.length === 1, 'the first reading');
    const after = Date.now();
    writeFileSync(path, 'three');
    await until(() => sink.records.length === 2, 'the second one');
    await input.stop();
    expect(sink.payloads).toEqual(['one\ntwo\n', 'three']);
    const [first] = sink.batches;
    const { uuid: _uuid, timestamp, ...message } = first?.batch.message(0) ?? { uuid: null, timestamp: 0n };
    expect(message).toEqual({
      type: 'svc.file.polling',
      logger: 'poll',
      hostname: 'box',
      payload: 'one\ntwo\n',
      fields: [
        { name: 'TickerInterval', valueType: 2, values: [1n] },
        { name: 'FilePath', valueType: 0, values: [path] },
      ],
    });
    const at = Number(timestamp / 1_000_000n);
    expect([at >= before, at <= after]).toEqual([true, true]);
    expect(sink.idles).toBe(2);
    expect(input.stats()).toMatchObject({ records: 2, bytes: 13 });
  });

  it('is cut as it is told to, each record with the fields', async () => {
    await using folder = await temporaryFolder();
    writeFileSync(folder.file('stat'), 'a\nb\nc');
    const { input, sink } = await started({ path: folder.file('stat'), split: { kind: 'line' } });
    await until(() => sink.records.length === 3, 'the lines');
    await input.stop();
    expect(sink.payloads).toEqual(['a', 'b', 'c']);
    expect(sink.batches[0]?.batch.message(1).fields.map(({ values }) => values)).toEqual([[1n], [folder.file('stat')]]);
  });

  it.runIf(process.platform === 'linux')('of the kernel has no size and arrives whole', async () => {
    const { input, sink } = await started({ path: '/proc/stat' });
    await until(() => sink.records.length === 1, 'the reading');
    await input.stop();
    expect(sink.payloads[0]).toMatch(/^cpu {2}\d[\s\S]*\nsoftirq [\d ]+\n$/);
  });

  it('larger than one read arrives whole', async () => {
    await using folder = await temporaryFolder();
    const text = '0123456789abcdeé\n'.repeat(20_000);
    writeFileSync(folder.file('large'), text);
    const { input, sink } = await started({ path: folder.file('large') });
    await until(() => sink.records.length === 1, 'the reading');
    await input.stop();
    expect(sink.payloads[0] === text).toBe(true);
  });

  it('that is empty is not a message', async () => {
    await using folder = await temporaryFolder();
    writeFileSync(folder.file('empty'), '');
    const { input, sink } = await started({ path: folder.file('empty') });
    await until(() => sink.idles === 1, 'the reading');
    await input.stop();
    expect([sink.records, sink.notices]).toEqual([[], []]);
  });

  it('that is not there is told once, and read when it comes', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('late');
    const { input, sink } = await started({ path });
    await until(() => sink.idles === 2, 'two readings');
    expect(sink.notices).toEqual([
      { level: 'warning', code: 'file.missing', text: `${path} does not exist. Check the name and the folder.` },
    ]);
    writeFileSync(path, 'now');
    await until(() => sink.records.length === 1, 'the file');
    expect(sink.codes).toEqual(['file.missing', 'file.readable']);
    rmSync(path);
    await until(() => sink.notices.length === 3, 'the end of it');
    await input.stop();
    expect(sink.codes.at(-1)).toBe('file.missing');
  });

  it.each<[string, string, (path: string) => void]>([
    ['a folder', 'file.directory', (path) => mkdirSync(path)],
    ['a pipe that nobody writes to', 'file.special', (path) => execFileSync('mkfifo', [path])],
  ])('that is %s is told, and does not hold up the stop', async (_title, code, make) => {
    await using folder = await temporaryFolder();
    make(folder.file('odd'));
    const { input, sink } = await started({ path: folder.file('odd') });
    await until(() => sink.idles === 1, 'the reading');
    await input.stop();
    expect(sink.codes).toEqual([code]);
  });

  it('can be started again after its stop', async () => {
    await using folder = await temporaryFolder();
    writeFileSync(folder.file('stat'), readFileSync(import.meta.filename));
    const { input, sink } = await started({ path: folder.file('stat') });
    await input.stop();
    await input.start(sink);
    await until(() => sink.records.length === 1, 'a reading');
    await input.stop();
  });
});

// Not among the others: the clock is that of the whole process.
it('waits for a pipeline that is busy, and leaves out the readings meanwhile', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(folder.file('stat'), 'x');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { input, sink } = await started({ path: folder.file('stat') });
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  sink.gate = () => {
    waiting++;
    return gate.promise;
  };
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => waiting === 1, 'the reading');
  await vi.advanceTimersByTimeAsync(5000);
  expect(waiting).toBe(1);
  gate.resolve();
  await until(async () => (await vi.advanceTimersByTimeAsync(100), sink.records.length >= 2), 'the next one');
  await input.stop();
});
