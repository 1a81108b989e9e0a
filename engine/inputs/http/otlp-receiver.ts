import { Serial } from '../../base/time/serial.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { nowNs } from '../../message/timestamp.ts';
import type * as Otlp from '../../otlp/request.ts';
import { errorText } from '../notices.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../splitter.ts';
import type { InputSink, InputStats } from '../types.ts';
import { RefusedRequestError, unpacked } from './request-body.ts';

export const DEFAULT_MAX_BODY = 16 << 20;

/** Requests that are taken at the same time. */
const MAX_REQUESTS = 32;
/** While a request has waited for the pipeline for so long, no other one is taken: its sender would wait in vain as well, and send it again. */
const BUSY_MS = 2_000;
/** Told to senders while the pipeline does not keep up, or failed. With 429, the exporter of Python drops the request; others retry after both. */
export const BUSY = 503;

export interface OtlpReceiverOptions {
  /** Name of the input, for notices. */
  readonly name: string;
  /** Bytes of the longest body. */
  readonly maxBody?: number;
  /** Milliseconds; see `BUSY_MS`. */
  readonly busyAfter?: number;
}

/** A request that can be read. */
export interface ExportRequest {
  readonly signal: Otlp.Signal;
  readonly encoding: Otlp.Encoding;
  /** The address of the sender. */
  readonly from: string;
  /** @param onBytes gets the length of each part that came. @throws {RefusedRequestError} */
  readonly read: (most: number, onBytes: (count: number) => void) => Promise<PackedBody>;
}

/** A body and the name of its compression, as HTTP has it; empty: it has none. */
export interface PackedBody {
  readonly bytes: Buffer;
  readonly packing: string;
}

/** A request that was not taken. */
interface Refusal {
  readonly error: unknown;
  readonly from: string;
  /** Nobody waits for an answer. */
  readonly isGone: boolean;
}

/** Takes the requests of OTLP of one input, by whatever protocol they come. */
export class OtlpReceiver {
  readonly #options: OtlpReceiverOptions;
  /** Bodies are unpacked and read one by one, so that memory holds one of them at a time. */
  readonly #reads = new Serial();
  /** Start of each request that is in the pipeline, the oldest first. */
  readonly #delivering = new Set<{ readonly since: number }>();
  #requests = 0;
  #bytes = 0;
  #records = 0;
  #refused = 0;
  #rejected = 0;

  constructor(options: OtlpReceiverOptions) {
    this.#options = options;
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: this.#rejected, totalBytes: this.#bytes };
  }

  figures(): Readonly<Record<string, number>> {
    return { RefusedRequestCount: this.#refused, RejectedRecordCount: this.#rejected };
  }

  /**
   * Resolves to the answer when all of the request has been through the pipeline.
   * @throws {RefusedRequestError} for what is not taken; other errors: the pipeline does not take it
   */
  async take(request: ExportRequest, sink: InputSink): Promise<Buffer> {
    this.#requests++;
    try {
      if (this.#isBusy) throw new RefusedRequestError(BUSY, 'The pipeline does not keep up. Send it again later.');
      return await this.#take(request, sink);
    } finally {
      this.#requests--;
    }
  }

  /** Counts and tells that a request was not taken. Returns the status of the answer, as HTTP has it. */
  refuse({ error, from, isGone }: Refusal, sink: InputSink): number {
    this.#refused++;
    const status = error instanceof RefusedRequestError ? error.status : BUSY;
    const { name } = this.#options;
    if (isGone) {
      const text = `A request from ${from} to input ${name} broke off (${errorText(error)}): nothing of it counts as taken.`;
      sink.notice({ level: 'info', code: 'connection.broken', text });
    } else {
      const text = `Input ${name} answered a request from ${from} with status ${status}: ${errorText(error)}`;
      sink.notice({ level: 'warning', code: status === 413 ? 'request.too-large' : 'request.refused', text });
    }
    return status;
  }

  get #isBusy(): boolean {
    const [oldest] = this.#delivering;
    const { busyAfter = BUSY_MS } = this.#options;
    return this.#requests > MAX_REQUESTS || (oldest !== undefined && performance.now() - oldest.since > busyAfter);
  }

  async #take({ signal, encoding, from, read }: ExportRequest, sink: InputSink): Promise<Buffer> {
    const { maxBody = DEFAULT_MAX_BODY } = this.#options;
    const { bytes, packing } = await read(maxBody, (count) => (this.#bytes += count));
    const { readRequest, answerTo } = await import('../../otlp/request.ts');
    const limits = { records: MAX_BATCH_RECORDS, bytes: MAX_BATCH_BYTES };
    const taken = await this.#reads.run(async () => {
      const plain = await unpacked(bytes, packing, maxBody);
      try {
        return readRequest(signal, encoding, plain, nowNs(), limits);
      } catch (error) {
        throw new RefusedRequestError(400, `The body is not a request to export ${signal}: ${errorText(error)}.`, { cause: error });
      }
    });
    await this.#deliver(taken.batches, `a request from ${from}`, sink);
    this.#tellRejected(taken, from, sink);
    return answerTo(signal, encoding, taken);
  }

  /** Resolves when the batches have been through everything. */
  async #deliver(batches: readonly MessageBatch[], source: string, sink: InputSink): Promise<void> {
    const mark = { since: performance.now() };
    this.#delivering.add(mark);
    try {
      const through: Promise<void>[] = [];
      for (const batch of batches) {
        const { promise, resolve } = Promise.withResolvers<void>();
        through.push(promise);
        this.#records += batch.length;
        await sink.deliver({ batch, firstLine: 0, source, acknowledge: resolve });
      }
      await Promise.all(through);
    } finally {
      this.#delivering.delete(mark);
    }
  }

  #tellRejected({ rejected, reason }: Pick<Otlp.Taken, 'rejected' | 'reason'>, from: string, sink: InputSink): void {
    if (rejected === 0) return;
    this.#rejected += rejected;
    const { name } = this.#options;
    const text = `Input ${name} did not take ${rejected} ${rejected === 1 ? 'item' : 'items'} of a request from ${from}: ${reason}`;
    sink.notice({ level: 'warning', code: 'record.rejected', text });
  }
}
