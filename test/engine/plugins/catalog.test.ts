import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundledNames, bundledPlugins, findPlugin } from '../../../engine/plugins/catalog.ts';
import { checkPatterns } from '../../../engine/plugins/decoder-meta.ts';
import { suggest } from '../../../engine/base/text/suggest.ts';
import { folder, script } from './catalog-fixtures.ts';

describe('the catalog', () => {
  it('knows the bundled scripts by their files, and they say the same name and kind', () => {
    expect(bundledNames('decoder')).toContain('nginx_access');
    for (const kind of ['decoder', 'filter'] as const) {
      for (const { name, meta } of bundledPlugins(kind)) expect([meta?.name, meta?.kind]).toEqual([name, kind]);
      expect(bundledPlugins(kind)).toEqual(bundledNames(kind).map((name) => findPlugin(kind, name)));
    }
  });

  it('has patterns of bundled decoders that a copy of them may have, too', () => {
    const refuse = (key: string, why: string): Error => new Error(`${key} ${why}`);
    for (const { meta } of bundledPlugins('decoder')) expect(() => checkPatterns(meta ?? {}, refuse), meta?.name).not.toThrow();
  });

  it('finds scripts by path, from a folder', () => {
    script('own.js', `export const meta = { name: 'own', kind: 'filter', summary: '' };`);
    expect(findPlugin('filter', './own.js', folder)).toMatchObject({ name: 'own', path: join(folder, 'own.js') });
  });

  it.each([
    ['filter', 'htp_status', 'did you mean http_status?'],
    ['decoder', 'zzzzzzzz', 'bundled are: '],
    ['decoder', './none.ts', 'there is no script'],
    ['decoder', folder, 'there is no'],
    [
      'decoder',
      script('filter.js', `export const meta = { name: 'f', kind: 'filter', summary: '' };`),
      'is a script for filters, not for decoders',
    ],
  ] as const)('says of %s %s: %s', (kind, name, text) => expect(() => findPlugin(kind, name)).toThrow(text));
});

describe('suggest', () => {
  it.each([
    ['nginx_acces', ['nginx_access', 'apache_access'], 'nginx_access'],
    ['ngixn_access', ['nginx_access'], 'nginx_access'],
    ['MATCH', ['match', 'cat'], 'match'],
    ['x', ['abc'], undefined],
    ['entirely', ['different', 'words'], undefined],
    ['row', [], undefined],
  ])('%s of %o is %s', (typed, names, expected) => expect(suggest(typed, names)).toBe(expected));
});
