import { endEntry, type End, type EndEntry } from '../../../engine/api/ends.ts';
import { formatBytes, formatNs } from '../../../engine/api/quantities.ts';
import { formatCount, formatSpan } from './format.ts';

/** Says why a script ended, to someone who did not write the sandbox. */
export interface PlainReason {
  /** The reason, as a sentence. */
  readonly text: string;
  /** Advice; empty: there is none. */
  readonly advice: string;
  /** The place in the script; null: unknown. */
  readonly place: { readonly file: string; readonly line: number } | null;
}

/**
 * An end in plain words: those of the catalogue, or the script's own where they say more.
 * @param inPlace the line is shown beside it
 */
export function plainEnd({ code, reason, limit, place, said }: End, inPlace = false): PlainReason {
  const { happened, advice, unit, quotes } = endEntry(code);
  const at = place === undefined ? null : { file: place.file, line: place.line };
  if (quotes !== true) return { text: happened.replace('{limit}', formatLimit(limit ?? 0, unit)), advice, place: at };
  const text = sentence(said ?? reason);
  return { text: at === null || inPlace ? text : `Line ${at.line} of ${at.file}: ${text}`, advice, place: at };
}

function formatLimit(limit: number, unit: EndEntry['unit']): string {
  switch (unit) {
    case 'bytes':
      return formatBytes(limit);
    case 'ms':
      return formatSpan(limit);
    case 'ns':
      return formatNs(limit);
    default:
      return formatCount(limit);
  }
}

function sentence(text: string): string {
  const [trimmed = ''] = text.trim().split('\n', 1);
  if (trimmed === '') return 'It gave no reason.';
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
