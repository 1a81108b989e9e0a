import { incompleteTail } from '../../inputs/text.ts';
import type { InputBatch } from '../../inputs/types.ts';
import { messagesOf } from '../../message/row-index.ts';
import type { ReadAnswer, ReadRequest, SourceForm } from '../../sandbox/types.ts';
import { decodeBytes } from './decoded-bytes.ts';

/** A piece of a stream, or something whole, that has come from the source. */
interface Chunk {
  readonly bytes: Buffer;
  readonly batch: InputBatch;
}

/** What is kept of a stream: pieces of which the script is to get the end again. */
interface Stream {
  readonly name: string;
  chunks: readonly Chunk[];
  /** Bytes of the first of them that are used. */
  used: number;
}

type Item =
  | { readonly kind: 'chunk'; readonly key: object; readonly chunk: Chunk }
  | { readonly kind: 'ended'; readonly key: object }
  | { readonly kind: 'records'; readonly batch: InputBatch };

/** What the script has been given last. */
export interface Given {
  readonly answer: ReadAnswer;
  /** How many bytes the rest is that the script gives back. */
  bytesOf(rest: number): number;
  /** The script is done with it, but for so many bytes. Returns what the source is to be told then. */
  use(rest: number): () => void;
}

const nothing = (): void => undefined;

/** What has come from a source and is not read yet; for streams also what a script wants to have again. */
export class SourceQueue {
  readonly #form: SourceForm;
  #items: Item[] = [];
  readonly #streams = new Map<object, Stream>();
  /** How to take back what was done since the last `commit`. */
  #undo: (() => void)[] = [];

  constructor(form: SourceForm) {
    this.#form = form;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  get length(): number {
    return this.#items.length;
  }

  add(batch: InputBatch): void {
    if (this.#form === 'records') {
      this.#items.push({ kind: 'records', batch });
      return;
    }
    let left = batch.batch.length;
    for (const { payload = '' } of messagesOf(batch.batch, null)) {
      // Pieces of streams come one by one; of things that come together, the last one stands for all.
      const last = --left === 0;
      const chunk = { bytes: Buffer.from(payload, 'latin1'), batch: last ? batch : { ...batch, acknowledge: nothing } };
      this.#items.push({ kind: 'chunk', key: batch.stream ?? chunk, chunk });
    }
  }

  ended(key: object): void {
    this.#items.push({ kind: 'ended', key });
  }

  /** Nothing more comes, so all streams have ended that something is kept of. Returns whether there are such. */
  endAll(): boolean {
    for (const key of this.#streams.keys()) this.ended(key);
    return this.#streams.size > 0;
  }

  /** What was taken so far is not to be taken again. */
  commit(): void {
    this.#undo = [];
  }

  /** All that was taken since the last `commit` is to be taken again. */
  rewind(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  /** Takes what is next, in the form that the script wants; null: there is nothing. */
  take(form: ReadRequest['form']): Given | null {
    for (let item = this.#next(); item !== undefined; item = this.#next()) {
      const given = item.kind === 'records' ? this.#records(item) : this.#piece(item, form);
      if (given !== null) return given;
    }
    return null;
  }

  #next(): Item | undefined {
    const item = this.#items.shift();
    if (item !== undefined) this.#undo.push(() => this.#items.unshift(item));
    return item;
  }

  #set(key: object, stream: Stream | undefined): void {
    const before = this.#streams.get(key);
    this.#undo.push(() => this.#put(key, before));
    this.#put(key, stream);
  }

  #put(key: object, stream: Stream | undefined): void {
    if (stream === undefined) this.#streams.delete(key);
    else this.#streams.set(key, stream);
  }

  #records(item: Extract<Item, { kind: 'records' }>): Given {
    const { batch, source = '' } = item.batch;
    const ends = new Uint32Array(batch.length);
    const texts: string[] = [];
    let length = 0;
    for (const [row, { payload = '' }] of [...messagesOf(batch, null)].entries()) {
      texts.push(payload);
      ends[row] = length += payload.length;
    }
    return {
      answer: { kind: 'records', text: texts.join(''), ends, name: source },
      bytesOf: () => 0,
      use: () => () => item.batch.acknowledge(),
    };
  }

  #piece(item: Extract<Item, { kind: 'chunk' | 'ended' }>, form: ReadRequest['form']): Given | null {
    const { key } = item;
    const before = this.#streams.get(key);
    const ended = item.kind === 'ended';
    const name = ended ? (before?.name ?? '') : (item.chunk.batch.source ?? '');
    const chunks = [...(before?.chunks ?? []), ...(ended ? [] : [item.chunk])];
    const used = before?.used ?? 0;
    this.#set(key, undefined);
    if (chunks.length === 0) return null;
    const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes)).subarray(used);
    // A character that is not complete waits for its end, which comes in a stream.
    const waiting = form === 'text' && !ended && this.#form === 'chunks' ? incompleteTail(bytes) : 0;
    const whole = bytes.subarray(0, bytes.length - waiting);
    const keep = (rest: number): (() => void) => this.#keep(key, name, chunks, rest);
    if (whole.length === 0) {
      keep(bytes.length);
      return null;
    }
    const decoded = form === 'text' ? decodeBytes(whole) : null;
    return {
      answer: decoded === null ? { kind: 'bytes', bytes: whole, name, ended } : { kind: 'text', text: decoded.text, name, ended },
      bytesOf: (rest) => (decoded === null ? rest : decoded.bytesOf(rest)),
      // What a script gives back when nothing follows any more cannot come again.
      use: (rest) => keep(ended ? 0 : rest + waiting),
    };
  }

  /** Keeps the last `rest` bytes of a stream. Returns what the source is to be told of the others. */
  #keep(key: object, name: string, chunks: readonly Chunk[], rest: number): () => void {
    let partly = -rest;
    let at = chunks.length;
    while (partly < 0 && at > 0) partly += (chunks[--at] as Chunk).bytes.length;
    const kept = chunks.slice(at);
    if (rest > 0) this.#set(key, { name, chunks: kept, used: partly });
    return () => {
      for (const { batch } of chunks.slice(0, at)) batch.acknowledge();
      if (partly > 0) kept[0]?.batch.acknowledgeTo?.(partly);
    };
  }
}
