import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { HttpClient, MOST_BODY_BYTES, type HttpAnswer, type HttpTarget } from '../../base/net/http-client.ts';
import { batchOf } from '../../message/batch/builder.ts';
import { randomUuid } from '../../message/random-uuid.ts';
import { nowNs } from '../../message/timestamp.ts';
import { ValueType, type Field, type Message } from '../../message/types.ts';
import { bytesText } from '../notices.ts';
import { Ticker } from '../ticker.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { z } from 'zod';
import { tls } from '../../section/tls.ts';
import { count, text, url } from '../../section/values.ts';
import { tlsConnection } from '../../base/net/tls.ts';
import { inputType } from '../shared/input-type.ts';
import { decoding, interval } from '../shared/parameters.ts';
import { addressAt, CURSOR_KINDS, nextCursor, type CursorRule } from './cursor.ts';
import { CursorBook } from './cursor-book.ts';
import { headers } from './headers.ts';

const severity = count.max(7);

/** An answer that takes longer is none. */
const TIMEOUT_MS = 60_000;

/** The type `HttpInput` of sections. */
export const httpInput = inputType({
  type: 'HttpInput',
  summary:
    'Requests URLs at an interval. An answer becomes a message of Type `svc.httpinput.data`, with its body as Payload and the fields ' +
    'StatusCode, Status, ResponseSize, ResponseTime and Protocol. A failure becomes a message of Type `svc.httpinput.error`. Redirects ' +
    'of `GET` are followed; to another server, without the password and without the headers `Authorization`, `Cookie` and `Host`. With `cursor`, ' +
    'a round asks for one page after the other, and the next round, also after a restart, goes on where the last one ended.',
  example: '[health]\ntype = "HttpInput"\nurls = ["http://127.0.0.1:8080/health", "https://example.org/"]\nticker_interval = 30',
  parameters: () => ({
    url: url.optional().describe('Where to ask. Either this or `urls` is required.'),
    urls: z.array(url).min(1).optional().meta({ shown: 'list of URLs' }).describe('URLs to request, one after the other.'),
    method: text
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'must be a method such as GET' })
      .transform((value) => value.toUpperCase())
      .prefault('GET')
      .describe('Method of the requests.'),
    headers: headers.describe('Headers of the requests, as `[NAME.headers]`.'),
    body: text.optional().describe('Body of the requests.'),
    username: text.optional().describe('For a server that asks for a password.'),
    password: text.optional().describe('For a server that asks for a password.'),
    ticker_interval: interval.default(10).describe('Time between two rounds. The first one comes after it.'),
    cursor: z
      .enum(CURSOR_KINDS)
      .optional()
      .describe(
        'How an answer with a status below 300 leads to the next page, on the same server. `link`: by the header Link with `rel="next"`. ' +
          '`json`: by the value at `cursor_path`, which is an address or, with `cursor_parameter`, the value of this parameter. `page` and ' +
          '`offset`: `cursor_parameter` counts the answers that have records, or the records. Without a next page, the last one is asked for again in the next round.',
      ),
    cursor_path: text
      .default('')
      .describe(
        'Names of members with dots between them, such as `paging.next`: of the value for `json`, of the list of records for `page` and `offset`. Empty: the whole answer.',
      ),
    cursor_parameter: text.min(1).optional().describe('The parameter of the address that gets the cursor.'),
    cursor_start: count.optional().describe('The first value of `page` (1) or `offset` (0).'),
    max_pages: count.min(1).default(100).describe('For `cursor`: most pages of an address in a round. The next round goes on behind them.'),
    success_severity: severity.default(6).describe('Severity of answers with status 200.'),
    error_severity: severity.default(1).describe('Severity of all other answers, and of messages about missing answers.'),
    tls: tls.describe('For `https`.'),
    ...decoding,
  }),
  rules: [
    { holds: ({ url: one, urls: several }) => (one === undefined) !== (several === undefined), error: 'needs either url or urls' },
    { holds: ({ cursor, cursor_path: path }) => cursor !== 'json' || path !== '', error: 'is needed for json', path: ['cursor_path'] },
    {
      holds: ({ cursor, cursor_parameter: parameter }) => (cursor !== 'page' && cursor !== 'offset') || parameter !== undefined,
      error: 'is needed for page and offset',
      path: ['cursor_parameter'],
    },
  ],
  source: { form: () => 'records' },
  facts: (config) => {
    const urls = urlsOf(config);
    return { kind: 'poll', label: urls.map((each) => new URL(each).host).join(', '), location: urls.join(', ') };
  },
  make: (config, { hostname, stateDirectory }) => {
    const { name, method, headers: sent, username, password, body = null, ticker_interval: seconds } = config;
    return new HttpInput({
      name,
      urls: urlsOf(config),
      request: { method, headers: sent, username, password, timeout: TIMEOUT_MS, tls: tlsConnection(config.tls) },
      body,
      seconds,
      severity: { success: config.success_severity, error: config.error_severity },
      hostname,
      cursor: cursorOf(config, stateDirectory),
    });
  },
});

