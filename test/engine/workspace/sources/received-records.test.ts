import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReceivedBatch } from '../../../../engine/workspace/sources/received-entries.ts';
import { ReceivedFolder, type ReceivedRecords } from '../../../../engine/workspace/sources/received-records.ts';
import { rawText, withRaw } from '../../../../engine/store/segment.ts';
import { linesBatch } from '../../store/fixtures.ts';

const SYSLOG = { kind: 'udp', location: '127.0.0.1:514' } as const;
let folder: string;
let said: (string | null)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-received-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The folder as the next process of the same number finds it. */
const newFolder = (): ReceivedFolder => new ReceivedFolder({ folder, onProblem: (text) => said.push(text) });

function received(...texts: readonly string[]): ReceivedBatch {
  const { batch, raw } = linesBatch(texts.map((text, i) => ({ at: 1000 + i, text })));
  const failures = texts.flatMap((text, row) => (text.startsWith('bad') ? [{ row, reason: 'bad' }] : []));
  const records = {
    batch,
    decoded: batch,
    raw,
    failures,
    origins: null,
    undecoded: 0,
    others: [0],
    input: { batch, firstLine: 0, acknowledge: () => undefined },
  };
  return { records, decoder: 'syslog' };
}

async function earlier(source: ReceivedRecords): Promise<{ texts: string[]; decoded: number[]; damaged: string[] }> {
  const all: ReceivedBatch[] = [];
  const damaged: string[] = [];
  for await (const batch of source.earlier((text) => damaged.push(text))) all.push(batch);
  const texts = all.flatMap(({ records: { batch, raw } }) => {
    const text = rawText(withRaw(batch, raw));
    return Array.from({ length: batch.length }, (_, row) => text.at(row));
  });
  return { texts, decoded: all.map(({ records }) => records.decoded.length), damaged };
}

describe('what live sources receive', () => {
  it('is there after a crash, for the same source alone, in order, through several crashes', async () => {
    for (const texts of [['one', 'bad two'], ['three'], []]) {
      const source = newFolder().of(SYSLOG);
      if (texts.length > 0) await source.add(received(...texts));
      await source.close({ keep: true });
    }
    expect(newFolder().of({ ...SYSLOG, kind: 'tcp' }).hasEarlier).toBe(false);
    const source = newFolder().of(SYSLOG);
    expect(await earlier(source)).toEqual({ texts: ['one', 'bad two', 'three'], decoded: [1, 1], damaged: [] });
    await source.close({ keep: false });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps what the window needs beside the records', async () => {
    const first = newFolder().of(SYSLOG);
    await first.add(received('one'));
    await first.close({ keep: true });
    for await (const { records, decoder } of newFolder()
      .of(SYSLOG)
      .earlier(() => undefined))
      expect({ decoder, others: records.others, undecoded: records.undecoded }).toEqual({ decoder: 'syslog', others: [0], undecoded: 0 });
  });

  it('leaves out an entry that was under way, and tells of a damaged one', async () => {
    const source = newFolder().of(SYSLOG);
    await source.add(received('one'));
    await source.add(received('two'));
    await source.close({ keep: true });
    const path = join(folder, readdirSync(folder)[0] as string);
    const whole = readFileSync(path);
    truncateSync(path, whole.length - 3);
    expect(await earlier(newFolder().of(SYSLOG))).toMatchObject({ texts: ['one'], damaged: [] });
    whole[whole.length - 3] = (whole[whole.length - 3] as number) ^ 1;
    writeFileSync(path, whole);
    expect(await earlier(newFolder().of(SYSLOG))).toMatchObject({ texts: ['one'], damaged: [expect.stringContaining('is damaged')] });
    appendFileSync(path, 'x'.repeat(40));
    expect((await earlier(newFolder().of(SYSLOG))).damaged).toHaveLength(1);
  });

  it('belongs to the process that writes it, as long as that runs', async () => {
    const source = newFolder().of(SYSLOG);
    await source.add(received('one'));
    await source.close({ keep: true });
    const name = readdirSync(folder)[0] as string;
    const foreign = name.replace(`-${process.pid}.`, `-${process.ppid}.`);
    renameSync(join(folder, name), join(folder, foreign));
    const next = newFolder();
    expect(next.of(SYSLOG).hasEarlier).toBe(false);
    next.sweep();
    expect(readdirSync(folder)).toEqual([foreign]);
  });

  it('is swept when its source was not opened again', async () => {
    const source = newFolder().of(SYSLOG);
    await source.add(received('one'));
    await source.close({ keep: true });
    const next = newFolder();
    const other = newFolder().of({ ...SYSLOG, location: 'of another process that ends meanwhile' });
    await other.add(received('two'));
    await other.close({ keep: true });
    next.of({ ...SYSLOG, location: 'elsewhere' });
    next.sweep();
    expect(readdirSync(folder)).toHaveLength(1);
    newFolder().sweep();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken also when it cannot be kept, which is told once, as is that it can again', async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder');
    const source = newFolder().of(SYSLOG);
    await source.add(received('one'));
    await source.add(received('two'));
    expect(said).toEqual([expect.stringContaining('cannot be written')]);
    rmSync(folder);
    mkdirSync(folder);
    await source.add(received('three'));
    expect(said).toEqual([expect.stringContaining('cannot be written'), null]);
    await source.close({ keep: true });
    expect((await earlier(newFolder().of(SYSLOG))).texts).toEqual(['three']);
  });
});
