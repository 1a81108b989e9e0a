import { afterAll, expect, test } from 'vitest';
import type { SandboxReport } from '../../../engine/sandbox/contract/types.ts';
import { batchOf, line, SandboxBench } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

/** Lines 2 to 8 of the script below. */
const SCRIPT = `
function spin(turns) {
  let n = 0;
  for (let i = 0; i < turns; i++) n += i;
  return n;
}
const twice = (n) => spin(n) + spin(n);
function process_message() { twice(100); if (read_message('Payload') === 'stop') while (true); return 0; }
function timer_event() { spin(7); }
`;

async function reportOf(payloads: readonly string[], profile: boolean, extension = '.js', source = SCRIPT): Promise<SandboxReport> {
  const sandbox = await bench.start(source, { extension, limits: { instructions: 10_000 }, profile });
  const { terminated } = await sandbox.process(batchOf(payloads.map(line)), null);
  if (terminated === null) await sandbox.timer(1n);
  const report = await sandbox.report();
  await sandbox.stop();
  return report;
}

const steps = ({ profile }: SandboxReport): Record<number, number> | undefined =>
  profile && Object.fromEntries(profile.map(({ line: at, steps: count }) => [at, count]));

test('says how many steps each line took', async () => {
  const report = await reportOf(['a', 'b'], true);
  expect(steps(report)).toEqual({ 2: 5, 4: 407, 7: 2, 8: 2, 9: 1 });
  expect(report.profile?.[0]).toMatchObject({ line: 4, file: expect.stringMatching(/\.js$/) as string });
  expect(report.timers).toBe(1);
});

test('is there for a module in TypeScript', async () => {
  const source = `export function process_message(): number {\n  for (const n of [1, 2, 3] as number[]) void n;\n  return 0;\n}\nexport function timer_event(): void {}\n`;
  const found = steps(await reportOf(['a'], true, '.ts', source));
  expect(found).toEqual({ 1: 1, 2: 3, 5: 1 });
});

test('and the use of instructions are there when the limit has ended the script', async () => {
  const report = await reportOf(['a', 'stop'], true);
  expect(report).toMatchObject({
    state: 'terminated',
    lastError: expect.stringMatching(/^exceeded instruction_limit of 10000 in /) as string,
  });
  expect(report.instructions.maximum).toBeGreaterThanOrEqual(10_000);
  expect(steps(report)?.[8]).toBeGreaterThan(9_000);
});

test('is not there unless it is wanted, and changes no count', async () => {
  const [without, profiled] = await Promise.all([reportOf(['a'], false), reportOf(['a'], true)]);
  expect(without.profile).toBeUndefined();
  expect(without.instructions).toEqual(profiled.instructions);
});
