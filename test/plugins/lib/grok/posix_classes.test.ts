import { expect, test } from 'vitest';
import { ASCII_CLASSES, unicodeClass } from '../../../../plugins/lib/grok/posix_classes.ts';

const holds = (name: string, character: string): boolean => new RegExp(`^[${unicodeClass(name) ?? ''}]$`).test(character);

test.each([
  ['alpha', 'ß', '1'],
  ['digit', '٣', '²'],
  ['alnum', 'ж', '-'],
  ['upper', 'Å', 'å'],
  ['lower', 'ø', 'Ø'],
  ['punct', '«', 'a'],
  ['space', '\u2003', '_'],
  ['blank', '\u00a0', '\n'],
  ['cntrl', '\u0085', ' '],
  ['graph', '日', ' '],
  ['print', '\u3000', '\t'],
  ['word', '‿', '-'],
  ['xdigit', 'F', 'g'],
  ['ascii', '~', 'é'],
  ['Greek', 'λ', 'l'],
  ['L', 'é', '1'],
])('%s has %j and not %j', (name, one, other) => {
  expect([holds(name, one), holds(name, other)]).toEqual([true, false]);
});

test('a name that is none has no class', () => expect(unicodeClass('Klingon')).toBeNull());

test('the classes of Unicode hold those of ASCII', () => {
  for (const [name, items] of ASCII_CLASSES) {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code);
      if (new RegExp(`[${items}]`).test(character)) expect([name, character, holds(name, character)]).toEqual([name, character, true]);
    }
  }
});
