import type { MessageBatch } from '../../message/batch/batch.ts';
import type { TextColumn } from '../../message/batch/columns.ts';
import { integerField } from '../decorate.ts';
import { recordBatch } from '../pieces.ts';
import { Cuts, MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../splitter.ts';
import { joinTexts, recordText, type TextForm } from '../text.ts';
import { REMOTE_PORT } from './address.ts';
import type { Records } from './records.ts';

const LINE_FEED = 10;

/** Records of one batch and whether some of them were no UTF-8. */
export interface GatheredBatch {
  readonly batch: MessageBatch;
  readonly invalid: boolean;
  /** Signer of the messages, where known. */
  readonly signer?: string;
  /** Gives the memory of the texts back, when the records are done with. */
  readonly release?: () => void;
}

/** Collects the records of many senders for one batch. */
export class Gatherer {
  readonly #type: string;
  readonly #logger: string;
  readonly #withHosts: boolean;
  readonly #form: TextForm;
  readonly #cuts = new Cuts();
  /** For each record the index of its sender. */
  readonly #senders = new Uint32Array(MAX_BATCH_RECORDS);
  readonly #places = new Map<string, number>();
  /** The address and the port of each sender; 0: it has none. */
  readonly #hosts: string[] = [];
  readonly #ports: number[] = [];
  #bytes = Buffer.allocUnsafeSlow(64 << 10);
  /** Bytes that are in use: the last line end may lie behind the last record. */
  #length = 0;

  /** @param withHosts the records get their senders as Hostname */
  constructor(
    type: string,
    logger: string,
    { withHosts, form = 'made' }: { readonly withHosts: boolean; readonly form?: TextForm | undefined },
  ) {
    this.#form = form;
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
   * @param port of its connection, which the records get as a field; 0: there is none
   * @returns the number of the first record that was not added
   */
  add(bytes: Buffer, { starts, ends, count }: Records, from: number, host: string, port = 0): number {
    const cuts = this.#cuts;
    const sender = this.#senderOf(host, port);
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

  #senderOf(host: string, port: number): number {
    const key = port === 0 ? host : `${host} ${port}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const sender = this.#hosts.push(host) - 1;
    this.#ports.push(port);
    this.#places.set(key, sender);
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
    const { values, invalid } = recordText(this.#bytes, this.#cuts, this.#form);
    const records = recordBatch(values, { type: this.#type, logger: this.#logger, hostname: this.#hostnames() });
    const batch = this.#ports.some((port) => port !== 0)
      ? records.with({ fields: [integerField(REMOTE_PORT, this.#portsOfRecords())] })
      : records;
    this.#cuts.reset();
    this.#length = 0;
    this.#places.clear();
    this.#hosts.length = 0;
    this.#ports.length = 0;
    return { batch, invalid, release: () => values.latin?.release() };
  }

  #portsOfRecords(): BigInt64Array {
    const ports = new BigInt64Array(this.#cuts.count);
    if (this.#ports.length === 1) return ports.fill(BigInt(this.#ports[0] as number));
    for (let i = 0; i < ports.length; i++) ports[i] = BigInt(this.#ports[this.#senders[i] as number] as number);
    return ports;
  }

  #hostnames(): string | TextColumn | null {
    if (!this.#withHosts) return null;
    const hosts = this.#hosts;
    if (hosts.every((host) => host === hosts[0])) return hosts[0] as string;
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
