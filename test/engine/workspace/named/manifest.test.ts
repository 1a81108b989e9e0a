import { describe, expect, it } from 'vitest';
import { NO_INCIDENT } from '../../../../engine/api/incident-types.ts';
import { checkManifest, requireSavable, SCRIPT_NAME, type Manifest } from '../../../../engine/workspace/named/manifest.ts';

const FILE = { path: '/a.log', section: 'file:a', label: 'a.log', decoder: null, timeOffset: 0, records: null };
const MANIFEST: Manifest = {
  ...{ sluicebox: 'workspace', version: 1, savedAt: 5, files: [FILE], sections: '', scripts: [] },
  ...{ highlighters: [], filterSets: [], recordGraphs: [], incident: NO_INCIDENT, leftOut: 0, marks: [], window: {} },
};
const decodedBy = (name: string) => ({
  ...MANIFEST,
  files: [{ ...FILE, decoder: { name, config: {} } }],
  scripts: [{ name: 'own.js', text: '' }],
});

describe('the first line of a workspace', () => {
  it('is read as it was saved', () => {
    expect(checkManifest(MANIFEST, 'x')).toEqual(MANIFEST);
    const { recordGraphs: _, incident: _incident, ...older } = MANIFEST;
    expect(checkManifest(older, 'x')).toEqual(MANIFEST);
  });

  it.each(['json_lines', 'scripts/own.js'])('may name the decoder %s', (name) => {
    expect(checkManifest(decodedBy(name), 'x').files[0]?.decoder?.name).toBe(name);
  });

  it.each<[unknown, string]>([
    [null, 'x is not a workspace of Sluicebox.'],
    ['workspace', 'x is not a workspace of Sluicebox.'],
    [{ ...MANIFEST, version: 2 }, 'x was saved by a newer Sluicebox (form 2, known is 1).'],
    [{ ...MANIFEST, savedAt: 'now' }, 'x is not a workspace that can be read: savedAt '],
    [{ ...MANIFEST, further: 1 }, 'x is not a workspace that can be read: '],
    [{ ...MANIFEST, files: [{ ...FILE, path: 'a\0b' }] }, 'x is not a workspace that can be read: files.0.path '],
    [{ ...MANIFEST, files: [{ ...FILE, records: -1 }] }, 'x is not a workspace that can be read: files.0.records '],
    [{ ...MANIFEST, scripts: [{ name: '../a.js', text: '' }] }, 'x is not a workspace that can be read: scripts.0.name '],
    [decodedBy('/tmp/other.js'), 'it names a decoder /tmp/other.js, which it does not bring.'],
    [decodedBy('scripts/other.js'), 'it names a decoder scripts/other.js, which it does not bring.'],
  ])('is refused: case %#', (head, text) => {
    let found: unknown;
    try {
      checkManifest(head, 'x');
    } catch (error) {
      found = error;
    }
    expect(found).toMatchObject({ code: 'workspace.damaged', message: expect.stringContaining(text) as unknown });
  });
});

describe('what is saved', () => {
  it('can be opened again', () => expect(() => requireSavable(MANIFEST)).not.toThrow());

  it.each([
    [
      { ...MANIFEST, scripts: [{ name: 'a.js', text: 'x'.repeat(1_000_001) }] },
      'scripts of up to 1,000,000 characters along; a.js is longer.',
    ],
    [{ ...MANIFEST, sections: 'x'.repeat(4_000_001) }, 'What is open does not fit into a workspace: sections '],
  ])('is too large: case %#', (manifest, text) => expect(() => requireSavable(manifest)).toThrow(text));
});

it.each([
  ['a.js', true],
  ['my-script.v2.ts', true],
  ['a.mjs', true],
  ['.a.js', false],
  ['a/b.js', false],
  ['a.json', false],
  [`${'a'.repeat(201)}.js`, false],
])('%s is a name of a script: %s', (name, is) => expect(SCRIPT_NAME.test(name)).toBe(is));
