import { expect, it } from 'vitest';
import { bundledDecoders, bundledLooks, KnownLooks } from '../../../engine/detect/known-looks.ts';
import type { PluginScript } from '../../../engine/plugins/types.ts';
import type { UserScripts } from '../../../engine/plugins/user-scripts.ts';

it('has the looks of all bundled decoders once, the most exact rank first and those for any log apart', () => {
  const { exact, general } = new KnownLooks(null).ranks();
  const all = [...exact, ...general];
  expect(all.flat().length).toBe(bundledLooks().length);
  const ranks = all.map(([first]) => first?.meta.rank ?? NaN);
  expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => a - b));
  expect(all.every((looks) => new Set(looks.map(({ meta }) => meta.rank)).size === 1)).toBe(true);
  expect(general.flat().map(({ decoder }) => decoder.name)).toContain('generic');
});

it("puts the user's looks first in their rank, and counts anew only when a script changes", () => {
  const [first, second] = bundledDecoders().filter(({ meta }) => (meta?.looks ?? []).length > 0) as [PluginScript, PluginScript];
  let scripts: PluginScript[] = [{ ...first }];
  const known = new KnownLooks({ read: () => scripts } as unknown as UserScripts);
  const before = known.ranks();
  const rank = first.meta?.looks?.[0]?.rank;
  const group = [...before.exact, ...before.general].find(([look]) => look?.meta.rank === rank);
  expect(group?.[0]?.decoder).toBe(scripts[0]);
  expect(known.ranks()).toBe(before);
  scripts = [...scripts];
  expect(known.ranks()).toBe(before);
  scripts = [{ ...first }, second];
  const after = known.ranks();
  expect(after).not.toBe(before);
  expect([...after.exact, ...after.general].flat().some(({ decoder }) => decoder === scripts[0])).toBe(true);
  expect([...after.exact, ...after.general].flat().some(({ decoder }) => decoder.path === first.path && decoder !== scripts[0])).toBe(true);
});
