import { SchemaCounts } from '../../outputs/schema-counts.ts';
import { SchemaSamples } from '../../outputs/schema-tree.ts';
import type { DecodedRecords } from '../../pipeline/decode-stage.ts';
import { hasTexts } from '../../store/record-kind.ts';
import { RateMeter } from '../common/rates.ts';
import { fieldLengths, fieldNames } from './samples.ts';
import { SeenHeaders } from './seen-headers.ts';
import type { SourceInfo } from '../../api/types.ts';

/** Counts and samples of the kinds of messages of a source. */
export interface SourceSchema {
  readonly counts: SchemaCounts;
  readonly samples: SchemaSamples;
}

/** Records whose values are measured first. */
const MEASURED = 256;
/** After them, a few records of every so many are. */
const [SAMPLED, SAMPLED_OF] = [8, 10_000];

const noSchema = (): SourceSchema => ({ counts: new SchemaCounts(), samples: new SchemaSamples() });

/** Counts the records of a source, and keeps samples of them. */
export class SourceTally {
  readonly #meter = new RateMeter();
  #schema = noSchema();
  #records = 0;
  #failures = 0;
  #fields: readonly string[] = [];
  #lengths: ReadonlyMap<string, number> = new Map();
  #measured = 0;
  /** Number of the record from which on some are measured again. */
  #sampledNext = 0;
  #texts = false;
  readonly headers = new SeenHeaders();

  get schema(): SourceSchema {
    return this.#schema;
  }

  /** Fields of the first records that were decoded. */
  get fields(): readonly string[] {
    return this.#fields;
  }

  /** Characters of the longest values of these fields in the first records, and in samples of the later ones. */
  get lengths(): ReadonlyMap<string, number> {
    return this.#lengths;
  }

  /** Whether messages have texts of their own. */
  get texts(): boolean {
    return this.#texts;
  }

  /** Records a second. */
  get rate(): number {
    return this.#meter.rate();
  }

  info(): Pick<SourceInfo, 'headers' | 'records' | 'failures' | 'rate' | 'history'> {
    const { names } = this.headers;
    return { headers: names, records: this.#records, failures: this.#failures, rate: this.rate, history: this.#meter.history() };
  }

  /** Counts records that were read and decoded. */
  take({ batch, decoded, raw, failures, others = [] }: DecodedRecords): void {
    const count = batch.length;
    this.#records += count;
    this.#failures += failures.length;
    this.#meter.add(count);
    this.#schema.samples.observe(batch);
    this.#schema.counts.observe(decoded);
    this.headers.take(decoded);
    this.#texts ||= hasTexts({ batch, raw, others });
    if (count === failures.length + others.length) return;
    if (this.#fields.length === 0) this.#fields = fieldNames(batch, new Set(others));
    this.#measure(batch, count);
  }

  #measure(batch: DecodedRecords['batch'], count: number): void {
    const isFirst = this.#measured < MEASURED;
    if (!isFirst && this.#measured + count < this.#sampledNext) {
      this.#measured += count;
      return;
    }
    this.#lengths = fieldLengths(batch, isFirst ? MEASURED - this.#measured : SAMPLED, this.#lengths);
    this.#measured += count;
    this.#sampledNext = this.#measured + SAMPLED_OF;
  }

  /** Forgets the fields, for another decoder. */
  forgetFields(): void {
    this.#fields = [];
    this.#lengths = new Map();
    this.#measured = 0;
    this.#sampledNext = 0;
    this.headers.clear();
    this.#texts = false;
  }

  /** Forgets the records, because the source is read again from its beginning. */
  forgetRecords(): void {
    this.#schema = noSchema();
    this.#records = 0;
    this.#failures = 0;
  }
}
