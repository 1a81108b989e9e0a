import type * as Otlp from '../../otlp/request.ts';
import type { ListenAddress } from '../net/address.ts';
import { errorText } from '../notices.ts';
import type { InputSink } from '../types.ts';
import { readMessage, timeoutOf, withinTime } from './grpc.ts';
import { answerCall, GrpcListener, refuseCall, type GrpcCall } from './grpc-listener.ts';
import type { OtlpReceiver } from './otlp-receiver.ts';
import { RefusedRequestError } from './request-body.ts';
import type { RequestListenerOptions } from './request-listener.ts';

/** Methods, by their signals. */
const SIGNALS: Readonly<Record<string, Otlp.Signal>> = {
  '/opentelemetry.proto.collector.logs.v1.LogsService/Export': 'logs',
  '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export': 'metrics',
  '/opentelemetry.proto.collector.trace.v1.TraceService/Export': 'traces',
};

/** Takes OTLP over gRPC. A call is answered when all of it has been through the pipeline. */
export class OtlpGrpc {
  readonly #listener: GrpcListener;
  readonly #receiver: OtlpReceiver;

  /** @throws {InputError} `port.bad-address` */
  constructor(options: RequestListenerOptions, receiver: OtlpReceiver) {
    this.#listener = new GrpcListener(options);
    this.#receiver = receiver;
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  async start(sink: InputSink): Promise<void> {
    await this.#listener.start(sink, (call) => this.#serve(call, sink));
  }

  /** Calls that are under way are broken off. */
  stop(): Promise<void> {
    return this.#listener.stop();
  }

  /** The address that it listens on; null when it does not listen. */
  get address(): ListenAddress | null {
    return this.#listener.address;
  }

  async #serve(call: GrpcCall, sink: InputSink): Promise<void> {
    const { stream, from, headers } = call;
    try {
      const limit = timeoutOf(textOf(headers['grpc-timeout']));
      answerCall(stream, await withinTime(this.#take(call, sink), limit));
    } catch (error) {
      const isGone = stream.closed || stream.destroyed;
      const status = this.#receiver.refuse({ error, from, isGone }, sink);
      refuseCall(stream, status, errorText(error));
    }
    sink.idle();
  }

  async #take(call: GrpcCall, sink: InputSink): Promise<Buffer> {
    this.#listener.check(call);
    const { path, stream, headers, from } = call;
    const signal = Object.hasOwn(SIGNALS, path) ? SIGNALS[path] : undefined;
    if (signal === undefined) throw new RefusedRequestError(404, `There is no method ${path}.`);
    const packing = textOf(headers['grpc-encoding'])?.toLowerCase() ?? '';
    const read = (most: number, onBytes: (count: number) => void) => readMessage(stream, packing, most, onBytes);
    return this.#receiver.take({ signal, encoding: 'protobuf', from, read }, sink);
  }
}

const textOf = (header: string | readonly string[] | undefined): string | undefined => (typeof header === 'string' ? header : undefined);
