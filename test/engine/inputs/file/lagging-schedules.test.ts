import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../soak/random.ts';
import { slowness } from '../../../patience.ts';
import { until } from '../../../until.ts';
import { temporaryFolder, TestSink } from '../harness.ts';
import { follow } from './follow.ts';

const ROTATIONS = 30;
const KEPT = 3;
const KINDS = ['rename', 'copytruncate', 'delayed gzip', 'recreate'] as const;

/** A log of which three rotated files are kept, in a folder that every kind of rotation may move. */
class Log {
  readonly path: string;
  readonly written: string[] = [];
  readonly #random: Random;

  constructor(path: string, random: Random) {
    this.path = path;
    this.#random = random;
    this.write();
  }

  write(): void {
    const count = Math.ceil(this.#random.between(1, 40));
    const records = Array.from({ length: count }, (_, i) => `record ${this.written.length + i} ${'.'.repeat(this.#random.between(0, 90))}`);
    this.written.push(...records);
    appendFileSync(this.path, records.map((record) => `${record}\n`).join(''));
  }

  rotate(kind: (typeof KINDS)[number]): void {
    const old = (i: number, end = ''): string => `${this.path}.${i}${end}`;
    for (const end of ['', '.gz']) {
      rmSync(old(KEPT, end), { force: true });
      for (let i = KEPT - 1; i > 0; i--) if (existsSync(old(i, end))) renameSync(old(i, end), old(i + 1, end));
    }
    if (kind === 'copytruncate') {
      copyFileSync(this.path, old(1));
      truncateSync(this.path);
    } else renameSync(this.path, old(1));
    if (kind !== 'recreate') appendFileSync(this.path, '');
    if (kind === 'delayed gzip' && existsSync(old(2))) {
      const { atime, mtime } = statSync(old(2));
      writeFileSync(old(2, '.gz'), gzipSync(readFileSync(old(2))));
      utimesSync(old(2, '.gz'), atime, mtime);
      rmSync(old(2));
    }
    this.write();
  }
}

/** Takes records more slowly than they are written, until it is to hurry. */
class SlowSink extends TestSink {
  hurries = false;
  override gate = async (): Promise<void> => {
    if (!this.hurries) await delay(30);
  };
}

describe('a log that is rotated in any way while its records are taken slowly', () => {
  for (const pattern of ['', '*'])
    for (const seed of [1, 2, 3])
      it(`is read once, but for what is told: seed ${seed}, ${pattern === '' ? 'its name' : 'a pattern'}`, async () => {
        await using folder = await temporaryFolder();
        const random = new Random(seed);
        const log = new Log(folder.file('app.log'), random);
        const sink = new SlowSink();
        await using run = await follow([`${log.path}${pattern}`], { pollMs: 20, flushMs: 50 }, sink);
        await until(() => sink.records.length > 0);
        const lost = (): number => run.input.figures()['LostFileBytes'] ?? 0;
        const bytes = (records: readonly string[]): number => records.reduce((sum, record) => sum + record.length + 1, 0);
        for (let i = 0; i < ROTATIONS; i++) {
          log.rotate(KINDS[Math.floor(random.between(0, KINDS.length))] as (typeof KINDS)[number]);
          // Each file is there for long enough to be seen.
          await delay(random.between(30, 70) * slowness());
        }
        sink.hurries = true;
        await until(
          () => bytes(sink.payloads) + lost() >= bytes(log.written),
          () =>
            `${bytes(log.written) - bytes(sink.payloads) - lost()} bytes; ${sink.codes.join(', ')}; ${JSON.stringify(run.input.files())}`,
        );
        await until(() => run.input.stats().totalBytes <= run.input.stats().bytes);
        const came = new Set(sink.payloads);
        expect(sink.payloads).toHaveLength(came.size);
        const missing = log.written.filter((record) => !came.has(record));
        expect(bytes(missing)).toBe(lost());
        expect(sink.codes.includes('file.lost')).toBe(missing.length > 0);
      });
});
