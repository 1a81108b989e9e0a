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

/** Makes the summary of a row; empty when the record has neither a text nor fields. */
export type RowSummary = (row: number) => string;

/** Characters of a summary, and of one value in it. */
const [MOST, MOST_OF_VALUE] = [500, 300];
/** Fields of which a summary is made that has nothing else. */
const MOST_FIELDS = 16;
/** Stands between parts, and vanishes with them. */
const JOINT = ' · ';
const JOINTS = /(?:^|\s+)·(?=\s|$)/;

/** Makes the summaries of a batch's records: what differs between rows alone is looked up for each. */
export function summariesOf({ template, columns }: SummaryPlan, batch: MessageBatch): RowSummary {
  const byTemplate = template === null ? () => NOTHING : new TemplateWriter(template, columns, batch).writer;
  const inFull = fieldsWriter(columns, batch);
  return (row) => {
    const written = byTemplate(row) ?? NOTHING;
    const summary = written.values === 0 ? '' : tidy(written.text);
    if (summary !== '') return cut(summary, MOST);
    const text = textAt(batch.payload, row);
    const line = text === undefined ? '' : oneLine(WAYS.error(withoutEscapes(text)));
    return cut(line === '' ? inFull(row) : line, MOST);
  };
}

/** A part that was written; how many values are in it. */
interface Written {
  readonly text: string;
  readonly values: number;
}

/** Writes a part of a row; null: a value that it needs is missing. */
type Writer = (row: number) => Written | null;

class TemplateWriter {
  readonly writer: Writer;
  readonly #batch: MessageBatch;
  readonly #rest: () => RowSummary;

  constructor(template: SummaryTemplate, columns: readonly string[], batch: MessageBatch) {
    this.#batch = batch;
    this.#rest = () => fieldsWriter(columns, batch, namesIn(template));
    this.writer = this.#ofParts(template, false);
  }

  /** Writes parts one behind the other. @param needed whether all of their values must be there, and one at least */
  #ofParts(parts: SummaryTemplate, needed: boolean): Writer {
    const writers = parts.map((part) => this.#ofPart(part));
    return (row) => {
      let text = '';
      let values = 0;
      for (const write of writers) {
        const part = write(row);
        if (part === null && needed) return null;
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
        return valueWriter(part, this.#batch);
      case 'rest': {
        const write = this.#rest();
        return (row) => valueOrNone(write(row));
      }
      case 'choice': {
        const alternatives = part.alternatives.map((parts) => this.#ofParts(parts, true));
        return (row) => {
          for (const write of alternatives) {
            const written = write(row);
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

function valueWriter({ names, way, unit }: SummaryValue, batch: MessageBatch): Writer {
  const readers = names.flatMap((name) => reader(name, batch, unit) ?? []);
  return (row) => {
    for (const read of readers) {
      const value = read(row);
      // Logs write a dash where there is nothing.
      if (value === null || value === '' || value === '-') continue;
      const text = oneLine(way === null ? firstLine(value) : WAYS[way](value));
      if (text !== '') return { text: cut(text, MOST_OF_VALUE), values: 1 };
    }
    return null;
  };
}

type Reader = (row: number) => string | null;

/** Reads a header, or the field of that name as people write it; null: no record of the batch has it. */
function reader(name: string, batch: MessageBatch, unit: string | null): Reader | null {
  const header = headerNamed(name);
  if (header !== undefined) return headerReader(header, batch);
  const field = /^Fields\[(.*)\]$/s.exec(name)?.[1] ?? name;
  const columns = batch.fields.filter((column) => column.name === field);
  if (columns.length === 0) return null;
  return (row) => {
    const found = columns.flatMap((column) => fieldAt(column, row) ?? []);
    return found.length === 0 ? null : found.map((one) => fieldText(one, unit)).join(', ');
  };
}

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
function fieldText(field: Field, unit: string | null): string {
  const { valueType, values, representation } = field;
  if (valueType === ValueType.BYTES) return '';
  const named = unit ?? '';
  if (valueType === ValueType.STRING)
    return values.map((value) => (named === '' ? withoutEscapes(value) : quantityText(value, named))).join(', ');
  if (valueType === ValueType.BOOL) return values.join(', ');
  return values
    .map((value) => quantityText(String(value), representation === undefined || representation === '' ? named : representation))
    .join(', ');
}

/** Fields that say how a record was read, and those that only programs read. */
const UNTOLD = /^(?:decode_|undated$|__|\0)/;

/** Writes the fields of a row as pairs: the named ones first, those with a dash in front last. */
function fieldsWriter(columns: readonly string[], batch: MessageBatch, except: readonly string[] = []): RowSummary {
  const rank = ({ name }: FieldColumn): number => {
    const at = columns.indexOf(name);
    return at >= 0 ? at - columns.length : name.startsWith('_') ? 1 : 0;
  };
  const told = batch.fields.filter(({ name }) => !UNTOLD.test(name) && !except.includes(name)).toSorted((a, b) => rank(a) - rank(b));
  return (row) => {
    const pairs: string[] = [];
    for (const column of told) {
      const field = pairs.length < MOST_FIELDS ? fieldAt(column, row) : undefined;
      const text = field === undefined ? '' : cut(oneLine(firstLine(fieldText(field, null))), MOST_OF_VALUE);
      if (text !== '') pairs.push(`${column.name}=${text}`);
    }
    return pairs.join(' ');
  };
}

/** Joints that have nothing on one of their sides are left out, and parts that say the same twice. */
function tidy(text: string): string {
  const parts = text.split(JOINTS).map((part) => part.replace(/\s+/g, ' ').trim());
  return [...new Set(parts.filter((part) => part !== ''))].join(JOINT);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
