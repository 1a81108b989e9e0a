import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readState, type SavedScript } from '../../../../engine/sandbox/wire/preservation.ts';
import { ScriptCounters } from '../../../../engine/sandbox/calls/script-counters.ts';
import { StateFile } from '../../../../engine/sandbox/hosts/state-file.ts';
import type { SandboxSpec } from '../../../../engine/sandbox/contract/types.ts';

const state = (text: string): SavedScript => ({ head: { wide: false, version: null }, text: Buffer.from(text), block: new Uint8Array(0) });

it('a state that cannot be written leaves the old one whole, and is told once until it can be', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluicebox-state-'));
  const path = join(folder, 'a.data');
  const told: string[] = [];
  const spec = { name: 'a', preservation: path } as unknown as SandboxSpec;
  const file = new StateFile(spec, new ScriptCounters(), (_spec, problem) => told.push(problem));
  const write = async (text: string): Promise<string> => {
    file.write(state(text));
    await file.settled();
    return Buffer.from((await readState(path))?.text ?? []).toString();
  };
  try {
    expect(await write('one')).toBe('one');
    // In the way of the draft, as a full disk is.
    await mkdir(`${path}.tmp`);
    expect([await write('two'), await write('three')]).toEqual(['one', 'one']);
    await rm(`${path}.tmp`, { recursive: true });
    expect(await write('four')).toBe('four');
    expect(told).toEqual([
      expect.stringContaining(`cannot write the preserved data '${path}'`),
      expect.stringContaining('is written again'),
    ]);
    expect(await readdir(folder)).toEqual(['a.data']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
