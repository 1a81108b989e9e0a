/** Grok: expressions that refer to others by their names, `%{IP:client} %{NUMBER:bytes:int}`. */
import { BASE_PATTERNS } from './grok_base.ts';
import { LOG_PATTERNS } from './grok_logs.ts';
import { NAGIOS_PATTERNS } from './grok_nagios.ts';
import { NETWORK_PATTERNS } from './grok_network.ts';
import { exactInteger } from '../../base/int64.ts';
import { translate, type Translated } from './oniguruma.ts';
import { RepeatedGroups } from './repeated_groups.ts';

/** A captured text: the field that it becomes, and of which type. */
export interface Capture {
  readonly name: string;
  readonly type: CaptureType | null;
}
export type CaptureType = 'number' | 'integer' | 'bool' | 'string';

const TYPES = new Map<string, CaptureType>(
  Object.entries({
    int: 'integer',
    integer: 'integer',
    long: 'integer',
    float: 'number',
    double: 'number',
    boolean: 'bool',
    bool: 'bool',
    string: 'string',
    text: 'string',
  }),
);
/** An integer; of longer ones nobody means all digits. */
const DIGITS = /^[+-]?\d{16,1000}$/;
const DEFINITION = /^([\w-]+)\s+(\S.*?)\s*$/;
/** `%{NAME}`, `%{NAME:field}`, `%{NAME:field:type}`, and with two names of the field. As in Logstash, what stands behind a blank or a question mark is a comment. */
const REFERENCE = /%\{(\w+)(?::([^:{}|?]*)(?::(\w+))?(?:\|([^:{}|?]*)(?::(\w+))?)?)?(?:[? ][^{}|]*)?\}/g;
/** Matches what looks like a reference and is none. */
const OTHER_REFERENCE = /%\{[^}\s]{0,60}\}?/;
const ESCAPED_NAME = /^\(\?<([^>=!][^>]*)>/;
const MAX_DEPTH = 50;
const MAX_LENGTH = 200_000;
/** On longer records an expression that cannot take long decides first whether the exact one is worth a try. */
const LONG_RECORD = 256;

/** Definitions by their names. Lines are `NAME expression`; empty ones and those that begin with # do not count. */
export function definitions(...texts: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const text of texts) {
    for (const line of text.split(/\r?\n/)) {
      if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
      const [, name, expression] = DEFINITION.exec(line.trimStart()) ?? [];
      if (name === undefined || expression === undefined) throw new SyntaxError(`no name and expression: ${line.slice(0, 80)}`);
      found.set(name, expression);
    }
  }
  return found;
}

/** Wider patterns in place of those that V8 cannot match in linear time because of their repetitions. */
const SIMPLER: Readonly<Record<string, string>> = { IPV6: String.raw`[0-9A-Fa-f:.]+(?:%[\w.-]+)?`, RUUID: '[0-9A-Fa-f]+' };

/** The usual patterns and those of a user, which win. */
export class GrokPatterns {
  readonly #known: ReadonlyMap<string, string>;
  readonly #simpler: ReadonlyMap<string, string>;
  readonly #ecs: boolean;
  readonly #dotAll: boolean;

  /**
   * Raises an error for a line that is no definition.
   * @param own texts of definitions
   * @param ecs whether fields have the second one of two names
   * @param dotAll whether the dot takes line ends
   */
  constructor(own: readonly string[], ecs: boolean, dotAll = true) {
    const usual = definitions(BASE_PATTERNS, LOG_PATTERNS, NAGIOS_PATTERNS, NETWORK_PATTERNS);
    const mine = definitions(...own);
    this.#known = new Map([...usual, ...mine]);
    this.#simpler = new Map([...usual, ...Object.entries(SIMPLER), ...mine]);
    this.#ecs = ecs;
    this.#dotAll = dotAll;
  }

