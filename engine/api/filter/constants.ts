import { isHeader, quote } from './expression.ts';
import type { Found } from './names.ts';
import type { Scanner, Wrong } from './scanner.ts';
import { severityNamed } from '../severities.ts';
import { QUOTED, WORD } from './tokens.ts';
import { NUMBER } from './value-test.ts';

/** Reads the constants that names are compared with. */
export class Constants {
  readonly #scan: Scanner;

  constructor(scan: Scanner) {
    this.#scan = scan;
  }

  /** A constant at this place, as the language writes it, and the operator if it is another one. */
  take(found: Found, operator: string, at: number, bare = WORD): { readonly text: string; readonly operator?: string } {
    const wrong = (text: string): Wrong => this.#scan.wrongAt(at, this.#scan.at, text);
    const equality = operator === '==' || operator === '!=' || found.isLevel === true;
    const quoted = this.#scan.take(QUOTED);
    if (quoted !== null) {
      if (found.written === 'Severity') return { text: severityNumber(quoted.slice(1, -1), equality, wrong) };
      if (found.type === 'number' || found.type === 'bool')
        throw wrong(`${found.name} is a ${found.type === 'bool' ? 'truth value' : 'number'}`);
      return { text: quoted };
    }
    const word = this.word({ bare });
    if (/^\/.+\/$/.test(word)) throw wrong('a regular expression is compared with =~ or !~; put a text in quotes');
    if (word === 'NIL' && !isHeader(found.written)) {
      if (!equality) throw wrong('NIL is compared with == or !=');
      return { text: word };
    }
    if (found.type === 'bool') return this.#truth(found, word, operator, wrong);
    if (found.written === 'Severity' && !NUMBER.test(word)) return { text: severityNumber(word, equality, wrong) };
    if (NUMBER.test(word) && found.type !== 'string') return { text: word };
    if (found.type === 'number') throw wrong(word.startsWith('-') ? 'a negative number cannot be compared' : `${found.name} is a number`);
    const text = quote(word);
    if (text === null) throw wrong('put it in quotes');
    return { text };
  }

  #truth(
    { name }: Found,
    word: string,
    operator: string,
    wrong: (text: string) => Wrong,
  ): { readonly text: string; readonly operator: string } {
    const value = /^true$/i.test(word) ? true : /^false$/i.test(word) ? false : null;
    if (value === null || (operator !== '==' && operator !== '!=')) throw wrong(`${name} is a truth value: == true or == false`);
    return { text: value === (operator === '==') ? 'TRUE' : 'FALSE', operator: '==' };
  }

  /** @param pattern it stands for a regular expression, which a slash may open */
  word({ bare = WORD, pattern = false } = {}): string {
    const at = this.#scan.at;
    const word = this.#scan.take(bare);
    if (word === null) throw this.#scan.wrong(/./suy, 'expected a value');
    const first = word.charAt(0);
    if (first === "'" || first === '"' || (pattern && first === '/'))
      throw this.#scan.wrongAt(at, this.#scan.typed.length, `the closing ${first} is missing`);
    return word;
  }
}

function severityNumber(word: string, isClear: boolean, wrong: (text: string) => Wrong): string {
  const number = severityNamed(word);
  if (number === null) throw wrong('Severity is a number from 0, the worst, to 7');
  // Lower is worse: what "at least a warning" means is not clear.
  if (!isClear) throw wrong(`write the number, ${number}; lower is worse`);
  return String(number);
}
