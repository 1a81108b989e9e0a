import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useLookups } from '../../../engine/lookup/folder.ts';
import { parseRules } from '../../../engine/rules/folder.ts';
import { hitsOf, ruleOf } from './records.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-placeholders-'));
beforeAll(() => {
  writeFileSync(join(folder, 'admins.csv'), 'name,since\nmaria,2024\nroot*,2020\nkim,2025\n');
  writeFileSync(join(folder, 'office.csv'), '10.1.0.0/16,a\n192.0.2.7,b\n');
  writeFileSync(join(folder, 'many.csv'), `${Array.from({ length: 300 }, (_, i) => `v${i}`).join('\n')}\n`);
  useLookups(folder);
});
afterAll(() => {
  useLookups(null);
  rmSync(folder, { recursive: true, force: true });
});

const hits = (search: string, values: readonly string[]): string[] =>
  hitsOf(
    ruleOf(`a:\n    ${search}\nkey:\n    marker: 'yes'\ncondition: key and a`),
    values.map((f) => ({ fields: { f, marker: 'yes' } })),
  ).map((hit) => values[Number.parseInt(hit, 10)] as string);

describe('placeholders', () => {
  it.each([
    ["f|expand: '%admins%'", ['maria', 'KIM', 'root*'], ['rooted', 'ma', '%admins%', '2024', 'name']],
    ["f|expand|contains: 'user=%admins%;'", ['x user=kim; y'], ['user=kim']],
    ["f|expand|cidr: '%office%'", ['10.1.2.3', '192.0.2.7'], ['10.2.0.1']],
    ["f|expand: '%admins% %admins%'", ['kim maria'], ['kim']],
    ["f|expand: 'plain'", ['plain'], ['x']],
  ])('%s are the values of a list', (search, right, wrong) => {
    expect(hits(search, [...right, ...wrong])).toEqual(right);
  });

  it.each([
    ["f|expand: '%nobody%'", /^the placeholder %nobody% has no values: there is no lookup nobody in /],
    ["f|expand: '%many%%many%'", /stands for 89401 values, more than 50000/],
  ])('%s are named as unknown', (search, why) => {
    expect(parseRules(ruleOf(`a:\n    ${search}\ncondition: a`), 'x.yml').problems).toMatchObject([
      { text: expect.stringMatching(why) as string },
    ]);
  });
});
