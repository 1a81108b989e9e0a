import type { MessageBatch } from '../../message/batch/batch.ts';
import type { TextColumn } from '../../message/batch/columns.ts';
import { recordBatch } from '../pieces.ts';
import { Cuts, MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../splitter.ts';
import { joinTexts, recordText } from '../text.ts';
import type { Records } from './records.ts';

const LINE_FEED = 10;

/** Records of one batch and whether some of them were no UTF-8. */
export interface GatheredBatch {
  readonly batch: MessageBatch;
  readonly invalid: boolean;
  /** Signer of the messages, where known. */
  readonly signer?: string;
}

/** Collects the records of many senders for one batch. */
export class Gatherer {
  readonly #type: string;
  readonly #logger: string;
  readonly #withHosts: boolean;
  readonly #cuts = new Cuts();
  /** For each record the index of its sender. */
  readonly #senders = new Uint32Array(MAX_BATCH_RECORDS);
  readonly #hosts = new Map<string, number>();
  #bytes = Buffer.allocUnsafeSlow(64 << 10);
  /** Bytes that are in use: the last line end may lie behind the last record. */
  #length = 0;

  /** `withHosts`: the records get their senders as Hostname. */
  constructor(type: string, logger: string, withHosts: boolean) {
    this.#type = type;
    this.#logger = logger;
    this.#withHosts = withHosts;
  }

  get count(): number {
    return this.#cuts.count;
  }

  get isFull(): boolean {
    return this.#cuts.count === MAX_BATCH_RECORDS || this.#cuts.textEnd >= MAX_BATCH_BYTES;
  }

  /**
   * Adds records of a host from number `from` on, until it is full. What lies between them comes along, which is less work than to copy each by itself.
   * Not to be called when full.
   * @returns the number of the first record that was not added
   */
  add(bytes: Buffer, { starts, ends, count }: Records, from: number, host: string): number {
    const cuts = this.#cuts;
    const sender = this.#senderOf(host);
    const origin = starts[from] as number;
    const shift = this.#length - origin;
    let at = from;
    for (; at < count && !this.isFull; at++) {
      this.#senders[cuts.count] = sender;
      cuts.add((starts[at] as number) + shift, (ends[at] as number) + shift);
    }
    const end = ends[at - 1] as number;
    // With their line ends, lines are ready to be written.
    this.#copy(bytes, origin, bytes[end] === LINE_FEED ? end + 1 : end);
    return at;
  }

  #senderOf(host: string): number {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const sender = this.#hosts.size;
    this.#hosts.set(host, sender);
    return sender;
  }

  #copy(bytes: Buffer, start: number, end: number): void {
    const length = this.#length + end - start;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.#length, start, end);
    this.#length = length;
  }

  /** The batch of the added records; the gatherer is empty then. */
  take(): GatheredBatch {
    const { values, invalid } = recordText(this.#bytes, this.#cuts);
    const batch = recordBatch(values, { type: this.#type, logger: this.#logger, hostname: this.#hostnames() });
    this.#cuts.reset();
    this.#length = 0;
    this.#hosts.clear();
    return { batch, invalid };
  }

  #hostnames(): string | TextColumn | null {
    if (!this.#withHosts) return null;
    const hosts = [...this.#hosts.keys()];
    if (hosts.length === 1) return hosts[0] as string;
    const { text, starts, ends } = joinTexts(hosts);
    const senders = this.#senders.subarray(0, this.#cuts.count);
    return {
      text,
      starts: senders.map((sender) => starts[sender] as number),
      ends: senders.map((sender) => ends[sender] as number),
      rows: null,
    };
  }
}
