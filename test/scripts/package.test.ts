import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDeb } from '../../scripts/lib/archives.mjs';
import { ENGINE_PACKAGE, stageEngine } from '../../scripts/lib/engine-package.mjs';

const folder = mkdtempSync(join(tmpdir(), 'package-'));
const staged = join(folder, 'root');
const isDebian = spawnSync('dpkg-deb', ['--version']).status === 0;

/** Runs the command of the package as on a machine without Node. */
function command(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(join(staged, 'usr/bin/sluicebox'), args, {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
  });
}

describe.skipIf(process.platform !== 'linux')('the package of the engine', () => {
  beforeAll(() => stageEngine(staged));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['says its version', ['--version'], /^sluicebox \d+\.\d+\.\d+\n$/],
    ['decodes', ['decode', 'usr/share/doc/sluicebox/copyright'], /"Payload":/],
    ['asks by SQL', ['query', 'usr/share/doc/sluicebox/copyright', 'SELECT count(*) > 0 AS some FROM messages'], /true/],
    ['searches', ['search', '-n', 'Apache License', 'usr/share/doc/sluicebox/copyright'], /^\d+:.*Apache License/],
  ])('%s', (_, args, expected) => {
    const { status, stdout, stderr } = command(...args.map((arg) => (arg.startsWith('usr/') ? join(staged, arg) : arg)));
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toMatch(expected);
  });

  it('brings the manual page, completions and the unit, for its own paths', () => {
    expect(gunzipSync(readFileSync(join(staged, 'usr/share/man/man1/sluicebox.1.gz'))).toString()).toContain('.SH COMMANDS');
    expect(readFileSync(join(staged, 'usr/share/bash-completion/completions/sluicebox'), 'utf8')).toContain('complete -F');
    const unit = readFileSync(join(staged, 'usr/lib/systemd/system/sluicebox@.service'), 'utf8');
    expect(unit).toContain('ExecStart=/usr/bin/sluicebox run');
    expect(unit).not.toContain('/opt/');
  });

  it.skipIf(!isDebian)('is one that dpkg reads', async () => {
    const path = await buildDeb(ENGINE_PACKAGE, staged, folder, { compression: 'none' });
    const read = (option: string): string => spawnSync('dpkg-deb', [option, path], { encoding: 'utf8', maxBuffer: 64 << 20 }).stdout;
    expect(read('--info')).toContain('Package: sluicebox-engine');
    expect(read('--contents')).toMatch(/^-rwxr-xr-x root\/root .* \.\/usr\/bin\/sluicebox$/m);
  });
});
