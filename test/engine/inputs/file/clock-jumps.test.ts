import { appendFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { afterEach, expect, it, test, vi } from 'vitest';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import { Tail } from '../../../../engine/inputs/file/tail.ts';
import { until } from '../../../until.ts';
import { temporaryFolder, TestSink } from '../harness.ts';

const HOUR = 3_600_000;
const DECADE = 10 * 365 * 24 * HOUR;

afterEach(() => void vi.useRealTimers());

test.each([
  ['an hour ahead', HOUR],
  ['an hour back', -HOUR],
  ['ten years ahead', DECADE],
  ['ten years back', -DECADE],
])('a line without its end is delivered in its time when the clock is set %s', async (_what, jump) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const start = Date.now();
  await using folder = await temporaryFolder();
  const log = folder.file('a.log');
  await writeFile(log, 'whole\nopen');
  const sink = new TestSink();
  const input = new FileInput({ name: 'test', paths: [log], pollMs: 50, flushMs: 300 });
  await input.start(sink);
  await until(() => sink.payloads.length === 1);
  vi.setSystemTime(start + jump);
  const jumped = performance.now();
  await until(() => sink.payloads.length === 2, 'the open line');
  if (jump > 0) expect(performance.now() - jumped).toBeGreaterThan(100);
  expect(sink.payloads).toEqual(['whole', 'open']);
  await input.stop();
});

it('files that vanish are told and those that come back are read when the clock is set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await using folder = await temporaryFolder();
  const log = folder.file('a.log');
  await writeFile(log, 'one\n');
  const sink = new TestSink();
  const input = new FileInput({ name: 'test', paths: [log], pollMs: 20, flushMs: 100 });
  await input.start(sink);
  await until(() => sink.payloads.length === 1);
  await rename(log, folder.file('elsewhere'));
  vi.setSystemTime(Date.now() - DECADE);
  await until(() => sink.codes.includes('file.vanished'));
  await writeFile(log, 'two\n');
  await until(() => sink.payloads.length === 2);
  await appendFile(log, 'three\n');
  await until(() => sink.payloads.length === 3);
  await input.stop();
});

it('a file is as old as the clock has it that was set back since', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  await using folder = await temporaryFolder();
  const log = folder.file('a.log');
  await writeFile(log, 'one\n');
  const noon = Date.parse('2026-06-01T12:00:00Z');
  vi.setSystemTime(noon);
  await utimes(log, noon / 1000 - 60, noon / 1000 - 60);
  const tail = new Tail(log, log, await stat(log, { bigint: true }));
  const settled = (): string => new Date(Number(tail.settledNs / 1_000_000n)).toISOString();
  expect(settled()).toBe('2026-06-01T12:00:00.000Z');
  vi.advanceTimersByTime(10_000);
  expect(settled()).toBe('2026-06-01T12:00:00.000Z');
  vi.setSystemTime(noon - HOUR);
  vi.advanceTimersByTime(5000);
  expect(settled()).toBe('2026-06-01T10:59:50.000Z');
  vi.setSystemTime(noon + HOUR);
  expect(settled()).toBe('2026-06-01T12:00:00.000Z');
});
