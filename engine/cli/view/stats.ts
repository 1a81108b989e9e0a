import { formatCompact } from '../../api/quantities.ts';
import { printable } from '../../api/printable.ts';
import { SEVERITY_NAMES } from '../../api/severities.ts';
import { fieldAt, intAt, type MessageBatch } from '../../message/batch/batch.ts';
import { fieldText, summariesOf, UNTOLD, type RowSummary } from '../../message/summary/record-summary.ts';
import { Drain } from '../../../plugins/modules/drain.ts';
import { logWords, MAX_LENGTH } from '../../../plugins/modules/log_words.ts';
import { cutTo, displayWidth, fillOf } from '../display-width.ts';
import type { Output } from '../output.ts';
import type { Shown } from './around.ts';
import { ClockWriter } from './clock.ts';
import { CODES, painterOf, SEVERITY_CODES } from './colours.ts';
import type { LineForm } from './lines.ts';
import type { RecordWriter } from './writers.ts';

/** Fields that are counted, different values of each, and those that are told. */
const [MOST_FIELDS, MOST_VALUES, TOLD_VALUES] = [100, 2000, 5];
const [TOLD_FIELDS, TOLD_PATTERNS, NAME_WIDTH, VALUE_WIDTH] = [12, 10, 24, 40];
const PATTERNS = { similarity: 0.5, prefix: 1, maxPatterns: 2000 };

/** The values of a field, as far as there is room for them. */
interface Values {
  records: number;
  readonly counts: Map<string, number>;
  /** There are more different ones than are counted. */
  isFull: boolean;
}

/** A page about records: how many, of which time and levels, the most frequent values of their fields, and the patterns of what they say. Its memory is bounded. */
export function statsTo(out: Output, { hasColours, zone, fields: asked, hide }: LineForm): RecordWriter {
  const paint = painterOf(hasColours);
  const clock = new ClockWriter(zone);
  const levels = new Map<number, number>();
  const fields = new Map<string, Values>();
  const patterns = new Drain(PATTERNS, { patterns: [], next: 1 });
  const span: { first: bigint | null; last: bigint | null } = { first: null, last: null };
  let count = 0;
  let summary: { readonly batch: MessageBatch; readonly of: RowSummary } | null = null;

  const add = ({ part: { batch, source }, row }: Shown): void => {
    count++;
    const time = batch.timestamps[row] as bigint;
    if (span.first === null || time < span.first) span.first = time;
    if (span.last === null || time > span.last) span.last = time;
    const level = intAt(batch.severity, row);
    if (level !== undefined) levels.set(level, (levels.get(level) ?? 0) + 1);
    for (const column of batch.fields) {
      if (asked === null ? UNTOLD.test(column.name) || hide.includes(column.name) : !asked.includes(column.name)) continue;
      const field = fieldAt(column, row);
      if (field !== undefined) addValue(fields, column.name, fieldText(field, null));
    }
    if (summary?.batch !== batch) summary = { batch, of: summariesOf(source.plan, batch) };
    const line = summary.of(row).slice(0, MAX_LENGTH);
    const words = logWords(line);
    if (words.length > 0) patterns.add(words, line, count);
  };

  const titled = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `\n${paint(title, CODES.bold)}\n${lines.join('\n')}\n`;
  return {
    write: async (shown) => {
      for (const one of shown) add(one);
      return Promise.resolve();
    },
    end() {
      const { first, last } = span;
      const range = first === null || last === null ? '' : `, ${clock.write(first)} to ${clock.write(last)}`;
      out.add(`${count} ${count === 1 ? 'record' : 'records'}${range}\n`);
      const ofLevels = [...levels].toSorted(([a], [b]) => a - b);
      out.add(
        titled(
          'Levels',
          ofLevels.map(
            ([level, records]) =>
              `${String(records).padStart(8)}  ${paint(SEVERITY_NAMES[level]?.[0] ?? String(level), SEVERITY_CODES[level] ?? CODES.dim)}`,
          ),
        ),
      );
      out.add(titled('Fields', fieldLines(fields, count)));
      const found = patterns.state.patterns.toSorted((a, b) => b.count - a.count || a.id - b.id);
      out.add(
        titled(
          'Patterns',
          found.slice(0, TOLD_PATTERNS).map(({ count: lines, words }) => `${String(lines).padStart(8)}  ${printable(words.join(' '))}`),
        ),
      );
    },
  };
}

function addValue(fields: Map<string, Values>, name: string, value: string): void {
  let values = fields.get(name);
  if (values === undefined) {
    if (fields.size >= MOST_FIELDS) return;
    fields.set(name, (values = { records: 0, counts: new Map(), isFull: false }));
  }
  values.records++;
  const counted = values.counts.get(value);
  if (counted === undefined && values.counts.size >= MOST_VALUES) values.isFull = true;
  else values.counts.set(value, (counted ?? 0) + 1);
}

/** The fields that most records have, with their most frequent values. */
function fieldLines(fields: ReadonlyMap<string, Values>, count: number): string[] {
  const told = [...fields].toSorted(([, a], [, b]) => b.records - a.records).slice(0, TOLD_FIELDS);
  const names = told.map(([name]) => cutTo(printable(name), NAME_WIDTH));
  const width = Math.max(0, ...names.map(displayWidth));
  return told.map(([, { records, counts, isFull }], at) => {
    const name = names[at] as string;
    const top = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, TOLD_VALUES);
    const isTelling = (top[0]?.[1] ?? 0) > 1 || counts.size <= TOLD_VALUES;
    const values = isTelling ? top.map(([value, times]) => `${cutTo(printable(value), VALUE_WIDTH)} (${times})`) : [];
    const others = counts.size - values.length;
    if (others > 0)
      values.push(
        `${values.length > 0 ? 'and ' : ''}${isFull ? 'more than ' : ''}${others} ${values.length > 0 ? 'others' : 'different values'}`,
      );
    const share = records === count ? '' : `  in ${formatCompact((records / count) * 100)} %`;
    return `  ${name}${fillOf(name, width)}  ${values.join(', ')}${share}`;
  });
}
