import { columnVariable } from '../../../../engine/api/columns.ts';
import type { RecordRow, UnreadRecord, ViewFacts } from '../../../../engine/api/types.ts';

/** A record that is shown before those in front of it are read, with the names of the columns that its values are of. */
type Ahead = UnreadRecord & { readonly columns: readonly string[] };

const NS_PER_SECOND = 1_000_000_000n;

/** Facts of records with those of further ones, which may be of another day, type or value than all that were read. */
export function withAhead(facts: ViewFacts, ahead: readonly Ahead[]): ViewFacts {
  if (ahead.length === 0) return facts;
  const times = ahead.map(({ time }) => time);
  const { from = Infinity, to = -Infinity } = facts.span ?? {};
  return {
    ...facts,
    span: { from: Math.min(from, ...times), to: Math.max(to, ...times) },
    severities: facts.severities === 'none' && ahead.some(({ severity }) => severity !== null) ? 'many' : facts.severities,
    type: ahead.every(({ type, failure }) => type === facts.type || failure !== null) ? facts.type : null,
    fractions: facts.fractions || ahead.some(({ timeNs }) => BigInt(timeNs) % NS_PER_SECOND !== 0n),
    alike: Object.fromEntries(Object.entries(facts.alike).filter(([name, value]) => ahead.every((record) => says(record, name, value)))),
  };
}

/** The sources of the records that are shown, those that are read ahead among them, as far as the filter lets them through. */
export function shownSources(
  known: readonly number[],
  ahead: { readonly source: number } | null,
  allowed: readonly number[],
): readonly number[] {
  const all = ahead === null || known.includes(ahead.source) ? known : [...known, ahead.source];
  const shown = allowed.length === 0 ? all : all.filter((id) => allowed.includes(id));
  return shown.length > 0 ? shown : allowed;
}

/** Whether a record says this in a field, as far as is known. */
function says({ columns, values, failure }: Ahead, name: string, value: string): boolean {
  const at = columns.findIndex((column) => columnVariable(column) === columnVariable(name));
  return at === -1 || failure !== null || values[at] === value;
}

/** The place among some rows at which records stand one behind the other; null: nowhere, or at several places. */
export function placeOf(records: readonly UnreadRecord[], rows: readonly RecordRow[]): number | null {
  const wanted = records.map(contentOf);
  const there = rows.map(contentOf);
  const isAt = (start: number): boolean => wanted.every((content, i) => there[start + i] === content);
  const first = there.findIndex((_, start) => isAt(start));
  const last = there.findLastIndex((_, start) => isAt(start));
  return wanted.length === 0 || first === -1 || first !== last ? null : first;
}

/** The content of a record as one text, without its number: to find the same record again. */
const contentOf = ({ timeNs, severity, type, logger, text, failure, values }: Omit<RecordRow, 'id'>): string =>
  JSON.stringify([timeNs, severity, type, logger, text, failure, values]);
