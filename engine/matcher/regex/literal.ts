import { onlyMember, type CharSet } from './charset.ts';
import type { Regex } from './syntax.ts';

const LAST_LATIN = 0xff;

/** An expression that is only text, perhaps tied to the start or the end. */
export interface LiteralForm {
  readonly kind: 'always' | 'contains' | 'startsWith' | 'endsWith' | 'equals';
  readonly text: string;
}

/** The literal form of a trimmed expression, or null when it is more than text. */
export function literalForm(regex: Regex): LiteralForm | null {
  const parts = [...partsOf(regex)];
  const atStart = isAssertion(parts[0], 'textStart');
  if (atStart) parts.shift();
  const atEnd = isAssertion(parts.at(-1), 'textEnd');
  if (atEnd) parts.pop();
  let text = '';
  for (const part of parts) {
    const code = part.kind === 'set' ? onlyMember(part.set) : -1;
    if (code < 0 || isSurrogate(code)) return null;
    text += String.fromCodePoint(code);
  }
  if (atStart && atEnd) return { kind: 'equals', text };
  if (text === '') return { kind: 'always', text };
  return { kind: atStart ? 'startsWith' : atEnd ? 'endsWith' : 'contains', text };
}

/** A text that every match contains. */
export interface RequiredLiteral {
  readonly text: string;
  /** UTF-16 code units that a match may have before it; Infinity when there is no bound. */
  readonly before: number;
}

/**
 * The longest run of literal text that the expression requires, or null when it requires none of two characters or more.
 * @param memberOf the character that a set stands for, or -1
 */
export function requiredLiteral(regex: Regex, memberOf = onlyMember): RequiredLiteral | null {
  let best: RequiredLiteral | null = null;
  let text = '';
  let before = 0;
  let reach = 0;
  const close = (): void => {
    if (text.length > Math.max(best?.text.length ?? 0, 1)) best = { text, before };
    text = '';
  };
  for (const part of partsOf(regex)) {
    const code = part.kind === 'set' ? memberOf(part.set) : -1;
    if (code >= 0 && !isSurrogate(code)) {
      if (text === '') before = reach;
      text += String.fromCodePoint(code);
    } else if (part.kind !== 'assertion') close();
    reach += longest(part);
  }
  close();
  return best;
}

/** A text in lower case that every match in a text of Latin-1 has in some case; null: none of two characters or more. */
export const requiredInLatin = (regex: Regex): string | null => requiredLiteral(regex, latinMember)?.text ?? null;

/** The lower-case form of the characters of Latin-1 in a set, or -1 when it has none or other ones. */
function latinMember(set: CharSet): number {
  let found = -1;
  for (let i = 0; i < set.length && (set[i] as number) <= LAST_LATIN; i += 2) {
    const [low, high] = [set[i] as number, set[i + 1] as number];
    const code = low === high ? String.fromCharCode(low).toLowerCase().charCodeAt(0) : -1;
    if (code === -1 || (found !== -1 && found !== code)) return -1;
    found = code;
  }
  return found;
}

/** The most UTF-16 code units that the expression can take. */
function longest(regex: Regex): number {
  switch (regex.kind) {
    case 'empty':
    case 'assertion':
      return 0;
    case 'set':
      return (regex.set.at(-1) ?? 0) > 0xffff ? 2 : 1;
    case 'sequence':
      return regex.parts.reduce((sum, part) => sum + longest(part), 0);
    case 'choice':
      return Math.max(...regex.parts.map(longest));
    case 'repeat':
      return regex.max < 0 ? Infinity : regex.max * longest(regex.part);
  }
}

function partsOf(regex: Regex): readonly Regex[] {
  if (regex.kind === 'sequence') return regex.parts;
  return regex.kind === 'empty' ? [] : [regex];
}

function isAssertion(regex: Regex | undefined, assertion: string): boolean {
  return regex?.kind === 'assertion' && regex.assertion === assertion;
}

/** Half of a pair: as text it would also be found inside of a whole character. */
function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
