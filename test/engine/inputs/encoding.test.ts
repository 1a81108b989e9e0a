import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { FileInput } from '../../../engine/inputs/file/file-input.ts';
import type { TextEncoding } from '../../../engine/inputs/probe.ts';
import { TestSink, temporaryFolder } from './harness.ts';
import { until } from '../../until.ts';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('a file whose encoding is given', () => {
  it.each<{ title: string; bytes: Buffer; encoding: TextEncoding; records: string[] }>([
    // Nothing in these bytes tells UTF-16.
    { title: 'UTF-16 of other scripts', bytes: Buffer.from('日本\n語\n', 'utf16le'), encoding: 'utf-16le', records: ['日本', '語'] },
    { title: 'UTF-16 with a mark', bytes: utf16be('\ufeffüber\nuns\n'), encoding: 'utf-16be', records: ['über', 'uns'] },
    { title: 'UTF-8 with a mark', bytes: Buffer.from('\ufeffüber\n'), encoding: 'utf-8', records: ['über'] },
    { title: 'UTF-8 with NUL in it', bytes: Buffer.from('a\0b\nc\n'), encoding: 'utf-8', records: ['a\0b', 'c'] },
  ])('is read so: $title', async ({ bytes, encoding, records }) => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.log'), bytes);
    const sink = new TestSink();
    const input = new FileInput({ name: 'in', paths: [folder.file('a.log')], follow: false, encoding });
    await input.start(sink);
    await until(() => sink.idles > 0, 'the end');
    await input.stop();
    expect(sink.payloads).toEqual(records);
  });
});
