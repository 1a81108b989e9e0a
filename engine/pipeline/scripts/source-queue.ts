import { incompleteTail } from '../../inputs/text.ts';
import type { InputBatch } from '../../inputs/types.ts';
import { messagesOf } from '../../message/batch/row-index.ts';
import type { ReadAnswer, ReadRequest, SourceForm } from '../../sandbox/contract/types.ts';
import { decodeBytes } from './decoded-bytes.ts';

/** A piece of a stream, or a whole datagram, request or output, from the source. */
interface Chunk {
  readonly bytes: Buffer;
  readonly batch: InputBatch;
}

/** Pieces of a stream whose end the script gave back and gets again. */
interface Stream {
  readonly name: string;
  chunks: readonly Chunk[];
  /** Used bytes of the first chunk. */
  used: number;
}

type Item =
  | { readonly kind: 'chunk'; readonly key: object; readonly chunk: Chunk }
  | { readonly kind: 'ended'; readonly key: object }
  | { readonly kind: 'records'; readonly batch: InputBatch };

/** The last answer to the script. */
export interface Given {
  readonly answer: ReadAnswer;
  /** Byte length of the rest that the script gives back. */
  bytesOf(rest: number): number;
  /** Marks it as used, except for `rest` bytes. Returns the acknowledgement to the source. */
  use(rest: number): () => void;
}

const nothing = (): void => undefined;

/** Queue of unread data of a source; for streams also the rests that a script has given back. */
export class SourceQueue {
  readonly #form: SourceForm;
  #items: Item[] = [];
  readonly #streams = new Map<object, Stream>();
  /** Functions that undo the changes since the last `commit`. */
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
      // A batch is acknowledged with its last chunk.
      const last = --left === 0;
      const chunk = { bytes: Buffer.from(payload, 'latin1'), batch: last ? batch : { ...batch, acknowledge: nothing } };
      this.#items.push({ kind: 'chunk', key: batch.stream ?? chunk, chunk });
    }
  }

  ended(key: object): void {
    this.#items.push({ kind: 'ended', key });
  }

  /** Ends all streams that have a rest, since nothing more comes. Returns whether there are any. */
  endAll(): boolean {
    for (const key of this.#streams.keys()) this.ended(key);
    return this.#streams.size > 0;
  }

  /** Makes everything taken so far final. */
  commit(): void {
    this.#undo = [];
  }

  /** Puts back everything taken since the last `commit`. */
  rewind(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  /** Takes the next data in the form that the script wants; null when there is none. */
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
    // An incomplete character waits for its remaining bytes, which may follow in a stream.
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
      // A rest given back after the end of the stream is dropped, since nothing follows.
      use: (rest) => keep(ended ? 0 : rest + waiting),
    };
  }

  /** Keeps the last `rest` bytes of a stream. Returns a function that acknowledges the others. */
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
