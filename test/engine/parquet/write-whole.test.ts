import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeDrafts, writeWhole } from '../../../engine/parquet/write-whole.ts';

const MODULE = join(import.meta.dirname, '../../../engine/parquet/write-whole.ts');
const HOUR = 3_600_000;
let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-drafts-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The draft that a process leaves which is killed while it writes. */
async function killedDraft(): Promise<string> {
  const script = join(folder, 'writer.mjs');
  writeFileSync(
    script,
    `import { writeWhole } from ${JSON.stringify(MODULE)};
void writeWhole(${JSON.stringify(folder)}, new Uint8Array(64 << 20), { file: 0o600, folder: 0o700 });
import { readdirSync } from 'node:fs';
setInterval(() => { if (readdirSync(${JSON.stringify(folder)}).some((name) => name.endsWith('.part'))) process.kill(process.pid, 'SIGKILL'); }, 1);
`,
  );
  const child = fork(script, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  await once(child, 'exit');
  return readdirSync(folder).find((name) => name.endsWith('.part')) as string;
}

describe('drafts of Parquet files', () => {
  it('are removed at once when their process was killed', async () => {
    const draft = await killedDraft();
    expect(draft).toMatch(/^\..+\.parquet\.[\da-f]{8}-\d+\.part$/);
    await removeDrafts(folder, HOUR);
    expect(existsSync(join(folder, draft))).toBe(false);
  });

  it('stay while their process lives, and of another machine until they are old', async () => {
    const whole = basename(await writeWhole(folder, new Uint8Array(4), { file: 0o600, folder: 0o700 }));
    const killed = await killedDraft();
    const own = killed.replace(/-\d+\.part$/, `-${process.pid}.part`);
    const foreign = killed.replace(/[\da-f]{8}(?=-\d+\.part$)/, '00000000');
    renameSync(join(folder, killed), join(folder, own));
    writeFileSync(join(folder, foreign), '');
    await removeDrafts(folder, HOUR);
    expect(readdirSync(folder).sort()).toEqual([own, foreign, whole, 'writer.mjs'].sort());
    const old = new Date(Date.now() - 2 * HOUR);
    utimesSync(join(folder, foreign), old, old);
    await removeDrafts(folder, HOUR);
    expect(readdirSync(folder).sort()).toEqual([own, whole, 'writer.mjs'].sort());
  });
});
