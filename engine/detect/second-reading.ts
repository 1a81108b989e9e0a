import { sandboxSpec, type SandboxStarter } from '../plugins/sandboxes.ts';
import type { PluginScript } from '../plugins/types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { BatchBuilder, batchOf } from '../message/batch/builder.ts';
import { asFailed, mergeRows } from '../message/batch/gather.ts';
import { ValueType, type Field, type Message } from '../message/types.ts';
import type { CompletedResult, RefusedReader } from '../pipeline/completed.ts';
import type { Failure, Processor, Sandbox, SandboxResult } from '../sandbox/contract/types.ts';
import { Serial } from '../base/time/serial.ts';
import type { DecoderDetector } from './detect.ts';
import { bundledDecoders } from './known-looks.ts';
import { refusedRecords, type RefusedRecord } from './refused-records.ts';

export interface SecondReadingOptions {
  readonly starter: SandboxStarter;
  /** Finds further decoders; null: someone named the decoder, so no other one is to be found. */
  readonly detector: DecoderDetector | null;
  /** The decoder of the source: its bundled name, or its path. */
  readonly first: string;
  /** Records that no decoder took are messages as well. */
  readonly keepsRefused: boolean;
}

/** Reads any log, and tells what is in a record that has no form. */
const GENERIC = 'generic';
const genericDecoder = (): PluginScript => bundledDecoders().find(({ name }) => name === GENERIC) as PluginScript;
/** Decoders of tables: a row with too many values has a date and a level, too, and is none of another log. */
const TABLES: ReadonlySet<string> = new Set(['csv', 'w3c_extended', 'zeek', 'windows_event_csv', 'influx_line']);
/** Numbers of refused records of a source at which they are looked at for another form: a look takes as long as the decoding of some ten thousand records. */
const LOOKS_AT = [1, 30, 300];
const UNDATED = 'undated';

interface Reading {
  /** Messages of each record; null: it was not taken. */
  readonly messages: readonly (readonly Message[] | null)[];
}

/** A record that its decoder refused, and what others made of it. */
interface ReadRecord {
  readonly record: RefusedRecord;
  readonly messages: readonly Message[];
  /** Another decoder took it. */
  readonly isTaken: boolean;
}

/**
 * Reads the records of one source that its decoder refuses by the next likely decoders, the one for any log last: any line may have a form of its own.
 * Decoders are started when there is something for them.
 */
export class SecondReading implements RefusedReader {
  readonly #starter: SandboxStarter;
  readonly #detector: DecoderDetector | null;
  readonly #first: string;
  readonly #keepsRefused: boolean;
  #other: Sandbox | null = null;
  #looks = 0;
  /** Refused records so far. */
  #seen = 0;
  #generic: Promise<Sandbox> | null = null;
  readonly #turns = new Serial();

  constructor({ starter, detector, first, keepsRefused }: SecondReadingOptions) {
    this.#starter = starter;
    this.#detector = detector;
    this.#first = first;
    this.#keepsRefused = keepsRefused;
  }

  /** Completes the result of a batch. Records behind the end of a decoder are not read. */
  async complete(input: MessageBatch, result: SandboxResult): Promise<CompletedResult> {
    if (result.failures.length === 0) return { result, others: new Set(), refused: [], joined: new Map() };
    return this.#turns.run(() => this.#complete(input, result));
  }

