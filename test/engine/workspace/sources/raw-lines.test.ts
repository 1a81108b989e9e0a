import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawLines } from '../../../../engine/api/types.ts';
import { rawLines } from '../../../../engine/workspace/sources/raw-lines.ts';
import fc from 'fast-check';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'sluicebox-raw-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const END = Number.MAX_SAFE_INTEGER;

function file(content: string | Uint8Array): string {
  const path = join(folder, 'a.log');
  writeFileSync(path, content);
  return path;
}

async function read(content: string | Uint8Array, at: number, before: number, count: number): Promise<RawLines | null> {
  return rawLines(file(content), { at, before, count });
}

const texts = (lines: RawLines | null): string[] | undefined => lines?.lines.map(({ text }) => text);

describe('lines of a file as they stand in it', () => {
  it('begin with the line that holds the byte', async () => {
    expect(await read('one\ntwo\nthree\n', 0, 0, 2)).toEqual({
      size: 14,
      end: 8,
      lines: [
        { at: 0, text: 'one' },
        { at: 4, text: 'two' },
      ],
    });
    for (const at of [4, 5, 6, 7]) expect((await read('one\ntwo\nthree\n', at, 0, 1))?.lines).toEqual([{ at: 4, text: 'two' }]);
  });

  it('are the last ones from the end on, whole or not', async () => {
    expect(texts(await read('one\ntwo\nthree\n', END, 2, 2))).toEqual(['two', 'three']);
    expect(texts(await read('one\ntwo\nthr', END, 2, 2))).toEqual(['two', 'thr']);
    expect(texts(await read('one\ntwo\n', END, 100, 100))).toEqual(['one', 'two']);
    expect(await read('', END, 5, 5)).toEqual({ size: 0, end: 0, lines: [] });
  });

  it('come without line ends and byte order mark, in the text that the records have', async () => {
    expect(texts(await read('\uFEFFone\r\n\r\nthree\r\n', 0, 0, 5))).toEqual(['one', '', 'three']);
    expect(texts(await read(Buffer.from('Z\xfcrich\nb\n', 'latin1'), 0, 0, 5))).toEqual(['Zürich', 'b']);
  });

  it('may be longer than what is read at once', async () => {
    const long = 'x'.repeat(200_000);
    const content = `a\n${long}\nb\n`;
    expect(texts(await read(content, 100_000, 1, 3))).toEqual(['a', 'x'.repeat(8 << 10), 'b']);
    expect((await read(content, END, 2, 1))?.lines[0]?.at).toBe(2);
  });

  it('of a line without end are shown in pieces', async () => {
    const content = 'y'.repeat(9 << 20);
    const found = await read(content, 5 << 20, 0, 3);
    expect(found?.lines).toHaveLength(1);
    expect(found?.end).toBeGreaterThanOrEqual(5 << 20);
  });

  it('are none of packed files, UTF-16, patterns and what is gone', async () => {
    expect(await read(gzipSync('one\n'), 0, 0, 1)).toBeNull();
    expect(await read(Buffer.from('\uFEFFone\n', 'utf16le'), 0, 0, 1)).toBeNull();
    expect(await rawLines(join(folder, '*.log'), { at: 0, before: 0, count: 1 })).toBeNull();
    expect(await rawLines(join(folder, 'missing.log'), { at: 0, before: 0, count: 1 })).toBeNull();
    expect(await rawLines(folder, { at: 0, before: 0, count: 1 })).toBeNull();
  });

  it('are those that a cut of the whole text gives, at any byte', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${'é'.repeat((i * 7919) % 61)}`);
    const content = Buffer.from(`${lines.join('\n')}\n`);
    const starts = [0];
    for (let at = content.indexOf(10); at !== -1 && at + 1 < content.length; at = content.indexOf(10, at + 1)) starts.push(at + 1);
    const path = file(content);
    const place = fc.record({
      at: fc.nat({ max: content.length - 1 }),
      before: fc.nat({ max: 80 }),
      count: fc.integer({ min: 1, max: 80 }),
    });
    await fc.assert(
      fc.asyncProperty(place, async ({ at, before, count }) => {
        const first = Math.max(0, starts.findLastIndex((start) => start <= at) - before);
        const found = await rawLines(path, { at, before, count });
        expect(texts(found)).toEqual(lines.slice(first, first + count));
        expect(found?.lines.map((line) => line.at)).toEqual(starts.slice(first, first + count));
      }),
    );
  });
});
