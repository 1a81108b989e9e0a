import type { IncomingMessage, ServerResponse } from 'node:http';
import { printable } from '../../api/printable.ts';
import { messageOf } from '../../base/errors.ts';
import { answerEarly, RequestListener, TEXT, type EarlyAnswer } from '../../inputs/http/request-listener.ts';
import type { ListenAddress } from '../../inputs/net/address.ts';
import type { InputSink, InputStats } from '../../inputs/types.ts';
import type { PipelineReport } from '../../pipeline/plugin-report.ts';
import type { Listener } from '../../pipeline/retried-listener.ts';
import { CONTENT_TYPES, exposition, formFor, type Form } from './exposition.ts';
import { familiesOf } from './families.ts';
import type { NoticeCounts } from './notice-counts.ts';

/** State of a service as it is seen from outside. */
export interface Look {
  readonly report: PipelineReport;
  /** Reasons for which it is not ready. */
  readonly reasons: readonly string[];
}

/** A service as it is seen from outside. */
export interface Observed {
  readonly look: () => Promise<Look>;
  /** Bytes of memory of its processes. */
  readonly memory: () => Promise<number>;
  readonly notices: NoticeCounts;
}

/** Milliseconds that a client may take to read an answer. */
const ANSWER_MS = 10_000;
/** Characters of a path that an answer shows. */
const MOST_SHOWN = 100;

type Page = (request: IncomingMessage) => Promise<EarlyAnswer> | EarlyAnswer;

/** Tells over HTTP how a service is. */
export class Admin implements Listener {
  readonly name = 'admin';
  readonly #service: Observed;
  readonly #listener: RequestListener;
  readonly #pages: Readonly<Record<string, Page>> = {
    '/health': () => said(200, 'The service runs.'),
    '/ready': () => this.#ready(),
    '/metrics': ({ headers }) => this.#metrics(formFor(headers.accept)),
  };

  /** @param address `host:port` @throws {InputError} `port.bad-address` */
  constructor(address: string, service: Observed) {
    this.#service = service;
    const advice = 'The address in [admin] says who can ask.';
    this.#listener = new RequestListener({ name: this.name, who: '[admin]', address, auth: null, advice });
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  start(sink: InputSink): Promise<void> {
    return this.#listener.start(sink, (request, response) => this.#serve(request, response));
  }

  stop(): Promise<void> {
    return this.#listener.stop();
  }

  stats(): InputStats {
    return { bytes: 0, records: 0, dropped: 0, totalBytes: 0 };
  }

  address(): ListenAddress | null {
    return this.#listener.address;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setTimeout(ANSWER_MS, () => request.socket.destroy());
    answerEarly(request, response, await this.#answer(request).catch((error: unknown) => said(500, messageOf(error))));
  }

  async #answer(request: IncomingMessage): Promise<EarlyAnswer> {
    const [path = '/'] = (request.url ?? '/').split('?');
    const page = Object.hasOwn(this.#pages, path) ? this.#pages[path] : undefined;
    if (page === undefined)
      return said(404, `There is nothing at ${path.slice(0, MOST_SHOWN)}, but at ${Object.keys(this.#pages).join(', ')}.`);
    if (request.method === 'GET' || request.method === 'HEAD') return page(request);
    return said(405, 'This can only be read.', { Allow: 'GET, HEAD' });
  }

  async #ready(): Promise<EarlyAnswer> {
    const { reasons } = await this.#service.look();
    return reasons.length === 0 ? said(200, 'ready') : said(503, reasons.map(printable).join('\n'));
  }

  async #metrics(form: Form): Promise<EarlyAnswer> {
    const { look, memory, notices } = this.#service;
    const [{ report, reasons }, bytes] = await Promise.all([look(), memory()]);
    const body = exposition(familiesOf(report, { reasons, memory: bytes, notices }), form);
    return { status: 200, headers: { 'Content-Type': CONTENT_TYPES[form] }, body };
  }
}

const said = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): EarlyAnswer => ({
  status,
  headers: { ...TEXT, ...headers },
  body: `${text}\n`,
});
