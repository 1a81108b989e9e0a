import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Frame, OutgoingFrame } from '../../../../engine/sandbox/wire/frames.ts';
import { HostProcess, type HostCrash } from '../../../../engine/sandbox/hosts/host-process.ts';
import { SAVING, ToEngine } from '../../../../engine/sandbox/contract/protocol.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FRAMES = pathToFileURL(join(import.meta.dirname, '../../../../engine/sandbox/wire/frames.ts')).href;

/** Runs a host that sends these frames and ends with an error, and returns its crash. */
async function crashAfter(frames: readonly OutgoingFrame[], onFrame: (frame: Frame) => void = () => undefined): Promise<HostCrash> {
  const script = join(folder, `${Math.random()}.mjs`);
  const code = `import { writevSync } from 'node:fs';
import { encodeFrame } from ${JSON.stringify(FRAMES)};
for (const frame of ${JSON.stringify(frames)}) writevSync(4, encodeFrame(frame));
process.exit(1);`;
  writeFileSync(script, code);
  const command = { file: process.execPath, args: ['--disable-warning=ExperimentalWarning', script], env: {} };
  const host = new HostProcess(command, {
    prelude: () => '',
    startMs: 60_000,
    maxBytes: Infinity,
    allowanceOf: () => Infinity,
    graceMs: 0,
    patience: 1,
  });
  host.on('frame', onFrame);
  return new Promise((resolve) => host.once('crash', resolve));
}

const frame = (kind: number, box: number, call: number, head = ''): OutgoingFrame => ({ kind, box, call, head });
const begin = (box: number, call: number, head = ''): OutgoingFrame => frame(ToEngine.BEGIN, box, call, head);
const saved = (box: number, call: number): OutgoingFrame => frame(ToEngine.SAVED, box, call, '{}');

test.each<[string, OutgoingFrame[], number]>([
  ['at a call', [begin(7, 3)], 7],
  ['while a piece of what an input injects is taken', [begin(7, 3), frame(ToEngine.PARTIAL, 7, 3)], 7],
  ['after an input has asked something', [begin(7, 3), frame(ToEngine.REQUEST, 7, 3, '{}')], 7],
  ['after the state of an input became known in the middle of its call', [begin(7, 3), begin(7, 3, SAVING), saved(7, 3)], 7],
  ['after the last state of what is about to end', [begin(7, 3), begin(7, 3, SAVING), saved(7, 0)], 7],
  ['after the last report of what is about to end', [begin(7, 3), frame(ToEngine.REPORTED, 7, 0)], 7],
  ['after a call', [begin(7, 3), frame(ToEngine.RESULT, 7, 3)], 0],
  ['after a state that was asked for', [begin(7, 3, SAVING), saved(7, 3)], 0],
  ['after that of another', [begin(7, 3), frame(ToEngine.RESULT, 7, 3), begin(8, 3, SAVING), saved(8, 3)], 0],
])('a host that dies %s says whose fault it is', async (_when, frames, running) => {
  expect(await crashAfter(frames)).toMatchObject({ running, code: 1 });
});

test('only what a host has instrumented before its first script ran is taken, and it still serves the same call', async () => {
  const instrumented = (head: string): OutgoingFrame => frame(ToEngine.INSTRUMENTED, 7, 3, head);
  const taken: string[] = [];
  const crash = await crashAfter([begin(7, 3), instrumented('["ours"]'), instrumented('["forged"]')], ({ head }) => taken.push(head));
  expect(taken).toEqual(['["ours"]']);
  expect(crash.running).toBe(7);
});
