import { z } from 'zod';
import { tlsListener, type TlsListener } from '../../base/net/tls.ts';
import { encryption, HAS_CERTIFICATE } from '../../section/tls.ts';
import { address, bytes } from '../../section/values.ts';
import { listenerFacts, portOf, type ListenAddress } from '../net/address.ts';
import { inputType } from '../shared/input-type.ts';
import { ending } from '../shared/parameters.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { access, ACCESS_RULES, authOf, type HttpAuth } from './credentials.ts';
import { OtlpGrpc } from './otlp-grpc.ts';
import { OtlpHttp } from './otlp-http.ts';
import { DEFAULT_MAX_BODY, OtlpReceiver } from './otlp-receiver.ts';

/** The type `OtlpInput` of sections. */
export const otlpInput = inputType({
  type: 'OtlpInput',
  summary:
    'Receives logs, metrics and traces from programs that are instrumented with OpenTelemetry, and from collectors, by OTLP over HTTP ' +
    '(protobuf or JSON) or gRPC, plain or gzip. A log record becomes a message of Type `otlp.log`, or of the type that its event name says, a point of a metric ' +
    'one of Type `otlp.metric`, and a span one of Type `otlp.span`. See [otlp.md](../otlp.md). The status of the answer is 200 when all filters and outputs ' +
    'have the messages of the request, 503 while they do not keep up, and 413 when the body is too long; gRPC has codes for the same. ' +
    'On an address of this machine alone, requests of web pages and those for another host name get status 403 unless `auth_type` is set.',
  example: '[otlp]\ntype = "OtlpInput"\n\n[shown]\ntype = "LogOutput"\nencoder = "text"\nmessage_matcher = "Type =~ /^otlp/"',
  parameters: () => ({
    protocol: z
      .enum(['http', 'grpc'])
      .default('http')
      .describe('The protocol of the senders. A section takes one. The usual port is 4318 for HTTP, and 4317 for gRPC.'),
    address: address.default('127.0.0.1:4318').describe('Where to listen.'),
    max_body_size: bytes
      .min(1)
      .max(256 << 20)
      .default(DEFAULT_MAX_BODY)
      .describe('Longest body of a request. The limit holds for the compressed and for the uncompressed body.'),
    ...access,
    ...encryption,
    ...ending,
  }),
  rules: [...ACCESS_RULES, HAS_CERTIFICATE],
  repeats: true,
  facts: ({ address: at }) => ({ ...listenerFacts('tcp', at), label: `otlp:${portOf(at)}` }),
  make: (config) =>
    new OtlpInput({
      name: config.name,
      protocol: config.protocol,
      address: config.address,
      auth: authOf(config),
      maxBody: config.max_body_size,
      tls: config.use_tls ? tlsListener(config.tls) : undefined,
    }),
});

type Protocol = 'http' | 'grpc';

export interface OtlpInputOptions {
  /** Name of the input, for notices. */
  readonly name: string;
  /** `http` by default. */
  readonly protocol?: Protocol;
  /** `host:port`; see `parseAddress`. Port 0 takes a free one. */
  readonly address: string;
  /** null: anybody. */
  readonly auth: HttpAuth | null;
  readonly tls?: TlsListener | undefined;
  /** Bytes of the longest body. */
  readonly maxBody?: number;
  /** Milliseconds that a request waits for the pipeline before others are refused; 2,000 by default. */
  readonly busyAfter?: number;
}

/** Takes logs, metrics and traces by OTLP. A request is answered when all of it has been through the pipeline. */
export class OtlpInput implements Input {
  readonly name: string;
  readonly #door: OtlpHttp | OtlpGrpc;
  readonly #receiver: OtlpReceiver;

  /** @throws {InputError} `port.bad-address` */
  constructor(options: OtlpInputOptions) {
    this.name = options.name;
    this.#receiver = new OtlpReceiver(options);
    this.#door = options.protocol === 'grpc' ? new OtlpGrpc(options, this.#receiver) : new OtlpHttp(options, this.#receiver);
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  start(sink: InputSink): Promise<void> {
    return this.#door.start(sink);
  }

  /** Requests that are under way are broken off: their senders send them again. */
  stop(): Promise<void> {
    return this.#door.stop();
  }

  stats(): InputStats {
    return this.#receiver.stats();
  }

  figures(): Readonly<Record<string, number>> {
    return this.#receiver.figures();
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    return this.#door.address;
  }
}
