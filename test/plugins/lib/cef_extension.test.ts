import fc from 'fast-check';
import { expect, it } from 'vitest';
import { extensionPairs } from '../../../plugins/lib/cef_extension.ts';

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r' };

/** The same in the plainest way. */
function plainly(text: string): Map<string, string> {
  const keys = [...text.matchAll(/(?:^|\s)([\w.[\]-]+)=/g)];
  const pairs = new Map<string, string>();
  for (const [i, { 0: whole, 1: key = '', index }] of keys.entries()) {
    const value = text.slice(index + whole.length, keys[i + 1]?.index).trim();
    const unescaped = value.replace(/\\([\\=|nr])/g, (_, mark: string) => CONTROLS[mark] ?? mark);
    if (value !== '') pairs.set(key, unescaped);
  }
  return pairs;
}

it('reads extensions as expressions over the whole text do', () => {
  const piece = fc.constantFrom(
    'src=',
    'msg=',
    'cs1Label=',
    ' ',
    '  ',
    '\t',
    'two words',
    '192.0.2.1',
    '\\=',
    '\\n',
    '\\\\',
    '\\',
    '=',
    'a[0].b-c=',
    'ü=',
    '|',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const text = pieces.join('');
      expect([...extensionPairs(text)]).toEqual([...plainly(text)]);
    }),
    { numRuns: 2000 },
  );
});
