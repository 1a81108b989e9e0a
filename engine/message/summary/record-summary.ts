import { quantityText } from '../../api/quantities.ts';
import { headerNamed, type Header } from '../../api/headers.ts';
import { withoutEscapes } from '../../base/text/terminal-escapes.ts';
import { fieldAt, intAt, textAt, type MessageBatch } from '../batch/batch.ts';
import type { FieldColumn } from '../batch/columns.ts';
import { ValueType, type Field } from '../types.ts';
import { namesIn, type SummaryPart, type SummaryTemplate, type SummaryValue } from './template.ts';
import { firstLine, WAYS } from './ways.ts';

/** The facts by which the summaries of a decoder's records are made. */
export interface SummaryPlan {
  /** null: the text of the record, or its fields. */
  readonly template: SummaryTemplate | null;
  /** Fields that are told first where a summary is made of all of them. */
  readonly columns: readonly string[];
}

/** The plan of records whose decoder says nothing of a summary. */
export const PLAIN_PLAN: SummaryPlan = { template: null, columns: [] };

/** Makes the summary of a row; empty when the record has neither a text nor fields. @param told gets the names of the values that are in it */
export type RowSummary = (row: number, told?: string[]) => string;

/** Characters of a summary, and of one value in it. */
export interface SummaryLimits {
  readonly whole: number;
  readonly value: number;
}

const SHORT: SummaryLimits = { whole: 500, value: 300 };
/** Fields of which a summary is made that has nothing else. */
const MOST_FIELDS = 16;
/** Stands between parts, and vanishes with them. */
const JOINT = ' · ';
const JOINTS = /(?:^|\s+)·(?=\s|$)/;

/** Makes the summaries of a batch's records: what differs between rows alone is looked up for each. */
export function summariesOf({ template, columns }: SummaryPlan, batch: MessageBatch, limits: SummaryLimits = SHORT): RowSummary {
  const byTemplate = template === null ? () => NOTHING : new TemplateWriter(template, columns, batch, limits).writer;
  const inFull = fieldsWriter(columns, batch, limits);
  return (row, told = []) => {
    const written = byTemplate(row, told) ?? NOTHING;
    const summary = written.values === 0 ? '' : tidy(written.text);
    if (summary !== '') return cut(summary, limits.whole);
    told.length = 0;
    const text = textAt(batch.payload, row);
    const line = text === undefined ? '' : oneLine(WAYS.error(withoutEscapes(text)));
    if (line === '') return cut(inFull(row, told), limits.whole);
    told.push(TEXT);
    return cut(line, limits.whole);
  };
}

/** A part that was written; how many values are in it. */
interface Written {
  readonly text: string;
  readonly values: number;
}

/** Writes a part of a row; null: a value that it needs is missing. */
type Writer = (row: number, told: string[]) => Written | null;

/** The name of the text of a record. */
const TEXT = 'Payload';

class TemplateWriter {
  readonly writer: Writer;
  readonly #batch: MessageBatch;
  readonly #limits: SummaryLimits;
  readonly #rest: () => RowSummary;

  constructor(template: SummaryTemplate, columns: readonly string[], batch: MessageBatch, limits: SummaryLimits) {
    this.#batch = batch;
    this.#limits = limits;
    this.#rest = () => fieldsWriter(columns, batch, limits, namesIn(template));
    this.writer = this.#ofParts(template, false);
  }

  /** Writes parts one behind the other. @param needed whether all of their values must be there, and one at least */
  #ofParts(parts: SummaryTemplate, needed: boolean): Writer {
    const writers = parts.map((part) => this.#ofPart(part));
    return (row, told) => {
      let text = '';
      let values = 0;
      const before = told.length;
      for (const write of writers) {
        const part = write(row, told);
        if (part === null && needed) {
          told.length = before;
          return null;
        }
        text += part?.text ?? '';
        values += part?.values ?? 0;
      }
      return needed && values === 0 ? null : { text, values };
    };
  }

