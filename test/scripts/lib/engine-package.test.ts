import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
    const scripts = [
      ...['postinst', 'prerm', 'postrm'].map((name) => `resources/deploy/debian/${name}`),
      join(staged, 'usr/bin/sluicebox'),
    ];
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

  it.each<[what: string, script: string, args: string[], calls: string[]]>([
    [
      'an upgrade',
      'postinst',
      ['configure', '0.0.9'],
      ['daemon-reload', 'try-restart sluicebox@a.service', 'try-restart sluicebox@b.service'],
    ],
    ['a first installation', 'postinst', ['configure', ''], ['daemon-reload']],
    ['an upgrade, before it', 'prerm', ['upgrade', '0.2.0'], []],
    ['a removal', 'prerm', ['remove'], ['stop sluicebox@a.service', 'stop sluicebox@b.service']],
    ['a removal, behind it', 'postrm', ['remove'], ['daemon-reload']],
  ])('tells systemd of %s', (_, script, args, calls) => {
    const fakes = mkdtempSync(join(folder, 'fakes-'));
    const fake = (name: string, text: string): void => writeFileSync(join(fakes, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const units = 'printf "sluicebox@a.service loaded active running A\\nsluicebox@b.service loaded active running B\\n"';
    fake('systemctl', `case "$*" in *list-units*) ${units} ;; *) echo "$2" >>${fakes}/calls ;; esac`);
    // The first service does not come up.
    fake('deb-systemd-invoke', `echo "$*" >>${fakes}/calls; case "$2" in *@a*) exit 1 ;; esac`);
    fake('getent', '');
    const text = readFileSync(`resources/deploy/debian/${script}`, 'utf8').replaceAll('/run/systemd/system', fakes);
    const { status } = spawnSync('sh', ['-c', text, script, ...args], { env: { PATH: `${fakes}:/usr/bin:/bin` } });
    expect(status).toBe(0);
    expect(existsSync(join(fakes, 'calls')) ? readFileSync(join(fakes, 'calls'), 'utf8').split('\n').slice(0, -1) : []).toEqual(calls);
  });

  it.each([
    ['purge', ['etc/sluicebox/a.toml']],
    ['remove', ['etc/sluicebox/a.toml', 'etc/systemd/system/multi-user.target.wants/sluicebox@a.service', 'var/lib/sluicebox/a/x']],
  ])('leaves at a %s what is not its own', (action, left) => {
    const root = mkdtempSync(join(folder, 'purged-'));
    for (const path of [
      'etc/sluicebox/a.toml',
      'etc/systemd/system/multi-user.target.wants/sluicebox@a.service',
      'var/lib/sluicebox/a/x',
    ]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), '');
    }
    spawnSync('sh', ['resources/deploy/debian/postrm', action], { env: { PATH: '/usr/bin:/bin', DPKG_ROOT: root } });
    expect(globSync('**', { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())).toHaveLength(left.length);
    for (const path of left) expect(existsSync(join(root, path))).toBe(true);
  });

  it.skipIf(!isDebian)('is one that dpkg reads', async () => {
    // As a temporary folder is, and what a umask of 077 makes.
    for (const name of ['', 'usr', 'usr/share/doc/sluicebox/copyright'])
      chmodSync(join(staged, name), name.endsWith('copyright') ? 0o600 : 0o700);
    const path = await buildDeb(ENGINE_PACKAGE, staged, folder, { compression: 'none' });
    const read = (option: string): string => spawnSync('dpkg-deb', [option, path], { encoding: 'utf8', maxBuffer: 64 << 20 }).stdout;
    expect(read('--info')).toMatch(/^ Package: sluicebox-engine$/m);
    expect(read('--info')).toMatch(/^ Installed-Size: \d{5,}$/m);
    expect(read('--contents')).toMatch(/^-rwxr-xr-x root\/root .* \.\/usr\/bin\/sluicebox$/m);
    const modes = new Set(
      read('--contents')
        .split('\n')
        .flatMap((line) => /^[d-]\S*/.exec(line)?.[0] ?? []),
    );
    expect([...modes].sort()).toEqual(['-rw-r--r--', '-rwxr-xr-x', 'drwxr-xr-x']);
    expect(read('--info')).toMatch(/ postinst[^]* postrm[^]* prerm/);
    expect(read('--contents')).toMatch(/ \.\/usr\/share\/doc\/sluicebox-engine\/copyright$/m);
  });
});
