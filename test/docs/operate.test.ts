import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, walk } from './walk.ts';

await walk(['docs/operate.md']);

const unit = readFileSync(join(root, 'resources/deploy/sluicebox@.service'), 'utf8');

it('has a unit that names what is there', () => {
  const named = [...unit.matchAll(/\/opt\/sluicebox\/(\S+)/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

const verifier = spawnSync('systemd-analyze', ['--version']);
it.skipIf(verifier.error !== undefined)('has a unit that systemd understands', () => {
  const { stderr, stdout } = spawnSync('systemd-analyze', ['verify', '--man=no', join(root, 'resources/deploy/sluicebox@.service')], {
    encoding: 'utf8',
  });
  // The program is not installed where the unit expects it.
  const said = (stdout + stderr).split('\n').filter((line) => line.includes('sluicebox@') && !line.includes('is not executable'));
  expect(said).toEqual([]);
});

const promtool = spawnSync('promtool', ['--version']);
it.skipIf(promtool.error !== undefined)('has alert rules that Prometheus understands', () => {
  const rules = join(root, 'resources/deploy/monitoring/alerts.yml');
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});
