import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PlainFile } from '../../../../engine/cli/view/plain-file.ts';
import { readInputs } from '../../../../engine/cli/message-source.ts';
import { textAt } from '../../../../engine/message/batch/batch.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-plain-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TEXT = 'alpha\nbeta\ngamma\n';

async function linesFrom(at: number, bytes?: number): Promise<string[]> {
  const path = join(folder, 'a.log');
  writeFileSync(path, TEXT);
  await using file = (await PlainFile.open(path)) ?? expect.fail('it is plain');
  const lines: string[] = [];
  for await (const { batch } of readInputs(file.from(at, bytes), {
    form: 'lines',
    split: { kind: 'line' },
    signal: new AbortController().signal,
  }))
    for (let row = 0; row < batch.length; row++) lines.push(textAt(batch.payload, row) ?? '');
  return lines;
}

test.each([
  [0, ['alpha', 'beta', 'gamma']],
  [1, ['beta', 'gamma']],
  [6, ['beta', 'gamma']],
  [7, ['gamma']],
  [TEXT.length, []],
])('the lines that begin at byte %i or behind it', async (at, lines) => {
  expect(await linesFrom(at)).toEqual(lines);
});

test('what is read from its beginning alone is none', async () => {
  const files = { 'a.gz': gzipSync(TEXT), 'wide.log': Buffer.from(`\ufeff${TEXT}`, 'utf16le') };
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(folder, name), bytes);
    expect([name, await PlainFile.open(join(folder, name))]).toEqual([name, null]);
  }
  expect(await PlainFile.open(join(folder, 'missing.log'))).toBeNull();
  expect(await PlainFile.open('-')).toBeNull();
});

test('of a file that is followed, whole lines are read, as far as it went', async () => {
  const path = join(folder, 'a.log');
  writeFileSync(path, `${TEXT}del`);
  await using file = (await PlainFile.open(path, { wholeLines: true })) ?? expect.fail('it is plain');
  expect(file.size).toBe(TEXT.length);
  writeFileSync(path, `${TEXT}delta\n`);
  let text = '';
  for await (const piece of file.from(0).bytes()) text += String(piece);
  expect(text).toBe(TEXT);
});
