import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adviseRoot } from '../../../scripts/lib/root-advice.mjs';

const GROUPS = 'root:x:0:\nadm:x:4:syslog\nsystemd-journal:x:101:\n';

function told(machine: Parameters<typeof adviseRoot>[0], times = 1): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-root-'));
  const texts: string[] = [];
  for (let i = 0; i < times; i++)
    adviseRoot({ isRoot: true, groups: GROUPS, folder: join(folder, 'cache'), tell: (text) => texts.push(text), ...machine });
  rmSync(folder, { recursive: true });
  return texts;
}

it('root is told once how an ordinary user may read logs', () => {
  const [text, ...more] = told({ user: 'ada' }, 3);
  expect(text).toContain('sudo usermod -aG adm,systemd-journal ada');
  expect(text).toContain('sudo setfacl -m u:ada:r /var/log/FILE');
  expect(more).toEqual([]);
});

it('groups that the system has not are not named', () => {
  expect(told({ groups: 'root:x:0:\nadmins:x:5:\n' })[0]).not.toContain('usermod');
  expect(told({ groups: 'root:x:0:\nsystemd-journal:x:101:\n' })[0]).toContain('-aG systemd-journal USER');
});

it('without a folder for it, it is told again', () => {
  expect(told({ folder: '/dev/null/x' }, 2)).toHaveLength(2);
});

it('ordinary users are told nothing', () => {
  expect(told({ isRoot: false })).toEqual([]);
});