function cursorOf(
  config: {
    readonly name: string;
    readonly cursor?: CursorRule['kind'] | undefined;
    readonly cursor_path: string;
    readonly cursor_parameter?: string | undefined;
    readonly cursor_start?: number | undefined;
    readonly max_pages: number;
  },
  folder: string,
): HttpInputOptions['cursor'] {
  const { name, cursor: kind, cursor_path: path, cursor_parameter: parameter, cursor_start: start, max_pages: maxPages } = config;
  if (kind === undefined) return undefined;
  const file = join(folder, `${encodeURIComponent(name).replaceAll('*', '%2A')}.cursors`);
  return { rule: { kind, path, parameter: kind === 'link' ? undefined : parameter, start }, maxPages, file };
}

function urlsOf({ url: one = '', urls = [one] }: { readonly url?: string | undefined; readonly urls?: readonly string[] | undefined }) {
  return urls;
}

export interface HttpInputOptions {
  readonly name: string;
  /** URLs to ask, one after the other. */
  readonly urls: readonly string[];
  readonly request: Omit<HttpTarget, 'url'>;
  /** Body of the request; null: none. */
  readonly body: string | null;
  /** Whole seconds between two rounds, above 0. The first comes after it. */
  readonly seconds: number;
  /** Severity of answers with status 200, and of all others. */
  readonly severity: { readonly success: number; readonly error: number };
  readonly hostname: string;
  /** The way to further pages, of which a round takes so many at most, and the file that keeps the cursors. */
  readonly cursor?: { readonly rule: CursorRule; readonly maxPages: number; readonly file: string } | undefined;
}

/** The messages of a request, and the cursor behind it; null: there is no further page for now. */
interface Asked {
  readonly messages: readonly Message[];
  readonly next: string | null;
}

const MAX_REDIRECTS = 10;
/** Headers that are for the server that they were set for. */
const OF_SERVER: ReadonlySet<string> = new Set(['authorization', 'cookie', 'host', 'proxy-authorization']);

/** Asks addresses at an interval, and makes a message of each answer, or of the reason why there is none. */
export class HttpInput implements Input {
  readonly name: string;
  readonly #options: HttpInputOptions;
  readonly #stop = new AbortController();
  /** Addresses whose answers were told to be too long. */
  readonly #cut = new Set<string>();
  #ticker: Ticker | null = null;
  #cursors: CursorBook | null = null;
  #bytes = 0;
  #records = 0;

