import { isHeader } from './expression.ts';
import type { Scanner } from './scanner.ts';
import { severityNamed } from '../severities.ts';
import { LEVEL, LOOKUP, MESSAGE, NAME, SPACED_OPERATOR, STRICT_FIELD } from './tokens.ts';
import type { Variable } from './variable.ts';

/** A name that was typed. */
export interface Found {
  readonly written: string;
  /** As the user names it. */
  readonly name: string;
  readonly type: Variable['type'];
  /** It is the severity by another name, of which more is worse. */
  readonly isLevel?: boolean;
  /** It is the text of the record. */
  readonly isText?: boolean;
  /** It is written as the matcher's language has it, or nearly so: its comparisons are those of that language. */
  readonly isStrict?: boolean;
}

/** Names of the lookups that there are; `any`: whatever is written like one. */
export type Lookups = 'any' | readonly string[];

/** Finds what names stand for. */
export class Names {
  readonly #scan: Scanner;
  readonly #variables: readonly Variable[];
  readonly #fields: 'known' | 'any';
  readonly #lookups: Lookups;

  /**
   * @param fields the known ones, or any: a name that is not known is that of a field
   * @param lookups that names may have behind them; what looks like another one is text, such as an address of mail
   */
  constructor(scan: Scanner, variables: readonly Variable[], fields: 'known' | 'any', lookups: Lookups) {
    this.#scan = scan;
    this.#lookups = lookups;
    this.#variables = variables;
    this.#fields = fields;
  }

  /** A header or field at this place, perhaps with a lookup: as the language writes it, or by the longest known name of a field. */
  take(): Found | null {
    const found = this.#variable();
    const lookup = found === null ? null : this.#lookup();
    if (found === null || lookup === null) return found;
    const { isStrict = false } = found;
    return { written: found.written + lookup, name: found.name + lookup, type: 'mixed', isStrict };
  }

  #lookup(): string | null {
    const at = this.#scan.at;
    const lookup = this.#scan.take(LOOKUP);
    if (lookup === null || this.#lookups === 'any' || this.#lookups.includes(/[\w-]+/.exec(lookup)?.[0] ?? '')) return lookup;
    this.#scan.at = at;
    return null;
  }

  #variable(): Found | null {
    const strict = this.#scan.take(STRICT_FIELD);
    if (strict !== null) {
      const name = /^Fields\[([^\]]+)\]/.exec(strict)?.[1] ?? '';
      const known = this.#variables.find((one) => one.name === `Fields[${name}]`);
      return { written: strict, name, type: known?.type ?? 'mixed', isStrict: this.#fields === 'any' };
    }
    const message = this.#scan.take(MESSAGE);
    if (message !== null) return { written: 'Payload', name: message, type: 'string', isText: true };
    const exact = this.#longest((name) => this.#scan.typed.startsWith(name, this.#scan.at));
    const rest = this.#scan.typed.slice(this.#scan.at).toLowerCase();
    const found = exact ?? this.#longest((name) => rest.startsWith(name.toLowerCase()));
    if (found === null) return this.#level() ?? this.#anyField();
    const name = this.#scan.typed.slice(this.#scan.at, (this.#scan.at += found.bare.length));
    if (this.#fields === 'known') return { written: found.variable.name, name: found.bare, type: found.variable.type };
    // In front of an operator another case is a mistake of that language.
    const isOperator = this.#scan.isAhead(SPACED_OPERATOR);
    return { written: isOperator ? name : found.variable.name, name: found.bare, type: found.variable.type, isStrict: true };
  }

  /** The severity by another name, where records have severities and no field of that name. */
  #level(): Found | null {
    if (!this.#variables.some(({ name, isLevel }) => name === 'Severity' && isLevel === true)) return null;
    LEVEL.lastIndex = this.#scan.at;
    const [name, one, listed] = LEVEL.exec(this.#scan.typed) ?? [];
    if (name === undefined || severityNamed(one ?? listed ?? '') === null) return null;
    this.#scan.at += name.length;
    return { written: 'Severity', name, type: 'number', isLevel: true };
  }

  /** The name at this place as that of a field, where it may be any. */
  #anyField(): Found | null {
    const name = this.#fields === 'any' && !this.#scan.isAhead(/NIL\b/y) ? this.#scan.take(NAME) : null;
    return name === null ? null : { written: `Fields[${name}]`, name, type: 'mixed' };
  }

  #longest(fits: (name: string) => boolean): { readonly variable: Variable; readonly bare: string } | null {
    let best: { readonly variable: Variable; readonly bare: string } | null = null;
    for (const variable of this.#variables) {
      const bare = bareName(variable.name);
      const shorter = bare.length - (best?.bare.length ?? 0);
      // In the language itself a header has its name for itself.
      if (shorter < 0 || (shorter === 0 && !isHeader(variable.name)) || !fits(bare)) continue;
      if (!/[\p{L}\p{N}_.[-]/u.test(this.#scan.typed.charAt(this.#scan.at + bare.length))) best = { variable, bare };
    }
    return best;
  }
}

/** `status` of `Fields[status]`; the name of a header as it is. */
function bareName(variable: string): string {
  return /^Fields\[([^\]]+)\]$/.exec(variable)?.[1] ?? variable;
}

/** The variables by the names that can be typed alone, for completion. */
export function bareVariables(variables: readonly Variable[]): Variable[] {
  const names = new Set(variables.map(({ name }) => name));
  return variables.map((variable) => {
    const bare = bareName(variable.name);
    const typeable = /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(bare) && (bare === variable.name || !names.has(bare));
    return typeable ? { ...variable, name: bare } : variable;
  });
}