  #ofPart(part: SummaryPart): Writer {
    if (typeof part === 'string') return () => ({ text: part, values: 0 });
    switch (part.kind) {
      case 'value':
        return valueWriter(part, this.#batch, this.#limits.value);
      case 'rest': {
        const write = this.#rest();
        return (row, told) => valueOrNone(write(row, told));
      }
      case 'choice': {
        const alternatives = part.alternatives.map((parts) => this.#ofParts(parts, true));
        return (row, told) => {
          for (const write of alternatives) {
            const written = write(row, told);
            if (written !== null) return written;
          }
          return NOTHING;
        };
      }
    }
  }
}

const valueOrNone = (text: string): Written | null => (text === '' ? null : { text, values: 1 });

const NOTHING: Written = { text: '', values: 0 };

function valueWriter({ names, way, unit }: SummaryValue, batch: MessageBatch, most: number): Writer {
  const readers = names.flatMap((name) => {
    const read = reader(name, batch, unit);
    return read === null ? [] : [{ name: headerNamed(name)?.name ?? fieldNamed(name), read }];
  });
  return (row, told) => {
    for (const { name, read } of readers) {
      const value = read(row);
      // Logs write a dash where there is nothing.
      if (value === null || value === '' || value === '-') continue;
      const text = oneLine(way === null ? firstLine(value) : WAYS[way](value));
      if (text === '') continue;
      told.push(name);
      return { text: cut(text, most), values: 1 };
    }
    return null;
  };
}

type Reader = (row: number) => string | null;

/** Reads a header, or the field of that name as people write it; null: no record of the batch has it. */
function reader(name: string, batch: MessageBatch, unit: string | null): Reader | null {
  const header = headerNamed(name);
  if (header !== undefined) return headerReader(header, batch);
  const field = fieldNamed(name);
  const columns = batch.fields.filter((column) => column.name === field);
  if (columns.length === 0) return null;
  return (row) => {
    const found = columns.flatMap((column) => fieldAt(column, row) ?? []);
    return found.length === 0 ? null : found.map((one) => fieldText(one, unit)).join(', ');
  };
}

const fieldNamed = (name: string): string => /^Fields\[(.*)\]$/s.exec(name)?.[1] ?? name;

function headerReader(header: Header, batch: MessageBatch): Reader {
  switch (header.kind) {
    case 'text':
      return (row) => withoutEscapes(textAt(batch[header.member], row) ?? '');
    case 'int':
      return (row) => intAt(batch[header.member], row)?.toString() ?? null;
    case 'time':
      return (row) => new Date(Number((batch.timestamps[row] as bigint) / 1_000_000n)).toISOString();
    case 'uuid':
      return () => null;
  }
}

/** The values of a field, numbers with their units. */
export function fieldText(field: Field, unit: string | null): string {
  const { valueType, values, representation } = field;
  if (valueType === ValueType.BYTES) return '';
  const named = unit ?? '';
  if (valueType === ValueType.BOOL) return values.join(', ');
  const isText = valueType === ValueType.STRING;
  const own = isText || representation === undefined || representation === '' ? named : representation;
  const write = (value: string | number | bigint): string =>
    isText && own === '' ? withoutEscapes(value as string) : quantityText(String(value), own);
  const [first] = values;
  return values.length === 1 && first !== undefined ? write(first) : values.map(write).join(', ');
}

/** Fields that say how a record was read, and those that only programs read. */
export const UNTOLD = /^(?:decode_|undated$|__|\0)/;

/** Writes the fields of a row as pairs: the named ones first, those with a dash in front last. */
function fieldsWriter(
  columns: readonly string[],
  batch: MessageBatch,
  { value }: SummaryLimits,
  except: readonly string[] = [],
): RowSummary {
  const rank = ({ name }: FieldColumn): number => {
    const at = columns.indexOf(name);
    return at >= 0 ? at - columns.length : name.startsWith('_') ? 1 : 0;
  };
  const told = batch.fields.filter(({ name }) => !UNTOLD.test(name) && !except.includes(name)).toSorted((a, b) => rank(a) - rank(b));
  return (row, names) => {
    const pairs: string[] = [];
    for (const column of told) {
      const field = pairs.length < MOST_FIELDS ? fieldAt(column, row) : undefined;
      const text = field === undefined ? '' : cut(oneLine(firstLine(fieldText(field, null))), value);
      if (text === '') continue;
      pairs.push(`${column.name}=${text}`);
      names?.push(column.name);
    }
    return pairs.join(' ');
  };
}

/** Joints that have nothing on one of their sides are left out, and parts that say the same twice. */
function tidy(text: string): string {
  if (!text.includes('·')) return oneLine(text);
  const parts = text.split(JOINTS).map(oneLine);
  return [...new Set(parts.filter((part) => part !== ''))].join(JOINT);
}

/** White space that is more than one blank between two words. */
const UNEVEN = /[^\S ]| {2}|^ | $/;
const oneLine = (text: string): string => (UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text);
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