  constructor(options: HttpInputOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async start(sink: InputSink): Promise<void> {
    const { cursor } = this.#options;
    if (cursor !== undefined) {
      this.#cursors = new CursorBook(cursor.file, cursor.rule, (notice) => sink.notice(notice));
      await this.#cursors.load();
    }
    this.#ticker = new Ticker(this.#options.seconds * 1000, () => this.#round(sink));
    this.#ticker.start();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ticker?.stop();
  }

  async settle(): Promise<void> {
    await this.#cursors?.settle();
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: 0, totalBytes: this.#bytes };
  }

  async #round(sink: InputSink): Promise<void> {
    for (const url of this.#options.urls) if (!(await this.#pages(url, sink))) return;
    sink.idle();
  }

  /** Asks for the pages of an address. Returns whether the round goes on. */
  async #pages(url: string, sink: InputSink): Promise<boolean> {
    for (let left = this.#options.cursor?.maxPages ?? 1; left > 0; left--) {
      const { messages, next } = await this.#ask(url, sink);
      if (this.#stop.signal.aborted) return false;
      const acknowledge = (): void => (next === null ? undefined : this.#cursors?.keep(url, next));
      this.#records += messages.length;
      for (const { payload = '' } of messages) this.#bytes += Buffer.byteLength(payload);
      try {
        await sink.deliver({ batch: batchOf(messages), firstLine: 0, acknowledge });
      } catch {
        // The pipeline takes nothing more, and has said why.
        return false;
      }
      if (next === null) break;
      this.#cursors?.move(url, next);
    }
    return true;
  }

  async #ask(url: string, sink: InputSink): Promise<Asked> {
    const { hostname, severity } = this.#options;
    const head = { uuid: randomUuid(), timestamp: nowNs(), logger: url, hostname, pid: process.pid };
    const failure = (error: unknown): Message => ({
      ...{ ...head, uuid: randomUuid(), type: 'svc.httpinput.error', severity: severity.error },
      ...{ payload: messageOf(error), fields: [] },
    });
    const started = performance.now();
    try {
      const address = this.#addressOf(url);
      const answer = await this.#follow(address);
      if (answer.isCut) this.#tellCut(url, sink);
      const seconds = (performance.now() - started) / 1000;
      const level = answer.status === 200 ? severity.success : severity.error;
      const data = { ...head, type: 'svc.httpinput.data', severity: level, payload: answer.body, fields: fieldsOf(answer, seconds) };
      try {
        return { messages: [data], next: this.#nextOf(url, address, answer) };
      } catch (error) {
        return { messages: [data, failure(error)], next: null };
      }
    } catch (error) {
      return { messages: [failure(error)], next: null };
    }
  }

  #addressOf(url: string): URL {
    const { cursor } = this.#options;
    return cursor === undefined ? new URL(url) : addressAt(url, cursor.rule, this.#cursors?.at(url) ?? null);
  }

  #nextOf(url: string, address: URL, answer: HttpAnswer): string | null {
    const { cursor } = this.#options;
    if (cursor === undefined || answer.status >= 300) return null;
    return nextCursor(cursor.rule, address, answer, this.#cursors?.at(url) ?? null);
  }

  #tellCut(url: string, sink: InputSink): void {
    if (this.#cut.has(url)) return;
    this.#cut.add(url);
    const size = bytesText(MOST_BODY_BYTES);
    sink.notice({ level: 'warning', code: 'record.truncated', text: `${url} answers more than ${size}: only its first ${size} are read.` });
  }

  /** Sends a request, and follows redirects. */
  async #follow(url: URL): Promise<HttpAnswer> {
    const { body } = this.#options;
    let { request } = this.#options;
    let at = url;
    for (let left = MAX_REDIRECTS; ; left--) {
      const client = new HttpClient({ ...request, url: at, keepAlive: false });
      try {
        const answer = await client.send(body === null ? null : Buffer.from(body), this.#stop.signal);
        const { location } = answer.headers;
        const isMoved = request.method === 'GET' && [301, 302, 303, 307, 308].includes(answer.status);
        if (!isMoved || location === undefined || !URL.canParse(location, at)) return answer;
        if (left === 0) throw new Error(`stopped after ${MAX_REDIRECTS} redirects`);
        const next = new URL(location, at);
        if (next.protocol !== 'http:' && next.protocol !== 'https:') return answer;
        if (next.origin !== at.origin) request = forAnotherServer(request);
        at = next;
      } finally {
        client.close();
      }
    }
  }
}

/** The request without what only the server that it was made for may know. */
function forAnotherServer(request: HttpInputOptions['request']): HttpInputOptions['request'] {
  const headers = Object.entries(request.headers).filter(([name]) => !OF_SERVER.has(name.toLowerCase()));
  return { ...request, headers: Object.fromEntries(headers), username: undefined, password: undefined };
}

function fieldsOf({ status, statusText, version, headers }: HttpAnswer, seconds: number): Field[] {
  const length = Number(headers['content-length'] ?? -1);
  return [
    { name: 'StatusCode', valueType: ValueType.INTEGER, representation: '', values: [BigInt(status)] },
    { name: 'Status', valueType: ValueType.STRING, representation: '', values: [`${status} ${statusText}`.trim()] },
    {
      name: 'ResponseSize',
      valueType: ValueType.INTEGER,
      representation: 'B',
      values: [BigInt(Number.isSafeInteger(length) ? length : -1)],
    },
    { name: 'ResponseTime', valueType: ValueType.DOUBLE, representation: 's', values: [seconds] },
    { name: 'Protocol', valueType: ValueType.STRING, representation: '', values: [`HTTP/${version}`] },
  ];
}
