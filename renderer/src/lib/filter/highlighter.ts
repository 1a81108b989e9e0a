import type { HighlightColor, Highlighter, HighlightKind } from '../../../../engine/api/types.ts';

/** The colours, in the order of their numbers. */
export const COLORS = ['Yellow', 'Green', 'Blue', 'Purple', 'Red', 'Grey'] as const;

export const KINDS: readonly { readonly kind: HighlightKind; readonly title: string }[] = [
  { kind: 'text', title: 'Text' },
  { kind: 'regex', title: 'Regular expression' },
  { kind: 'field', title: 'Value of a field' },
];

/** A rule with the first colour that the others leave. */
export function newHighlighter(others: readonly Highlighter[], part: Partial<Highlighter> = {}): Highlighter {
  const free = COLORS.findIndex((_name, color) => others.every((other) => other.color !== color));
  const color = (free === -1 ? others.length % COLORS.length : free) as HighlightColor;
  return { name: '', kind: 'text', text: '', field: '', caseSensitive: false, word: false, color, enabled: true, ...part };
}

/** The rules as they are used: without empty ones, and each with a name. */
export function finished(list: readonly Highlighter[]): Highlighter[] {
  return list
    .filter(({ kind, text, field }) => text !== '' && (kind !== 'field' || field !== ''))
    .map((rule) => ({ ...rule, name: rule.name.trim() === '' ? nameOf(rule) : rule.name.trim() }));
}

function nameOf({ kind, text, field }: Highlighter): string {
  return (kind === 'field' ? `${field} = ${text}` : text).slice(0, 100).trim() || 'Rule';
}

/** Names of fields, and those whose values the rules ask for, each once. */
export function withFields(names: readonly string[], list: readonly Highlighter[]): string[] {
  const wanted = list.filter(({ kind, enabled }) => kind === 'field' && enabled).map(({ field }) => field);
  return [...new Set([...names, ...wanted])];
}

/** The colour of a row by the values of its fields: that of the last rule that fits; null: none does. */
export function rowColor(list: readonly Highlighter[], valueOf: (field: string) => string | null): HighlightColor | null {
  const fits = ({ kind, enabled, field, text, caseSensitive }: Highlighter): boolean => {
    const value = kind === 'field' && enabled ? valueOf(field) : null;
    return value !== null && (value === text || (!caseSensitive && value.toLowerCase() === text.toLowerCase()));
  };
  return list.findLast(fits)?.color ?? null;
}