  async #complete(input: MessageBatch, result: SandboxResult): Promise<CompletedResult> {
    const lines = refusedRecords(input, result.failures);
    const alone = await this.#readAlone(lines);
    const taken = new Set(alone.map(({ record }) => record.row));
    const further = await this.#readFurther(lines.filter(({ row }) => !taken.has(row)));
    const builder = new BatchBuilder();
    const rows: number[] = [];
    const refused: Failure[] = [];
    const others = new Set<number>();
    for (const { record, messages, isTaken } of [...alone, ...further].sort((one, other) => one.record.row - other.record.row)) {
      const { row, reason } = record;
      if (isTaken) others.add(row);
      else refused.push({ row, reason });
      for (const message of isTaken ? messages : this.#keepsRefused ? [failedMessage(record, messages[0])] : []) {
        builder.append(message);
        rows.push(row);
      }
    }
    const lasts = new Map(further.map(({ record: { row, last } }) => [row, last] as const).filter(([row, last]) => last > row));
    return { result: merged(result, builder.build(), rows), others, refused, joined: lasts };
  }

  /** Those of the lines that the other decoder takes, where no line can be a part of another one. */
  async #readAlone(lines: readonly RefusedRecord[]): Promise<ReadRecord[]> {
    if (this.#other === null) return [];
    const alone = lines.filter((line, at) => standsAlone(line, lines[at + 1]));
    if (alone.length === 0) return [];
    const { messages } = await readBy(this.#other, alone);
    return alone.flatMap((record, at) => {
      const own = messages[at] ?? null;
      return own === null ? [] : [{ record, messages: own, isTaken: true }];
    });
  }

  /** Reads lines by the decoder for any log, which tells where records begin, and these records by the other decoder where that takes them. */
  async #readFurther(lines: readonly RefusedRecord[]): Promise<ReadRecord[]> {
    if (lines.length === 0) return [];
    const read = await this.#generically(lines);
    const found = await this.#byOther(read.map(({ record }) => record));
    return read.map(({ record, messages }, at) => {
      const own = found?.messages[at] ?? (this.#isOwnForm(record, messages) ? messages : null);
      return { record, messages: own ?? messages, isTaken: own !== null };
    });
  }

  async stop(): Promise<void> {
    await this.#turns.idle();
    await this.#other?.stop();
    const generic = await this.#generic?.catch(() => null);
    await generic?.stop();
  }

  /** Reads records by the decoder for any log, which tells where a record begins. Blank ones are dropped. */
  async #generically(lines: readonly RefusedRecord[]): Promise<{ record: RefusedRecord; messages: readonly Message[] }[]> {
    this.#generic ??= this.#starter.start(sandboxSpec('decoder', genericDecoder()));
    const first = await readBy(await this.#generic, lines);
    const records = joinedRecords(lines, first.messages);
    const again = records.length === lines.length ? first : await readBy(await this.#generic, records);
    const read = records.map((record, at) => ({ record, messages: again.messages[at] ?? [] }));
    return read.filter(({ record }) => record.text.trim() !== '');
  }

  /** Reads records by the decoder that fits them; null: there is none such. */
  async #byOther(records: readonly RefusedRecord[]): Promise<Reading | null> {
    if (this.#detector === null || records.length === 0) return null;
    this.#seen += records.length;
    if (this.#other === null && this.#seen >= (LOOKS_AT[this.#looks] ?? Infinity)) {
      this.#looks++;
      const found = await this.#detector.recognise(records.map(({ text }) => `${text}\n`).join(''));
      const isAnother = found !== null && found.name !== this.#first && found.name !== GENERIC;
      if (isAnother) this.#other = await this.#detector.take(found);
    }
    return this.#other === null ? null : readBy(this.#other, records);
  }

  /** Whether a record has a date and a level, and is not a damaged one of the source's form. */
  #isOwnForm({ text }: RefusedRecord, messages: readonly Message[]): boolean {
    const [message] = messages;
    if (this.#detector === null || message === undefined || TABLES.has(this.#first) || text.trimStart().startsWith('{')) return false;
    return message.severity !== undefined && !message.fields.some(({ name }) => name === UNDATED);
  }
}

async function readBy(decoder: Processor, records: readonly RefusedRecord[]): Promise<Reading> {
  const { injected, origins, failures, terminated } = await decoder.process(batchOf(records.map(asMessage)), null);
  const messages: (Message[] | null)[] = records.map(() => []);
  for (const { row } of failures) messages[row] = null;
  if (terminated !== null) return { messages: records.map(() => null) };
  for (let at = 0; injected !== null && at < injected.length; at++) messages[origins?.[at] ?? at]?.push(injected.message(at));
  return { messages: messages.map((list) => (list?.length === 0 ? null : list)) };
}

const asMessage = ({ source, row, text }: RefusedRecord): Message => ({ ...source.message(row), payload: text });

/** A record that no decoder took: as it was read, with the time and the level that were found in it. */
function failedMessage(record: RefusedRecord, found: Message | undefined): Message {
  const failed = asFailed(batchOf([asMessage(record)]), Uint32Array.of(0), [record.reason]).message(0);
  const isDated = found !== undefined && !found.fields.some(({ name }) => name === UNDATED);
  const severity = found?.severity ?? failed.severity;
  const undated: Field = { name: UNDATED, valueType: ValueType.BOOL, representation: '', values: [true] };
  return {
    ...failed,
    timestamp: isDated ? found.timestamp : failed.timestamp,
    ...(severity === undefined ? {} : { severity }),
    fields: isDated ? failed.fields : [...failed.fields, undated],
  };
}

/** Lines that are joined to one record. */
interface Growing {
  readonly lines: RefusedRecord[];
  readonly isDump: boolean;
}

/** The joined records of a stack dump, whose lines have neither time nor level. */
function joinedRecords(lines: readonly RefusedRecord[], readings: Reading['messages']): RefusedRecord[] {
  const records: Growing[] = [];
  let lastRow = -2;
  for (const [at, line] of lines.entries()) {
    const before = records.at(-1);
    const [message] = readings[at] ?? [];
    const begins = message !== undefined && (message.severity !== undefined || !message.fields.some(({ name }) => name === UNDATED));
    const goesOn = before !== undefined && line.row === lastRow + 1 && !begins && (before.isDump || continues(line.text));
    if (goesOn) before.lines.push(line);
    else records.push({ lines: [line], isDump: DUMP.test(line.text) });
    lastRow = line.row;
  }
  return records.map(joined);
}

/** The record of these lines, without blank ones at its end. */
function joined({ lines }: Growing): RefusedRecord {
  const last = lines.findLastIndex(({ text }) => text.trim() !== '');
  const [first] = lines as [RefusedRecord];
  if (last <= 0) return first;
  const kept = lines.slice(0, last + 1);
  return { ...first, text: kept.map(({ text }) => text).join('\n'), last: first.row + last };
}

/** The first lines of dumps of Go, Python, Java and Rust. */
const DUMP =
  /^(?:panic: |fatal error: |Traceback \(most recent|Exception in thread|goroutine \d+ |thread '[^']*' panicked|\S+(?:Exception|Error)\b|Unhandled exception)/;

/** Whether a line neither begins a dump, nor goes on with a record, nor is one with the line behind it. */
const standsAlone = (line: RefusedRecord, next: RefusedRecord | undefined): boolean =>
  !DUMP.test(line.text) && !continues(line.text) && !(next?.row === line.row + 1 && continues(next.text));

/** Whether a line without time and level goes on with the record before it. */
const continues = (line: string): boolean => /^\s*$|^\s+\S|^Caused by: |^\.{3} \d+ more/.test(line);

/** The messages of the first decoder and those behind them, in the order of the records. */
function merged(result: SandboxResult, added: MessageBatch, rows: readonly number[]): SandboxResult {
  const { injected, origins, unchanged } = result;
  if (added.length === 0) return { ...result, failures: [] };
  if (injected === null || injected.length === 0) return { ...result, injected: added, origins: Uint32Array.from(rows), failures: [] };
  const total = injected.length + added.length;
  const [firstOrder, addedOrder, from] = [new Uint32Array(injected.length), new Uint32Array(added.length), new Uint32Array(total)];
  for (let at = 0, first = 0, second = 0; at < total; at++) {
    const ofFirst = first < injected.length ? (origins === null ? first : (origins[first] as number)) : Infinity;
    const ofSecond = rows[second] ?? Infinity;
    from[at] = Math.min(ofFirst, ofSecond);
    if (ofFirst <= ofSecond) firstOrder[first++] = at;
    else addedOrder[second++] = at;
  }
  const batch = mergeRows([
    { batch: injected, order: firstOrder },
    { batch: added, order: addedOrder },
  ]);
  const kept = unchanged === undefined ? {} : { unchanged: unchanged.map((row) => firstOrder[row] as number) };
  return { ...result, injected: batch, origins: from, failures: [], ...kept };
}
