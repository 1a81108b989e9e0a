import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { SandboxBench } from '../harness.ts';

const ROOT = join(import.meta.dirname, '../../../..');

const bench = new SandboxBench();
afterAll(() => bench.close());

/** Decodes by a script that does not end, with a limit of an hour. */
const program = (script: string): string => `
import { writeSync } from 'node:fs';
import { batchOf } from '${ROOT}/engine/message/batch/builder.ts';
import { HereSeat } from '${ROOT}/engine/sandbox/ours/here-seat.ts';
import { ownSession } from '${ROOT}/engine/sandbox/ours/seated.ts';
import { scriptCode } from '${ROOT}/engine/sandbox/ours/script-code.ts';
import { DEFAULT_LIMITS } from '${ROOT}/engine/sandbox/contract/types.ts';

const limits = { ...DEFAULT_LIMITS, callMs: 3_600_000 };
const spec = { name: 'endless', kind: 'decoder', script: ${JSON.stringify(script)}, config: {}, limits, stateless: true };
const sandbox = ownSession(spec, () => Promise.reject(new Error('no sandbox was to start')));
sandbox.sit(new HereSeat(sandbox, { code: scriptCode(spec.script, () => true), interruptible: true }));
process.on('SIGINT', () => writeSync(1, 'heard '));
const record = { uuid: new Uint8Array(16), timestamp: 0n, payload: 'x', fields: [] };
const decoded = sandbox.process(batchOf([record]), null);
writeSync(1, 'begun ');
await decoded.catch((error) => writeSync(1, error.name === 'Error' ? error.message : error.name));
process.exit(0);
`;

it.skipIf(process.platform === 'win32')('an interrupt ends a decoder that runs in the process, and is heard', async () => {
  const script = bench.file('endless.ts', 'export function process_message() { for (;;); }');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program(script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  const closed = once(child, 'close').then(() => true);
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  await expect.poll(() => out, { timeout: 30_000 }).toContain('begun');
  // One that comes before the script runs is heard when it has ended, as one at a terminal that comes too early.
  while (!(await Promise.race([closed, delay(50)]))) child.kill('SIGINT');
  expect(out).toMatch(/^begun (heard )+InterruptedError$/);
});
