import { readFileSync } from 'node:fs';
import { pagesBelow } from './doc-pages.mjs';
import { inRoot } from './paths.mjs';

const DICTIONARY = 'node_modules/dictionary-en-gb';
/** The project's own words: names, terms and abbreviations, one a line. */
export const OWN_WORDS = 'docs/words.txt';

/** @typedef {{ readonly end: RegExp, readonly cut: number, readonly text: string }} Rule */
/** @typedef {{ readonly isPrefix: boolean, readonly crosses: boolean, readonly rules: Rule[] }} Affix */
/** @typedef {{ readonly file: string, readonly line: number, readonly word: string }} Mistake */

/** The words of a Hunspell dictionary with all their forms, in lower case: https://man.archlinux.org/man/hunspell.5. Rules of compounds are left out. */
export function dictionaryWords() {
  const affixes = affixesOf(readFileSync(inRoot(DICTIONARY, 'index.aff'), 'utf8'));
  /** @type {Set<string>} */
  const words = new Set();
  for (const line of readFileSync(inRoot(DICTIONARY, 'index.dic'), 'utf8').split('\n').slice(1)) {
    const [stem = '', flags = ''] = line.trim().split('/');
    for (const form of formsOf(
      stem,
      [...flags].flatMap((flag) => affixes.get(flag) ?? []),
    ))
      words.add(form.toLowerCase());
  }
  return words;
}

/** @param {string} text @returns {Map<string, Affix>} */
function affixesOf(text) {
  /** @type {Map<string, Affix>} */
  const affixes = new Map();
  for (const [, kind, flag = '', first = '', added = '', condition] of text.matchAll(/^(PFX|SFX) (\S) +(\S+) +(\S+)(?: +(\S+))?/gm)) {
    const isPrefix = kind === 'PFX';
    if (condition === undefined) affixes.set(flag, { isPrefix, crosses: first === 'Y', rules: [] });
    else affixes.get(flag)?.rules.push(ruleOf(isPrefix, first, added, condition));
  }
  return affixes;
}

/** @param {boolean} isPrefix @param {string} cut @param {string} added @param {string} condition @returns {Rule} */
function ruleOf(isPrefix, cut, added, condition) {
  const end = new RegExp(isPrefix ? `^${condition}` : `${condition}$`);
  return { end, cut: cut === '0' ? 0 : cut.length, text: added === '0' ? '' : (added.split('/')[0] ?? '') };
}

/** A word with its endings, and both of them with its prefixes. @param {string} stem @param {readonly Affix[]} affixes */
function formsOf(stem, affixes) {
  const endings = affixes.filter(({ isPrefix }) => !isPrefix);
  const crossed = [stem, ...endings.filter(({ crosses }) => crosses).flatMap((affix) => applied(stem, affix))];
  const prefixed = affixes.filter(({ isPrefix }) => isPrefix).flatMap((affix) => crossed.flatMap((word) => applied(word, affix)));
  return [stem, ...endings.flatMap((affix) => applied(stem, affix)), ...prefixed];
}

/** @param {string} word @param {Affix} affix */
function applied(word, { isPrefix, rules }) {
  const fitting = rules.filter(({ end }) => end.test(word));
  return fitting.map(({ cut, text }) => (isPrefix ? text + word.slice(cut) : word.slice(0, word.length - cut) + text));
}

/** The pages for users, and the modules that hold what the product says. */
export const spelledFiles = () => [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...pagesBelow('docs').map((name) => `docs/${name}`),
  'engine/api/ends.ts',
  'engine/api/errors.ts',
  'engine/api/commands.ts',
];

/** @returns {Set<string>} */
export const ownWords = () => new Set(readFileSync(inRoot(OWN_WORDS), 'utf8').split('\n').filter(Boolean));

/**
 * The words that neither the dictionary nor the project's list has.
 * @param {string} file its name says whether it is a page or code, of which the texts are looked at
 * @param {string} text
 * @param {(word: string) => boolean} isKnown asked with words in lower case
 * @returns {Mistake[]}
 */
export function mistakesOf(file, text, isKnown) {
  const prose = file.endsWith('.md') ? proseOf(text) : textsOf(text);
  return prose.split('\n').flatMap((line, i) =>
    wordsOf(line)
      .filter((word) => !isKnown(word.toLowerCase()))
      .map((word) => ({ file, line: i + 1, word })),
  );
}

/** @param {string} text */
const blank = (text) => text.replaceAll(/[^\n]/g, ' ');

/** A page without code, addresses and targets of links; its lines stay where they are. @param {string} page */
const proseOf = (page) =>
  page
    .replaceAll(/^```[^]*?^```$/gm, blank)
    .replaceAll(/``[^]*?``|`[^`]*`/g, blank)
    .replaceAll(/\]\([^)]*\)/g, blank)
    .replaceAll(/<!--[^]*?-->|https?:\S+/g, blank);

/** The texts in quotes of a module. @param {string} code */
const textsOf = (code) =>
  code
    .split('\n')
    .map((line) =>
      [...line.matchAll(/(?<=[:,(=?] |^ +)(['"`])(.*?)\1/g)]
        .map(([, , text = '']) => text)
        .filter((text) => / /.test(text))
        .join(' '),
    )
    .join('\n');

/** Words of letters: neither parts of names with digits, underscores or dots, nor names in mixed case. @param {string} line */
function wordsOf(line) {
  const words = line.match(/[\p{L}\p{N}_'’./@#$%&=:\\-]+/gu) ?? [];
  return words
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}_./]+|[^\p{L}\p{N}_]+$/gu, ''))
    .filter((word) => !/[\p{N}_/@#$%&=:\\]|\.\p{L}|^[.-]|\p{Ll}\p{Lu}|^\p{Lu}+$/u.test(word))
    .flatMap((word) => word.split('-'))
    .map((word) => word.replaceAll('’', "'").replace(/'s?$/, ''))
    .filter((word) => word.length > 1);
}
