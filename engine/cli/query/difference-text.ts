import type { Difference, DifferenceRow, DifferenceSide } from '../../api/difference-types.ts';
import { printableJson } from '../../api/printable.ts';
import { formatCompact } from '../../api/quantities.ts';
import { CODES, painterOf } from '../view/colours.ts';

/** Names of the sides, as the user chose them. */
export interface SideNames {
  readonly a: string;
  readonly b: string;
}

const INDENT = '    ';

/** A difference as lines for people. */
export function differenceLines({ rows, a, b, tests, skipped }: Difference, names: SideNames, hasColours: boolean): string[] {
  const paint = painterOf(hasColours);
  const lines = [sideLine('A', names.a, a), sideLine('B', names.b, b), ''];
  if (rows.length === 0) lines.push(`No difference beyond chance in ${tests.toLocaleString('en')} comparisons.`);
  for (const [i, row] of rows.entries()) {
    lines.push(`${String(i + 1).padStart(2)}  ${paint(row.text, CODES.bold)}`);
    for (const text of detailsOf(row)) lines.push(`${INDENT}${paint(text, CODES.dim)}`);
  }
  if (skipped.length > 0) lines.push('', `Not compared, as nearly all values differ: ${skipped.join(', ')}`);
  return lines;
}

function detailsOf({ causes, also, filter, chance, kind }: DifferenceRow): string[] {
  const percent = (share: number): string => `${formatCompact(share * 100)} %`;
  return [
    ...causes.map(({ text, share, others }) => `${percent(share)} of these have ${text} (${percent(others)} of the others)`),
    ...(also.length > 0 ? [`with it: ${also.slice(0, 3).join('; ')}${also.length > 3 ? `; and ${also.length - 3} more` : ''}`] : []),
    ...(kind === 'clock' || kind === 'gap'
      ? []
      : [`chance: ${chance < 1e-6 ? 'below 0.000001' : `at most ${Number(chance.toPrecision(1)).toFixed(6).replace(/0+$/, '')}`}`]),
    ...(filter === null ? [] : [`-w ${shellQuoted(filter)}`]),
  ];
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const time = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

const sideLine = (side: string, name: string, { records, from, to }: DifferenceSide): string =>
  `${side}  ${name}: ${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'}${records === 0 ? '' : `, ${time(from)} to ${time(to)}`}`;

/** A difference as lines of JSON: one for each row. */
export const differenceJson = ({ rows }: Difference): string[] =>
  rows.map((row) => printableJson(JSON.stringify({ ...row, lift: Number.isFinite(row.lift) ? row.lift : null })));
