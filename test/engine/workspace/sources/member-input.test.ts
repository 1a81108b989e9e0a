import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { MemberInput } from '../../../../engine/workspace/sources/member-input.ts';
import { tarOf } from '../../inputs/archive/make-archives.ts';
import { packed, TEXT } from '../../inputs/packed/fixtures.ts';
import { TestSink } from '../../inputs/harness.ts';
import { until } from '../../../until.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-member-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'logs.tar');
writeFileSync(
  path,
  tarOf([
    { name: 'a.log.xz', text: packed('xz') },
    { name: 'cut.log.lz4', text: packed('lz4').subarray(0, -2) },
  ]),
);

async function read(name: string): Promise<{ sink: TestSink; input: MemberInput }> {
  const sink = new TestSink();
  const input = new MemberInput('in', `${path}/${name}`, { kind: 'line' });
  await input.start(sink);
  await until(() => sink.idles > 0, 'the end of the log');
  return { sink, input };
}

it('a log in an archive is read once, under the name of its input', async () => {
  const { sink, input } = await read('a.log.xz');
  expect(sink.payloads).toEqual(TEXT.toString().trimEnd().split('\n'));
  expect(sink.codes).toEqual([]);
  const size = packed('xz').length;
  expect(input.stats()).toEqual({ records: 40, bytes: size, dropped: 0, totalBytes: size });
  await input.stop();
});

it('what is wrong with it is a notice, behind what could be read', async () => {
  const cut = await read('cut.log.lz4');
  expect(cut.sink.payloads).toHaveLength(40);
  expect(cut.sink.codes).toEqual(['file.damaged']);
  expect((await read('none.log')).sink.codes).toEqual(['file.missing']);
});
