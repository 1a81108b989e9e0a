import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productionPackages } from '../../../scripts/lib/engine-package.mjs';
import { buildNpm } from '../../../scripts/lib/npm-package.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';

const folder = mkdtempSync(join(tmpdir(), 'npm-package-'));
const installed = join(folder, 'node_modules/sluicebox');
const log = join(folder, 'access.log');
/** Lines of the sample before the first broken one. */
const GOOD_LINES = 1000;

interface Manifest {
  readonly bin: Record<string, string>;
  readonly engines: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
}
const manifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

/** Runs the command as npx does, on whatever Node; without a cache its hosts and threads start from the package itself. */
function command(args: readonly string[], cache: string): { status: number | null; stdout: string; stderr: string } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SLUICEBOX_CACHE: cache };
  const bin = join(installed, manifest(join(installed, 'package.json')).bin['sluicebox'] ?? '');
  return spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8', cwd: folder, env });
}

/** Unpacks the package as npm does, and puts the packages beside it that it needs. */
async function install(): Promise<void> {
  const path = await buildNpm(folder);
  mkdirSync(installed, { recursive: true });
  const { status } = spawnSync('tar', ['-xzf', path, '-C', installed, '--strip-components=1']);
  expect(status).toBe(0);
  for (const path of await productionPackages()) {
    const target = join(folder, relative(inRoot(), path));
    mkdirSync(dirname(target), { recursive: true });
    // Not by links, through which a host may not read; links of files are as good as copies, where they can be made.
    if (spawnSync('cp', ['-al', path, target]).status !== 0) cpSync(path, target, { recursive: true, force: true });
  }
}

describe.skipIf(process.platform === 'win32')('the package for npm', () => {
  beforeAll(async () => {
    await install();
    const lines = readFileSync(inRoot('resources/samples/access.log'), 'utf8').split('\n');
    writeFileSync(log, `${lines.slice(0, GOOD_LINES).join('\n')}\n`);
    const sections = {
      svcd: { base_dir: join(folder, 'state') },
      log: { type: 'FileInput', paths: [log], decoder: 'auto', start: 'begin' },
      datagrams: { type: 'UdpInput', address: '127.0.0.1:0' },
      status: { type: 'SandboxFilter', filename: 'http_status', message_matcher: 'Type =~ /access/' },
      lines: { type: 'FileOutput', path: join(folder, 'messages.jsonl'), message_matcher: 'Type !~ /^svc/', encoder: 'json' },
    };
    const toml = Object.entries(sections).map(
      ([name, values]) =>
        `[${name}]\n${Object.entries(values)
          .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
          .join('')}`,
    );
    writeFileSync(join(folder, 'pipeline.toml'), toml.join(''));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('needs what the command needs, and says which Node starts it', () => {
    const project = manifest(inRoot('package.json'));
    const { engines, dependencies, optionalDependencies } = manifest(join(installed, 'package.json'));
    expect({ engines, dependencies, optionalDependencies }).toEqual({
      engines: project.engines,
      dependencies: project.dependencies,
      optionalDependencies: project.optionalDependencies,
    });
    expect(readdirSync(installed).sort()).toEqual([
      ...['LICENSE', 'README.md', 'bin', 'engine', 'out', 'package.json', 'plugins', 'scripts'],
    ]);
  });

  describe.each([
    ['a cache', join(folder, 'cache')],
    ['no cache', join(log, 'none')],
  ])('with %s', (_, cache) => {
    it.each([
      ['says its version', ['--version'], /^sluicebox \d+\.\d+\.\d+\n$/],
      ['decodes', ['decode', log], /"Type":"nginx.access"/],
      ['asks by SQL', ['query', log, 'SELECT count(*) AS n FROM messages'], /\b1000\b/],
      ['searches', ['search', '-n', 'POST', log], /^\d+:.*POST/],
    ])('%s', (_name, args, expected) => {
      const { status, stdout, stderr } = command(args, cache);
      expect(status, stderr).toBe(0);
      expect(stdout).toMatch(expected);
    });

    it('runs a pipeline with scripts in sandboxes and a thread for datagrams', () => {
      for (const name of ['state', 'messages.jsonl']) rmSync(join(folder, name), { recursive: true, force: true });
      const { status, stderr } = command(['run', 'pipeline.toml', '--until-idle'], cache);
      expect(status, stderr).toBe(0);
      const lines = readFileSync(join(folder, 'messages.jsonl'), 'utf8').trimEnd().split('\n');
      expect(lines.filter((line) => line.includes('"nginx.access"'))).toHaveLength(GOOD_LINES);
    });
  });
});
