import { headerNamed } from '../../api/headers.ts';
import { printable } from '../../api/printable.ts';
import { SEVERITY_NAMES } from '../../api/severities.ts';
import { withoutEscapes } from '../../base/text/terminal-escapes.ts';
import { fieldAt, intAt, textAt, type MessageBatch } from '../../message/batch/batch.ts';
import { fieldText, summariesOf, UNTOLD, type RowSummary, type SummaryPlan } from '../../message/summary/record-summary.ts';
import type { Part } from './records.ts';
import { fillOf } from '../display-width.ts';
import { ClockWriter, type ZoneOffset } from './clock.ts';
import type { Labels } from './labels.ts';
import { CODES, painterOf, paintValues, SEVERITY_CODES, SOURCE_CODES, type Paint } from './colours.ts';

/** The file of some records, as lines tell it. */
export interface LineSource {
  /** Path of the file, which records have as their logger unless they name one. */
  readonly name: string;
  /** Its name beside those of the others. */
  readonly label: string;
  /** Its number, from 0 on. */
  readonly index: number;
  readonly plan: SummaryPlan;
}

export interface LineForm {
  readonly hasColours: boolean;
  readonly zone: ZoneOffset;
  /** One line for each record. */
  readonly fold: boolean;
  /** Fields that are shown in place of the summary; null: the summary, and what it does not tell. */
  readonly fields: readonly string[] | null;
  /** Fields and headers that are not shown. */
  readonly hide: readonly string[];
  /** Those of the sources. */
  readonly labels: Pick<Labels, 'width'>;
  /** Name of this machine, which records have unless they name another. */
  readonly machine: string;
}

/** Nothing is cut off: a pager wraps lines, or chops them. */
const WHOLE = { whole: Infinity, value: Infinity };
const INDENT = '    ';
const LEVEL_WIDTH = Math.max(...SEVERITY_NAMES.map(([word]) => word.length));
const LEVELS = SEVERITY_NAMES.map(([word]) => word.padEnd(LEVEL_WIDTH));
/** Headers that are told behind the summary, by the words that stand for them. */
const HEADERS = [
  ['logger', 'Logger'],
  ['host', 'Hostname'],
  ['pid', 'Pid'],
] as const;

/** A value behind the summary. */
type Reader = (row: number) => string;

/** The form of the rows of one batch. */
interface BatchWriter {
  readonly batch: MessageBatch;
  readonly summary: RowSummary;
  readonly readers: readonly { readonly name: string; readonly shown: string; readonly read: Reader }[];
  readonly undated: Reader;
}

/** Writes records as lines for people: time, level, source, summary, and the fields that this does not tell. */
export class LineWriter {
  readonly #form: LineForm;
  readonly #paint: Paint;
  readonly #clock: ClockWriter;
  /** A record with a level was seen: then all lines have room for one. */
  #hasLevels = false;
  #writer: BatchWriter | null = null;

  constructor(form: LineForm) {
    this.#form = form;
    this.#paint = painterOf(form.hasColours);
    this.#clock = new ClockWriter(form.zone);
  }

  /** Makes room for what the lines of some records tell. */
  expect({ batch: { timestamps, severity }, rows }: Pick<Part, 'batch' | 'rows'>): void {
    this.#clock.expect(timestamps);
    this.#hasLevels ||= severity !== null && rows.some((row) => intAt(severity, row) !== undefined);
  }

  /** A record, with the end of its last line. */
  line(batch: MessageBatch, row: number, source: LineSource): string {
    const writer = this.#writer?.batch === batch ? this.#writer : this.#begin(batch, source);
    const head = this.#head(writer, row, source);
    const told: string[] = [];
    const summary = this.#form.fields === null ? printable(writer.summary(row, told)) : '';
    const below: string[] = [];
    const pairs = this.#pairs(writer, row, told, below);
    const more = this.#form.fields === null ? furtherLines(batch, row, summary) : [];
    const folded =
      this.#form.fold && more.length + below.length > 0 ? this.#paint(`(+${more.length + below.length} lines)`, CODES.dim) : '';
    const first = [head, paintValues(summary, this.#paint), pairs, folded].filter((part) => part !== '').join(' ');
    const others = this.#form.fold ? [] : [...more, ...below];
    return `${first.trimEnd()}\n${others.map((line) => `${INDENT}${line}\n`).join('')}`;
  }

  #begin(batch: MessageBatch, { name, plan }: LineSource): BatchWriter {
    const { fields, hide, machine } = this.#form;
    const headers = HEADERS.map(([shown, header]) => ({ name: header, shown, read: headerReader(batch, header, { name, machine }) }));
    const columns = batch.fields.map((column) => ({ name: column.name, shown: column.name, read: columnReader(column) }));
    const all = [...columns.filter((column) => !UNTOLD.test(column.name)), ...headers];
    const isNamed = (one: string, { name: own, shown }: (typeof all)[number]): boolean =>
      one === own || one === shown || headerNamed(one)?.name === own;
    const readers =
      fields === null
        ? all.filter((reader) => !hide.some((one) => isNamed(one, reader)))
        : fields.flatMap((one) => {
            const found = all.filter((reader) => isNamed(one, reader));
            return found.length > 0 || headerNamed(one) === undefined ? found : [{ name: one, shown: one, read: anyHeader(batch, one) }];
          });
    const undated = batch.fields.find((column) => column.name === 'undated');
    return (this.#writer = {
      batch,
      summary: summariesOf(plan, batch, WHOLE),
      readers,
      undated: undated === undefined ? () => '' : columnReader(undated),
    });
  }

