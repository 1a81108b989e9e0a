import type { MessageBatch } from '../message/batch/batch.ts';
import { summariesOf, type RowSummary, type SummaryPlan } from '../message/summary/record-summary.ts';
import { firstLine } from '../message/summary/ways.ts';
import { withoutEscapes } from '../base/text/terminal-escapes.ts';
import { rawText } from './segment.ts';

/** The plan of the summaries of a decoder; null: the records are raw. */
export type PlanOf = (decoder: string | null) => SummaryPlan;

/** Characters of a record of which nothing but its raw text is known. */
const MOST_RAW = 500;

/** Makes the summaries of stored records; what those of one batch and decoder share is looked up once. */
export class RecordSummaries<Decoder = string | null> {
  readonly #planOf: (decoder: Decoder) => SummaryPlan;
  readonly #known = new Map<MessageBatch, Map<Decoder, RowSummary>>();

  constructor(planOf: (decoder: Decoder) => SummaryPlan) {
    this.#planOf = planOf;
  }

  of(stored: MessageBatch, row: number, decoder: Decoder): string {
    const made = this.#makerOf(stored, decoder)(row);
    return made === '' ? firstLine(withoutEscapes(rawText(stored).at(row).slice(0, MOST_RAW))) : made;
  }

  #makerOf(stored: MessageBatch, decoder: Decoder): RowSummary {
    let ofBatch = this.#known.get(stored);
    if (ofBatch === undefined) this.#known.set(stored, (ofBatch = new Map<Decoder, RowSummary>()));
    let maker = ofBatch.get(decoder);
    if (maker === undefined) ofBatch.set(decoder, (maker = summariesOf(this.#planOf(decoder), stored)));
    return maker;
  }
}
