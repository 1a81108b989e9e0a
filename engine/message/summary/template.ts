import { BYTES, NANOSECONDS } from '../../api/quantities.ts';
import { hint } from '../../base/text/suggest.ts';

/** The ways in which a text can be written. */
const SUMMARY_WAYS = ['request', 'error', 'name'] as const;
export type SummaryWay = (typeof SUMMARY_WAYS)[number];

/** Units that a template can give to numbers whose field has none. */
const SUMMARY_UNITS: readonly string[] = [...Object.keys(NANOSECONDS), ...Object.keys(BYTES)];

/** A value: that of the first of these fields or headers that the record has. */
export interface SummaryValue {
  readonly kind: 'value';
  readonly names: readonly string[];
  readonly way: SummaryWay | null;
  /** The unit of numbers whose field has none. */
  readonly unit: string | null;
}

/** A part that is written only with all of its values: the first alternative that has them. */
interface SummaryChoice {
  readonly kind: 'choice';
  readonly alternatives: readonly SummaryTemplate[];
}

/** All fields that the template does not name, as `name=value`. */
interface SummaryRest {
  readonly kind: 'rest';
}

export type SummaryPart = string | SummaryValue | SummaryChoice | SummaryRest;

/** A template that makes the summary of a record from its fields. */
export type SummaryTemplate = readonly SummaryPart[];

/** A template is not written as it must be. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

const MAX_LENGTH = 2000;
const MAX_DEPTH = 8;
const SPECIAL = /[{}[\]|\\]/;

/**
 * Reads a template: `{field}`, `{field|other field}` and `{field:form}` stand for values, `[…]` is left out unless the record has all of its values,
 * `[…|…]` is the first of such parts that it has, `{*}` stands for all fields that are not named, and a backslash makes a plain character of the one behind it.
 * @throws {TemplateError} with what is wrong, where, and what to write instead
 */
export function parseTemplate(text: string): SummaryTemplate {
  if (text.length > MAX_LENGTH) throw new TemplateError(`is longer than ${MAX_LENGTH} characters`);
  const reader = new TemplateReader(text);
  const parts = reader.parts(0);
  if (!parts.some(hasValue)) throw new TemplateError('names no field: write a name in braces, such as {status}');
  return parts;
}

const hasValue = (part: SummaryPart): boolean =>
  typeof part !== 'string' && (part.kind !== 'choice' || part.alternatives.flat().some(hasValue));

/** The names in a template. */
export const namesIn = (template: SummaryTemplate): string[] =>
  template.flatMap((part) =>
    typeof part === 'string' || part.kind === 'rest' ? [] : part.kind === 'value' ? part.names : part.alternatives.flatMap(namesIn),
  );

class TemplateReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The parts up to the end of the text or, inside of brackets, of an alternative. */
  parts(depth: number): SummaryPart[] {
    const parts: SummaryPart[] = [];
    for (let plain = ''; ;) {
      const next = this.#text.charAt(this.#at);
      const ends = next === '' || (depth > 0 && (next === ']' || next === '|'));
      if (plain !== '' && (ends || next === '{' || next === '[')) {
        parts.push(plain);
        plain = '';
      }
      if (ends) return parts;
      if (next === '{') parts.push(this.#value());
      else if (next === '[') parts.push(this.#choice(depth));
      else plain += this.#character(next);
    }
  }

  #character(next: string): string {
    if (next === '\\') this.#at++;
    else if (next === ']' || next === '}') throw this.#wrong(`has a ${next} that nothing opens; write \\${next} for the character itself`);
    const character = this.#text.charAt(this.#at);
    if (next === '\\' && !SPECIAL.test(character))
      throw this.#wrong('has a \\ before no bracket, brace, bar or backslash; write \\\\ for one');
    this.#at++;
    return character;
  }

  #choice(depth: number): SummaryChoice {
    const start = this.#at;
    if (depth >= MAX_DEPTH) throw this.#wrong('has brackets that are nested too deeply');
    const alternatives: SummaryTemplate[] = [];
    do {
      const from = ++this.#at;
      const parts = this.parts(depth + 1);
      if (this.#at >= this.#text.length) throw this.#wrong('has a [ that nothing closes; write \\[ for the character itself', start);
      if (!parts.some(hasValue)) throw this.#wrong('names no field in brackets, so nothing says when that part is left out', from);
      alternatives.push(parts);
    } while (this.#text.charAt(this.#at) === '|');
    this.#at++;
    return { kind: 'choice', alternatives };
  }

  #value(): SummaryValue | SummaryRest {
    const start = this.#at;
    const end = this.#text.indexOf('}', start);
    if (end === -1) throw this.#wrong('has a { that nothing closes; write \\{ for the character itself');
    const inner = this.#text.slice(start + 1, end);
    if (inner === '*') {
      this.#at = end + 1;
      return { kind: 'rest' };
    }
    const colon = inner.lastIndexOf(':');
    const names = inner
      .slice(0, colon === -1 ? undefined : colon)
      .split('|')
      .map((name) => name.trim());
    if (names.some((name) => name === '' || name.includes('{')))
      throw this.#wrong(`has no name of a field in {${inner}}; write {name} or {name|other name}`);
    this.#at = end + 1;
    return { kind: 'value', names, ...this.#form(colon === -1 ? null : inner.slice(colon + 1).trim(), start) };
  }

  #form(form: string | null, start: number): Pick<SummaryValue, 'way' | 'unit'> {
    const way = SUMMARY_WAYS.find((one) => one === form) ?? null;
    if (form === null || way !== null) return { way, unit: null };
    if (SUMMARY_UNITS.includes(form)) return { way: null, unit: form };
    const known = [...SUMMARY_WAYS, ...SUMMARY_UNITS];
    throw this.#wrong(`has the unknown form ${form}${hint(form, known)}; known are ${known.join(', ')}`, start);
  }

  #wrong(what: string, at = this.#at): TemplateError {
    return new TemplateError(`${what} (character ${at + 1} of it)`);
  }
}
