// A step of `npm test -- lint`: looks for words in pages and messages that neither the dictionary nor the project's own list has.
import { readFileSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';
import { dictionaryWords, mistakesOf, OWN_WORDS, ownWords, spelledFiles } from './lib/spelling.mjs';

const [dictionary, own] = [dictionaryWords(), ownWords()];
const isKnown = (/** @type {string} */ word) => dictionary.has(word) || own.has(word);
const mistakes = spelledFiles().flatMap((file) => mistakesOf(file, readFileSync(inRoot(file), 'utf8'), isKnown));
for (const { file, line, word } of mistakes) console.log(`${file}:${line}: ${word}`);
if (mistakes.length > 0) console.log(`Correct the spelling, or add names and terms to ${OWN_WORDS}.`);
process.exitCode = mistakes.length > 0 ? 1 : 0;