  /** The names of all patterns. */
  get names(): string[] {
    return [...this.#known.keys()];
  }

  /** Compiles a pattern. Raises an error that says what is wrong with it. */
  compile(pattern: string): Grok {
    const { text, captures } = new Expansion(this.#known, this.#ecs).run(pattern);
    const simple = new Expansion(this.#simpler, this.#ecs).run(pattern).text;
    const dialect = { lines: true, dotAll: this.#dotAll };
    return new Grok(translate(text, dialect), translate(simple, { ...dialect, relaxed: true }).expression, captures);
  }
}

/** One compiled pattern. */
export class Grok {
  /** The captures by the numbers of their groups; undefined for groups that only the expression needs. */
  readonly captures: readonly (Capture | undefined)[];
  readonly #exact: Translated;
  /** Matches all that the exact one does, in linear time; null when the exact one does so itself. */
  readonly #relaxed: RegExp | null;
  readonly #repeated: RepeatedGroups | null;

  /** @param relaxed matches all that the exact one does */
  constructor(exact: Translated, relaxed: RegExp, captures: readonly Capture[]) {
    this.#exact = exact;
    this.#relaxed = relaxed.source === exact.expression.source ? null : relaxed;
    const { expression, places, repetitions } = exact;
    this.#repeated = repetitions.length === 0 ? null : new RepeatedGroups(expression, places, repetitions);
    this.captures = exact.names.map((name) => (name === undefined ? undefined : captures[Number(name)]));
  }

  /** The texts of the groups, or null. */
  match(text: string): RegExpExecArray | null {
    if (text.length > LONG_RECORD && this.#relaxed !== null && !this.#relaxed.test(text)) return null;
    const found = this.#exact.expression.exec(text);
    if (found !== null) this.#repeated?.complete(text, found);
    return found;
  }
}

class Expansion {
  readonly #known: ReadonlyMap<string, string>;
  readonly #ecs: boolean;
  readonly #captures: Capture[] = [];
  #length = 0;

  constructor(known: ReadonlyMap<string, string>, ecs: boolean) {
    this.#known = known;
    this.#ecs = ecs;
  }

  /** The pattern without references. Its groups are named by the places of their captures. */
  run(pattern: string): { readonly text: string; readonly captures: readonly Capture[] } {
    return { text: this.#expand(pattern, []), captures: this.#captures };
  }

  #expand(pattern: string, chain: readonly string[]): string {
    if (chain.length > MAX_DEPTH) throw new SyntaxError(`patterns that refer to each other more than ${MAX_DEPTH} deep`);
    const named = this.#nameGroups(pattern);
    const text = named.replace(
      REFERENCE,
      (_: string, name: string, first?: string, firstType?: string, second?: string, secondType?: string) => {
        const definition = this.#known.get(name);
        if (definition === undefined) throw new SyntaxError(`there is no pattern ${name}. Define it in patterns or patterns_file`);
        if (chain.includes(name)) throw new SyntaxError(`the pattern ${name} refers to itself: ${[...chain, name].join(' → ')}`);
        const [field = '', type] = this.#ecs && second !== undefined ? [second, secondType] : [first, firstType];
        const begin = field === '' ? '(?:' : this.#begin(field, type);
        return `${begin}${this.#expand(definition, [...chain, name])})`;
      },
    );
    const other = OTHER_REFERENCE.exec(text);
    if (other !== null)
      throw new SyntaxError(`${other[0]} is not a reference to a pattern. It has the form %{NAME}, %{NAME:field} or %{NAME:field:type}`);
    this.#length += text.length;
    if (this.#length > MAX_LENGTH) throw new SyntaxError('the pattern is too long when all that it refers to is put in');
    return text;
  }

  /** The beginning of a group that becomes a field. */
  #begin(field: string, type: string | undefined): string {
    const known = type === undefined ? null : TYPES.get(type);
    if (known === undefined) throw new SyntaxError(`${type} is not a type of fields: use ${[...TYPES.keys()].join(', ')}`);
    return `(?<${this.#captures.push({ name: fieldName(field), type: known }) - 1}>`;
  }

  /** `(?<name>` and `(?<name:int>` of the pattern itself, and references to such groups. */
  #nameGroups(pattern: string): string {
    const places = new Map<string, string>();
    let text = '';
    for (let at = 0; at < pattern.length;) {
      const rest = pattern.slice(at, at + 200);
      const [whole, name] = ESCAPED_NAME.exec(rest) ?? [];
      if (whole !== undefined && name !== undefined) {
        const [field = '', type] = name.split(':');
        const begin = this.#begin(field, type);
        places.set(field, begin.slice(3, -1));
        text += begin;
        at += whole.length;
      } else {
        const reference = /^\\k<([^>]+)>/.exec(rest);
        const length = reference?.[0].length ?? (rest.startsWith('\\') ? 2 : 1);
        text += reference === null ? rest.slice(0, length) : `\\k<${places.get(reference[1] as string) ?? 'unknown'}>`;
        at += length;
      }
    }
    return text;
  }
}

/** `[source][ip]` is the field source.ip. */
function fieldName(name: string): string {
  return name.startsWith('[') ? name.slice(1, name.endsWith(']') ? -1 : undefined).replaceAll('][', '.') : name;
}

/** The value of a captured text; the text itself when it is none of its type. */
export function captured(text: string, type: CaptureType | null): Scalar | bigint {
  if (type === 'bool') return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
  if (type === null || type === 'string' || text.trim() === '') return text;
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  if (type !== 'integer') return number;
  return Number.isSafeInteger(number) || !DIGITS.test(text) ? Math.trunc(number) : exactInteger(BigInt(text));
}
