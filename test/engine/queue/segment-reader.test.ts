import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { encodeRecord } from '../../../engine/queue/record.ts';
import { SegmentReader } from '../../../engine/queue/segment-reader.ts';
import { QueueFolder } from '../../../engine/queue/segments.ts';

const record = (text: string): Buffer => Buffer.from(encodeRecord(Buffer.from(text), { loop: 0, injected: false }));
const JUNK = Buffer.from('junk');

let folder: QueueFolder;
let reader: SegmentReader;
beforeEach(() => {
  folder = new QueueFolder(mkdtempSync(join(tmpdir(), 'sluicebox-reader-')));
  reader = new SegmentReader(folder, { segment: 0, offset: 0 });
});
afterEach(async () => {
  await reader.close();
  rmSync(folder.path, { recursive: true, force: true });
});

function write(segment: number, ...parts: readonly Buffer[]): number {
  const bytes = Buffer.concat(parts);
  writeFileSync(folder.segmentPath(segment), bytes);
  return bytes.length;
}

async function read(end: number) {
  const { records, skipped, torn, bytes, cursor } = await reader.read(end);
  return { texts: records.map(({ message }) => Buffer.from(message).toString()), skipped, torn, bytes, cursor };
}

it('reads the records up to an end', async () => {
  const [a, b] = [record('a'), record('b')];
  const end = write(0, a, b);
  expect(await read(a.length)).toEqual({ texts: ['a'], skipped: 0, torn: 0, bytes: a.length, cursor: { segment: 0, offset: a.length } });
  expect(await read(end)).toMatchObject({ texts: ['b'], bytes: b.length, cursor: { segment: 0, offset: end } });
  expect(await read(end)).toMatchObject({ texts: [], bytes: 0, cursor: reader.cursor });
});

it('skips what is no record', async () => {
  const end = write(0, JUNK, record('a'), JUNK, record('b'));
  expect(await read(end)).toMatchObject({ texts: ['a', 'b'], skipped: 2 * JUNK.length, torn: 0, bytes: end });
});

it('says how much of a record is torn at the end', async () => {
  const torn = record('torn').subarray(0, -1);
  const end = write(0, record('a'), torn);
  expect(await read(end)).toMatchObject({ texts: ['a'], skipped: 0, torn: torn.length, cursor: { segment: 0, offset: end } });
});

it('reads a record that is longer than what it reads at once', async () => {
  const text = 'x'.repeat(600_000);
  const end = write(0, record('a'), record(text));
  const found: string[] = [];
  while (reader.cursor.offset < end) found.push(...(await read(end)).texts);
  expect(found).toEqual(['a', text]);
});

it('goes on in a later segment, or behind what is known', async () => {
  const first = record('a');
  const end = write(3, first, record('b'));
  await reader.moveTo(3);
  expect(reader.cursor).toEqual({ segment: 3, offset: 0 });
  reader.passOver({ segment: 3, offset: first.length });
  expect((await read(end)).texts).toEqual(['b']);
});

it('there is no such segment', async () => expect(reader.read(1)).rejects.toMatchObject({ code: 'ENOENT' }));