  #head({ batch, undated }: BatchWriter, row: number, { label, index }: LineSource): string {
    const isDated = undated(row) === '';
    const time = isDated ? this.#clock.write(batch.timestamps[row] as bigint) : ' '.repeat(this.#clock.width);
    const parts = [this.#paint(time, CODES.dim)];
    if (this.#hasLevels) {
      const severity = intAt(batch.severity, row) ?? -1;
      const level = LEVELS[severity];
      parts.push(level === undefined ? ' '.repeat(LEVEL_WIDTH) : this.#paint(level, SEVERITY_CODES[severity] as string));
    }
    if (this.#form.labels.width > 0)
      parts.push(this.#paint(label, SOURCE_CODES[index % SOURCE_CODES.length] as string) + fillOf(label, this.#form.labels.width));
    return parts.join(' ');
  }

  /** The fields as pairs. @param below gets the lines of values that have several */
  #pairs({ readers }: BatchWriter, row: number, told: readonly string[], below: string[]): string {
    const { fields, fold } = this.#form;
    const pairs: string[] = [];
    for (const { name, shown, read } of readers) {
      if (told.includes(name)) continue;
      const value = read(row);
      if (value === '' || (value === '-' && fields === null)) continue;
      const lines = value.includes('\n') ? linesOf(value.trim()) : [];
      if (lines.length > 1 && !fold) {
        below.push(`${printable(shown)}:`, ...lines.map((line) => INDENT + line));
        continue;
      }
      below.push(...lines.slice(1));
      const text = pairValue(lines[0] ?? value);
      if (fields !== null) pairs.push(this.#paint(`${printable(shown)}=`, CODES.dim) + paintValues(text, this.#paint));
      else pairs.push(`${printable(shown)}=${text}`);
    }
    return fields === null ? this.#paint(pairs.join(' '), CODES.dim) : pairs.join(' ');
  }
}

/** The lines of a text of several that the summary does not have. */
function furtherLines(batch: MessageBatch, row: number, summary: string): string[] {
  const text = textAt(batch.payload, row);
  if (text === undefined || !text.includes('\n')) return [];
  const lines = linesOf(text.trim());
  return lines.slice(summary.includes((lines[0] as string).replace(/\s+/g, ' ').trim()) ? 1 : 0);
}

const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split(/\r?\n|\r/)
    .map((line) => printable(withoutEscapes(line.trimEnd()).replaceAll('\t', INDENT)));

/** A value without white space, or a number with its unit. */
const PLAIN = /^(?:[^\s"=]+|[-−]?\d[\d.,]* [^\s"=]{1,5})$/;

/** A value behind its name, in quotes where it would not be seen how far it goes. */
function pairValue(value: string): string {
  const text = printable(value.trimEnd());
  return PLAIN.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
}

function columnReader(column: MessageBatch['fields'][number]): Reader {
  return (row) => {
    const field = fieldAt(column, row);
    return field === undefined ? '' : fieldText(field, null);
  };
}

/** A header, unless it is that of every record of the file. */
function headerReader(
  batch: MessageBatch,
  header: (typeof HEADERS)[number][1],
  { name, machine }: { readonly name: string; readonly machine: string },
): Reader {
  if (header === 'Pid') return (row) => intAt(batch.pid, row)?.toString() ?? '';
  const [column, usual] = header === 'Logger' ? [batch.logger, name] : [batch.hostname, machine];
  return (row) => {
    const text = textAt(column, row) ?? '';
    return text === usual ? '' : withoutEscapes(text);
  };
}

/** A header that was asked for. */
function anyHeader(batch: MessageBatch, name: string): Reader {
  const header = headerNamed(name);
  if (header?.kind === 'text') return (row) => withoutEscapes(textAt(batch[header.member], row) ?? '');
  if (header?.kind === 'int') return (row) => intAt(batch[header.member], row)?.toString() ?? '';
  return () => '';
}
