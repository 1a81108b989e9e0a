import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** As much of S3 as a lake needs, with one bucket in memory. It refuses requests whose signature is not right. */
export class S3Server {
  readonly files = new Map<string, { readonly bytes: Buffer; readonly time: Date }>();
  readonly secret: string;
  /** Whether it knows the condition of a PUT. */
  isConditional = true;
  /** Requests that are answered with 503 first. */
  failures = 0;
  /** Keys of a list. */
  page = 1000;
  #server: Server | null = null;

  constructor(secret: string) {
    this.secret = secret;
  }

  async start(): Promise<string> {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body = '', headers = {} }) => {
        response.writeHead(status, headers);
        response.end(request.method === 'HEAD' ? '' : body);
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body?: Buffer | string; headers?: Record<string, string> }> {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const url = new URL(request.url ?? '', 'http://x');
    if (!this.#isSigned(request, url, body))
      return { status: 403, body: '<Error><Message>signature &amp; request differ</Message></Error>' };
    if (this.failures-- > 0) return { status: 503 };
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    const file = this.files.get(key);
    switch (request.method) {
      case 'PUT':
        if (this.isConditional && file !== undefined && request.headers['if-none-match'] === '*') return { status: 412 };
        this.files.set(key, { bytes: body, time: new Date() });
        return { status: 200 };
      case 'DELETE':
        this.files.delete(key);
        return { status: 204 };
      default:
        if (key === '') return { status: 200, body: this.#list(url.searchParams) };
        if (file === undefined) return { status: 404, body: '<Error><Message>no such key</Message></Error>' };
        return { status: 200, body: file.bytes, headers: { 'last-modified': file.time.toUTCString() } };
    }
  }

  #list(query: URLSearchParams): string {
    const keys = [...this.files.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
    const from = Number(query.get('continuation-token') ?? 0);
    const listed = keys
      .slice(from, from + this.page)
      .map((key) => `<Contents><Key>${encodeURIComponent(key).replaceAll('%20', '+')}</Key></Contents>`);
    const more = from + this.page < keys.length ? `<NextContinuationToken>${from + this.page}</NextContinuationToken>` : '';
    return `<ListBucketResult>${listed.join('')}${more}</ListBucketResult>`;
  }

  #isSigned({ headers, method = '' }: IncomingMessage, url: URL, body: Buffer): boolean {
    const [, scope = '', names = '', signature] =
      /^AWS4-HMAC-SHA256 Credential=key\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(headers.authorization ?? '') ?? [];
    const listed = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
    const hash = sha256(body);
    const request = [method, url.pathname, url.search.slice(1), listed.join(''), names, hash].join('\n');
    const [day = '', region = '', service = '', end = ''] = scope.split('/');
    const key = hmac(hmac(hmac(hmac(`AWS4${this.secret}`, day), region), service), end);
    const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n');
    return headers['x-amz-content-sha256'] === hash && hmac(key, text).toString('hex') === signature;
  }
}
