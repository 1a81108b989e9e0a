import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { makeSplitter, type SplitOptions } from '../../../../engine/inputs/splitters/index.ts';
import { WholeRecordsFile, type WholeRecords } from '../../../../engine/workspace/sources/whole-records.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-whole-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Cut = (from: number, to: number, begins?: boolean, ends?: boolean) => Promise<WholeRecords>;

/** Does some work on a file. @param agoMs milliseconds since it was written */
async function withFile<T>(content: string | Buffer, agoMs: number, work: (file: WholeRecordsFile | null) => Promise<T>): Promise<T> {
  const path = join(folder, 'a.log');
  writeFileSync(path, content);
  const written = (Date.now() - agoMs) / 1000;
  utimesSync(path, written, written);
  const handle = await open(path);
  try {
    return await work(await WholeRecordsFile.of(handle));
  } finally {
    await handle.close();
  }
}

const cutter = (file: WholeRecordsFile, split: SplitOptions): Cut => {
  const splitter = makeSplitter(split);
  return (from, to, begins = false, ends = false) => file.cut(splitter, { from, to }, begins, ends);
};

const records = ({ cuts }: WholeRecords): [at: number, text: string][] =>
  cuts.flatMap(({ piece: { payload }, starts }) =>
    starts.map<[number, string]>((at, i) => [at, payload.text.slice(payload.starts[i], payload.ends[i])]),
  );

const LINES: SplitOptions = { kind: 'line' };
const DATED: SplitOptions = { kind: 'regex', pattern: String.raw`(?:^|\n)(\d\d:\d\d )`, delimiterEol: false };
const PARAGRAPHS: SplitOptions = { kind: 'regex', pattern: String.raw`\n\n` };
const LONG_AGO = 60_000;

describe('records that are whole in a range of a file', () => {
  it.each([
    ['lines', LINES],
    ['records that begin with a time', DATED],
    ['paragraphs', PARAGRAPHS],
  ])('are those of the whole file: %s', async (_what, split) => {
    const content = Array.from({ length: 400 }, (_, i) => {
      const more = Array.from({ length: (i * 7919) % 5 }, (_unused, at) => `\n  at é ${at} 10:11 x`).join('');
      return `10:${10 + (i % 50)} message ${i}${'ü'.repeat((i * 31) % 40)}${more}`;
    }).join('\n\n');
    await withFile(content, LONG_AGO, async (file) => {
      const { size } = file as WholeRecordsFile;
      const cut = cutter(file as WholeRecordsFile, split);
      const all = records(await cut(0, size, true, true));
      const starts = all.map(([at]) => at);
      expect(all.length).toBeGreaterThan(390);
      const place = fc.record({ from: fc.nat({ max: size - 1 }), length: fc.nat({ max: 4000 }), to: fc.nat({ max: all.length - 1 }) });
      await fc.assert(
        fc.asyncProperty(place, async ({ from, length, to }) => {
          // Nothing is torn at either side, and nothing is left out between.
          const end = Math.min(size, from + length);
          const found = records(await cut(from, end));
          const first = found.length === 0 ? 0 : starts.indexOf((found[0] as [number, string])[0]);
          expect(found).toEqual(all.slice(first, first + found.length));
          if (found.length > 0) expect(starts.filter((at) => at > from && at < (found[0] as [number, string])[0]).length).toBeLessThan(3);
          // Up to a record, and from one on.
          const known = starts[to] as number;
          const before = records(await cut(Math.max(0, known - length), known, known <= length, true));
          expect(before).toEqual(all.slice(to - before.length, to));
          const behind = records(await cut(known, Math.min(size, known + length), true));
          expect(behind).toEqual(all.slice(to, to + behind.length));
        }),
      );
    });
  });

  it('have the last one without its end, unless it may be written just now', async () => {
    const last = (agoMs: number): Promise<unknown> =>
      withFile('one\ntwo\nthr', agoMs, async (file) => {
        const found = await cutter(file as WholeRecordsFile, LINES)(0, 11, true, true);
        return [records(found).map(([, text]) => text), found.end];
      });
    expect(await last(LONG_AGO)).toEqual([['one', 'two', 'thr'], 11]);
    // A clock of another machine may be ahead.
    expect(await last(-LONG_AGO)).toEqual([['one', 'two', 'thr'], 11]);
    // A minute is not over while this is tried.
    const now = Date.now;
    Date.now = () => now() - LONG_AGO;
    try {
      expect(
        await withFile('one\ntwo\nthr', 0, async (file) => (await cutter(file as WholeRecordsFile, LINES)(0, 11, true, true)).end),
      ).toBe(8);
    } finally {
      Date.now = now;
    }
  });

  it('begin behind the byte order mark', async () => {
    await withFile('\uFEFFone\ntwo\n', LONG_AGO, async (file) => {
      expect(file?.first).toBe(3);
      expect(records(await cutter(file as WholeRecordsFile, LINES)(3, 11, true, true))).toEqual([
        [3, 'one'],
        [7, 'two'],
      ]);
    });
  });

  it('are none of a range without the beginning of a line', async () => {
    await withFile(`one\n${'x'.repeat(500)}\ntwo\n`, LONG_AGO, async (file) => {
      expect(await cutter(file as WholeRecordsFile, LINES)(100, 300)).toEqual({ cuts: [], end: 100 });
    });
  });

  it.each([
    ['UTF-16', Buffer.from('\uFEFFone\n', 'utf16le')],
    ['a packed file', Buffer.from('1f8b0800000000000003', 'hex')],
    ['lines that end with CR', 'one\rtwo\rthree\r'],
  ])('are not told of %s', async (_what, content) => {
    expect(await withFile(content, LONG_AGO, (file) => Promise.resolve(file))).toBeNull();
  });
});
