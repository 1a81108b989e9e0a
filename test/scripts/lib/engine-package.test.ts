import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDeb } from '../../../scripts/lib/archives.mjs';
import { ENGINE_PACKAGE, stageEngine } from '../../../scripts/lib/engine-package.mjs';

const folder = mkdtempSync(join(tmpdir(), 'package-'));
const staged = join(folder, 'root');
const isDebian = spawnSync('dpkg-deb', ['--version']).status === 0;

const MODULES = 'usr/lib/sluicebox/node_modules';

/** Debian's packages of libraries; none: it comes with the package itself, or with those that others need. */
const PACKAGES: readonly (readonly [library: RegExp, name: string])[] = [
  [/^(libc|libm|libdl|librt|libpthread|ld-linux-[\w-]+)\.so/, 'libc6'],
  [/^libstdc\+\+\.so/, 'libstdc++6'],
  [/^libatomic\.so/, 'libatomic1'],
  [/^(libgcc_s|libduckdb)\.so/, ''],
];

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

  it.skipIf(spawnSync('objdump', ['--version']).status !== 0)('depends on the libraries that its binaries load', () => {
    const node = readdirSync(join(staged, MODULES)).find((name) => name.startsWith('node-linux-')) ?? '';
    const native = `linux-${process.arch}`;
    const addons = readdirSync(join(staged, MODULES, 'isolated-vm/prebuilds', native))
      .filter((name) => name.endsWith(`abi${process.versions.modules}.glibc.node`))
      .map((name) => `isolated-vm/prebuilds/${native}/${name}`);
    const binaries = [
      `${node}/bin/node`,
      ...addons,
      ...['duckdb.node', 'libduckdb.so'].map((name) => `@duckdb/node-bindings-${native}/${name}`),
    ];
    expect(addons).toHaveLength(1);
    const heads = binaries.map((path) => {
      const { status, stdout } = spawnSync('objdump', ['-p', join(staged, MODULES, path)], { encoding: 'utf8' });
      expect({ path, status }).toEqual({ path, status: 0 });
      return stdout;
    });
    const found = (pattern: RegExp): string[] => heads.flatMap((head) => Array.from(head.matchAll(pattern), ([, text = '']) => text));
    const needed = new Set(found(/NEEDED +(\S+)/g));
    const packages = new Set(Array.from(needed, (library) => PACKAGES.find(([pattern]) => pattern.test(library))?.[1] ?? library));
    packages.delete('');
    expect(ENGINE_PACKAGE.depends.map((name) => name.split(' ')[0])).toEqual(expect.arrayContaining([...packages]));
    const versions = (pattern: RegExp): number => Math.max(...found(pattern).map(Number));
    expect(ENGINE_PACKAGE.depends).toContain(`libc6 (>= 2.${versions(/ GLIBC_2\.(\d+)$/gm)})`);
    // GCC 12 brought this version of the library.
    expect(versions(/ GLIBCXX_3\.4\.(\d+)$/gm)).toBeLessThanOrEqual(30);
  });

  it('has scripts that a shell reads', () => {
    const scripts = ['resources/deploy/debian/postinst', join(staged, 'usr/bin/sluicebox')];
    for (const script of scripts) expect(spawnSync('sh', ['-n', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it.skipIf(process.getuid?.() !== 0)('makes its user in the root that dpkg installs into, once', () => {
    const root = join(folder, 'another root');
    mkdirSync(join(root, 'etc'), { recursive: true });
    const users = (): string => readFileSync(join(root, 'etc/passwd'), 'utf8');
    for (const file of ['passwd', 'group']) writeFileSync(join(root, 'etc', file), 'root:x:0:0:root:/root:/bin/sh\n');
    const configure = (): string => {
      const { stderr } = spawnSync('sh', ['resources/deploy/debian/postinst', 'configure'], {
        encoding: 'utf8',
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DPKG_ROOT: root },
      });
      return stderr + users();
    };
    const first = configure();
    expect(first).toMatch(/^sluicebox:[^:]+:\d+:\d+::\/var\/lib\/sluicebox:\/usr\/sbin\/nologin$/m);
    expect(configure()).toBe(users());
    expect(first).toContain(users());
  });

  it.skipIf(!isDebian)('is one that dpkg reads', async () => {
    const path = await buildDeb(ENGINE_PACKAGE, staged, folder, { compression: 'none' });
    const read = (option: string): string => spawnSync('dpkg-deb', [option, path], { encoding: 'utf8', maxBuffer: 64 << 20 }).stdout;
    expect(read('--info')).toMatch(/^ Package: sluicebox-engine$/m);
    expect(read('--info')).toMatch(/^ Installed-Size: \d{5,}$/m);
    expect(read('--contents')).toMatch(/^-rwxr-xr-x root\/root .* \.\/usr\/bin\/sluicebox$/m);
    expect(read('--contents')).toMatch(/ \.\/usr\/share\/doc\/sluicebox-engine\/copyright$/m);
  });
});
