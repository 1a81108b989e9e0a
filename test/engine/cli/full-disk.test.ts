/** Output that cannot be written is no success, whatever was read. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { frame } from '../../../engine/message/protobuf/framing.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { cliMain, fileOf, sluicebox } from './run-cli.ts';

const FULL = '/dev/full';
const messages = fileOf('full.jsonl', '{"Payload":"a"}\n'.repeat(3));
const stream = fileOf('full.pb', frame(encodeMessage({ uuid: new Uint8Array(16), timestamp: 1n, payload: 'a', fields: [] })));
const script = fileOf('full.js', `function process_message() { inject_payload('txt', '', 'x'); return 0; }\n`);

it
  .runIf(existsSync(FULL))
  .each<{ args: string[] }>([
    { args: ['decode', script, messages] },
    { args: ['filter', script, messages] },
    { args: ['encode', 'plain_text', messages] },
    { args: ['cat', stream] },
    { args: ['match', 'TRUE', messages] },
  ])('$args.0', async ({ args }) => {
  const full = openSync(FULL, 'w');
  const stdio = ['ignore', full, 'pipe'] as const;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliMain, ...args], { stdio: [...stdio] });
  closeSync(full);
  let err = '';
  child.stderr?.on('data', (data: Buffer) => (err += data.toString()));
  const code = await new Promise((done) => child.on('close', done));
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/^sluicebox: standard output cannot be written \(ENOSPC.*\); free some space.*\n$/) as string,
  });
});

it.runIf(existsSync(FULL))('inject into a file of a full disk names it', async () => {
  expect(await sluicebox(['inject', '--payload', 'a', FULL])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^sluicebox: \/dev\/full cannot be written \(ENOSPC.*\); free some space on its disk\n$/) as string,
  });
});
