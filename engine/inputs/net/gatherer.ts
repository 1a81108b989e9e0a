import type { MessageBatch } from '../../message/batch.ts';
import type { TextColumn } from '../../message/columns.ts';
import { recordBatch } from '../pieces.ts';
import { Cuts, MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../splitter.ts';
import { joinTexts, recordText } from '../text.ts';

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

  /** Adds bytes [start, end) as a record. Not to be called when full. */
  add(bytes: Buffer, start: number, end: number, host: string): void {
    const from = this.#cuts.textEnd;
    const to = from + end - start;
    if (to > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(to, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, from);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, from, start, end);
    let sender = this.#hosts.get(host);
    if (sender === undefined) this.#hosts.set(host, (sender = this.#hosts.size));
    this.#senders[this.#cuts.count] = sender;
    this.#cuts.add(from, to);
  }

  /** The batch of the added records; the gatherer is empty then. */
  take(): GatheredBatch {
    const { values, invalid } = recordText(this.#bytes, this.#cuts);
    const batch = recordBatch(values, { type: this.#type, logger: this.#logger, hostname: this.#hostnames() });
    this.#cuts.reset();
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
