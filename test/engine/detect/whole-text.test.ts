/** The promise of a log tool: for any bytes, the texts of all rows joined are the text of the file. */
import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import { partOf, rawText } from '../../../engine/store/segment.ts';
import { testMs } from '../../patience.ts';
import { sluicebox } from '../cli/run-cli.ts';
import { Engine } from '../workspace/engine-fixture.ts';

const SAMPLES = join(import.meta.dirname, '../../../resources/samples');

let engine: Engine;
beforeAll(() => {
  engine = new Engine(undefined, startSandboxes());
});
afterAll(() => engine.workspace.stop());

/** Line ends, blank lines and the holes of a file, which are read as NULs, are no part of a text. */
const withoutEnds = (text: string): string =>
  text
    .replaceAll('\0', '')
    .split(/[\r\n]+/)
    .filter((piece) => piece.trim() !== '')
    .join('');

/** The texts of all rows of the window. */
async function shownTexts(path: string): Promise<string[]> {
  const id = await engine.open(path);
  await engine.settled(id);
  const { store } = engine.workspace;
  const texts: string[] = [];
  for (const segment of store.segments) {
    const stored = await store.load(segment);
    const raw = rawText(stored);
    for (let row = 0; row < stored.length; row++) if (partOf(segment, row).source === id) texts.push(raw.at(row));
  }
  await engine.ask('source.close', { id });
  return texts;
}

/** Lines of all samples, the first hundred of each. */
const LINES = readdirSync(SAMPLES)
  .filter((name) => name.endsWith('.log'))
  .flatMap((name) => readFileSync(join(SAMPLES, name), 'utf8').split('\n').slice(0, 100));
const line = fc.constantFrom(...LINES);
const dump = fc.constantFrom(
  'panic: no more\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:7 +0x1d',
  'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no',
  'java.lang.Error: no\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException\n\t... 3 more',
);
const odd = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc.constantFrom('', '\0', '\u001b[31mred\u001b[0m', '\uFEFF{"a":1}', '{"a":', '# comment', 'a,b,c', '-', 'x'.repeat(70_000), '\t'),
);
const log = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 20 }),
    fc.array(fc.oneof(line, odd, odd, dump), { maxLength: 30 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([head, rest, end]) => Buffer.concat([...head, ...rest].flatMap((piece) => [Buffer.from(piece), Buffer.from(end)])));

it('the texts of all rows joined are the text of the file, and every command has these rows', { timeout: 8 * testMs() }, async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(log, async (bytes) => {
      const path = engine.file(`any${number++}.log`, bytes);
      const texts = await shownTexts(path);
      // Bytes that are no UTF-8 are read as Latin-1, line by line.
      const plain = isUtf8(bytes) ? (text: string) => text : (text: string) => text.replaceAll(/[^\n\r\x20-\x7e]/g, '');
      expect(withoutEnds(plain(texts.join('\n')))).toBe(withoutEnds(plain(bytes.toString())));
      const decoded = await sluicebox(['decode', path]);
      expect(decoded.lines().length).toBe(texts.length);
      const counted = await sluicebox(['query', '--format', 'csv', path, 'SELECT count(*) FROM messages']);
      expect(counted.out).toMatch(new RegExp(`\n${texts.length}\\r?\n`));
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
