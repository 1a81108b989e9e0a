import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { commandSandboxes } from '../../../engine/cli/command-sandboxes.ts';
import { FileDecoders } from '../../../engine/cli/file-decoders.ts';
import { FollowedFiles, PLAIN } from '../../../engine/cli/followed-files.ts';
import { Output } from '../../../engine/cli/output.ts';
import { textAt } from '../../../engine/message/batch/batch.ts';
import { temporaryFolder } from '../inputs/harness.ts';

const DECODING = { name: null, settings: {}, scripts: null, quiet: true, onlyDecoded: false, strict: false };
const entry = (msg: string): string => `time=2026-11-20T10:00:00Z level=info msg=${msg}\n`;

it('gives what comes to the files of a folder, behind what was read, with their decoders', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('logs/a.log');
  await mkdir(folder.file('logs'));
  await writeFile(file, entry('old'));
  const stop = new AbortController();
  const context = { out: new Output(process.stdout), complain: expect.fail, signal: stop.signal };
  const followed = new FollowedFiles(new FileDecoders(commandSandboxes(), DECODING, context), context);
  followed.wasRead(file, entry('old').length, PLAIN);
  await appendFile(file, entry('more'));
  await writeFile(folder.file('logs/b.log'), entry('new'));
  const came: string[] = [];
  for await (const round of followed.rounds([folder.file('logs')])) {
    for (const { name, chunk, started } of round)
      came.push([name.replace(folder.file('logs/'), ''), started.decoder?.[0].name ?? 'none', textAt(chunk.batch.payload, 0)].join(': '));
    if (came.length === 2) stop.abort();
  }
  expect(came.sort()).toEqual(['a.log', 'b.log'].map((name, at) => `${name}: logfmt: ${entry(['more', 'new'][at] as string).trimEnd()}`));
});
