import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dictionaryWords, mistakesOf, ownWords, OWN_WORDS } from '../../../scripts/lib/spelling.mjs';

const words = dictionaryWords();
const mistakes = (file: string, text: string): string[] =>
  mistakesOf(file, text, (word) => words.has(word)).map(({ line, word }) => `${line} ${word}`);

describe('the dictionary', () => {
  it.each(['colour', 'recognised', 'queries', 'undone', 'rewritten', 'slowly', 'boxes'])('has %s', (word) =>
    expect(words.has(word)).toBe(true),
  );
  it.each(['color', 'recieve', 'seperate', 'occured', 'teh'])('has no %s', (word) => expect(words.has(word)).toBe(false));
});

describe('mistakesOf', () => {
  it('names the words of a page that are not known, with their lines', () => {
    expect(mistakes('page.md', '# A hedding\n\nIt is allright,\nor’s well-writen.\n')).toEqual(['1 hedding', '3 allright', '4 writen']);
  });

  it('leaves out code, addresses, names and numbers', () => {
    const page =
      'A `hedding` at <https://hedding.example>, [here](hedding.md), `a\nhedding`, snake_hedding, x2, JSON, camelHedding, /hedding, a.hedding:\n\n```sh\nhedding\n```\n';
    expect(mistakes('page.md', page)).toEqual([]);
  });

  it('looks at the texts of a module', () => {
    expect(mistakes('errors.ts', "  // hedding\n  'a.hedding': {\n    happened: 'The hedding is gone.',\n")).toEqual(['3 hedding']);
  });
});

it('has a list of own words that the dictionary does not have, in order', () => {
  const own = readFileSync(join(import.meta.dirname, '../../..', OWN_WORDS), 'utf8')
    .trim()
    .split('\n');
  expect(own).toEqual([...ownWords()].toSorted());
  expect(own.filter((word) => words.has(word))).toEqual([]);
});
