import { RuleMistake } from './mistake.ts';
import type { Node } from './model.ts';
import { joined } from './modifiers.ts';

const MAX_LENGTH = 10_000;
const MAX_DEPTH = 50;

/** The searches of a rule by their names. */
export type Searches = ReadonlyMap<string, Node>;

/**
 * Parses a condition: `or`, `and`, `not`, `1 of`, `any of`, `all of`, parentheses, names of searches.
 * @throws {RuleMistake} also for aggregations behind a pipe, which correlation rules have replaced
 */
export function parseCondition(text: string, searches: Searches, line: number): Node {
  if (text.length > MAX_LENGTH) throw new RuleMistake(`the condition has more than ${MAX_LENGTH} characters`, line);
  if (text.includes('|'))
    throw new RuleMistake(
      `the condition has an aggregation (${text.slice(text.indexOf('|')).trim()}): correlation rules have replaced them`,
      line,
    );
  return new Parser(text.match(/[()]|[^\s()]+/g) ?? [], searches, line).whole();
}

class Parser {
  readonly #words: readonly string[];
  readonly #searches: Searches;
  readonly #line: number;
  #at = 0;
  #depth = 0;

  constructor(words: readonly string[], searches: Searches, line: number) {
    this.#words = words;
    this.#searches = searches;
    this.#line = line;
  }

  whole(): Node {
    const node = this.#or();
    const rest = this.#words[this.#at];
    if (rest !== undefined) throw this.#mistake(`${rest} is not expected in the condition there`);
    return node;
  }

  #or(): Node {
    const parts = [this.#and()];
    while (this.#takes('or')) parts.push(this.#and());
    return joined('or', parts);
  }

  #and(): Node {
    const parts = [this.#not()];
    while (this.#takes('and')) parts.push(this.#not());
    return joined('and', parts);
  }

  #not(): Node {
    let negated = false;
    while (this.#takes('not')) negated = !negated;
    const part = this.#operand();
    return negated ? { kind: 'not', part } : part;
  }

  #operand(): Node {
    const word = this.#words[this.#at++];
    if (word === undefined) throw this.#mistake('the condition ends where the name of a search is expected');
    if (word === '(') return this.#inParentheses();
    if (/^(?:1|any|all)$/i.test(word) && this.#takes('of')) return this.#several(/^all$/i.test(word) ? 'and' : 'or');
    if (/^\d+$/.test(word) && /^of$/i.test(this.#words[this.#at] ?? '')) throw this.#mistake(`there is 1 of and all of, not ${word} of`);
    const search = this.#searches.get(word);
    if (search === undefined) throw this.#mistake(`the condition names ${word}, and there is no such search`);
    return search;
  }

  #inParentheses(): Node {
    if (++this.#depth > MAX_DEPTH) throw this.#mistake('the condition has too many parentheses');
    const node = this.#or();
    if (!this.#takes(')')) throw this.#mistake('a parenthesis of the condition is not closed');
    this.#depth--;
    return node;
  }

  #several(kind: 'and' | 'or'): Node {
    const wanted = this.#words[this.#at++];
    if (wanted === undefined) throw this.#mistake('the condition ends behind of');
    const isAll = /^them$/i.test(wanted);
    const names = [...this.#searches.keys()].filter((name) => (isAll ? !name.startsWith('_') : fitsName(name, wanted)));
    if (names.length === 0) throw this.#mistake(`the condition names ${wanted}, and there is no such search`);
    return joined(
      kind,
      names.map((name) => this.#searches.get(name) as Node),
    );
  }

  #takes(word: string): boolean {
    const takes = this.#words[this.#at]?.toLowerCase() === word;
    if (takes) this.#at++;
    return takes;
  }

  #mistake(text: string): RuleMistake {
    return new RuleMistake(text, this.#line);
  }
}

/** Whether a name fits one with stars. */
function fitsName(name: string, wanted: string): boolean {
  const [first = '', ...pieces] = wanted.split('*');
  if (pieces.length === 0) return name === wanted;
  if (!name.startsWith(first)) return false;
  const last = pieces.pop() as string;
  let at = first.length;
  for (const piece of pieces) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
