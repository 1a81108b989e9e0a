import { setTimeout as delay } from 'node:timers/promises';
import { EngineError, messageOf } from '../base/errors.ts';
import { FileCache } from './file-cache.ts';
import type { LakeFiles } from './lake-files.ts';
import { queryOf, signed, uriEncoded, type S3Keys } from './s3-signature.ts';

/** A server of buckets, and who asks it. */
export interface S3Access {
  /** `https://…`, without a bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly keys: S3Keys;
}

/** Attempts of a request, and milliseconds of the first pause between them. */
const TRIES = 4;
const PAUSE_MS = 200;
/** Milliseconds without an answer. */
const TIMEOUT_MS = 60_000;
/** A file by which is found out, once, whether the server makes a file only where there is none. */
const PROBE = '_log/probe.json';

/** `s3://bucket/prefix` in its parts; the prefix ends with `/`, or is empty. @throws {EngineError} `store.missing` */
export function placeInBucket(path: string): { readonly bucket: string; readonly prefix: string } {
  const [, bucket, rest = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*?))?\/*$/.exec(path) ?? [];
  if (bucket === undefined) throw new EngineError('store.missing', `${path} is not the place of a lake: give s3://BUCKET/PREFIX`);
  return { bucket, prefix: rest === '' ? '' : `${rest}/` };
}

/** A lake in a bucket of S3, or of another server that speaks as it does. */
export class S3Files implements LakeFiles {
  readonly root: string;
  readonly #access: S3Access;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #cache: FileCache;
  #isExclusive: Promise<void> | null = null;

  constructor(root: string, access: S3Access, cache = new FileCache()) {
    this.root = root;
    this.#access = access;
    this.#cache = cache;
    ({ bucket: this.#bucket, prefix: this.#prefix } = placeInBucket(root));
  }

  async list(folder: string): Promise<string[]> {
    const found: string[] = [];
    const prefix = `${this.#prefix}${folder === '' ? '' : `${folder}/`}`;
    for (let token: string | null = null; ;) {
      const next = token === null ? {} : { 'continuation-token': token };
      const answer = await this.#ask('GET', null, { query: { 'list-type': '2', 'encoding-type': 'url', prefix, ...next } });
      const text = await answer.text();
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) found.push(keyText(key).slice(this.#prefix.length));
      const [, more] = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text) ?? [];
      if (more === undefined) return found.filter((path) => !path.endsWith('/'));
      token = xmlText(more);
    }
  }

  /** By the clock of the server. */
  async ageMs(path: string): Promise<number> {
    const { headers } = await this.#ask('HEAD', path);
    const [now, then] = ['date', 'last-modified'].map((name) => Date.parse(headers.get(name) ?? '')) as [number, number];
    return (Number.isNaN(now) ? Date.now() : now) - then;
  }

  async read(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.#ask('GET', path)).arrayBuffer());
  }

  async create(path: string, bytes: Uint8Array): Promise<boolean> {
    await (this.#isExclusive ??= this.#probe().catch((error: unknown) => {
      this.#isExclusive = null;
      throw error;
    }));
    return this.#put(path, bytes);
  }

  async remove(path: string): Promise<void> {
    await this.#ask('DELETE', path, { also: [404] });
  }

  /** A copy in the cache of this machine. */
  local(path: string): Promise<string> {
    return this.#cache.get(`${this.#access.endpoint}/${this.#bucket}/${this.#prefix}${path}`, () => this.read(path));
  }

  /** A bucket has no drafts. */
  tidy(): Promise<void> {
    return Promise.resolve();
  }

  async #put(path: string, bytes: Uint8Array): Promise<boolean> {
    const { status } = await this.#ask('PUT', path, { body: bytes, headers: { 'if-none-match': '*' }, also: [409, 412] });
    return status < 300;
  }

  /** A server that does not know the condition would let writers overwrite each other's commits. */
  async #probe(): Promise<void> {
    const bytes = Buffer.from('{}\n');
    if ((await this.#put(PROBE, bytes)) && (await this.#put(PROBE, bytes)))
      throw new EngineError(
        'store.unwritable',
        `${this.#access.endpoint} cannot hold a lake: it does not know the condition If-None-Match of a PUT`,
      );
  }

  /** @param also codes of answers that are no errors here */
  async #ask(method: string, path: string | null, { query = {}, headers = {}, body = null, also = [] }: Asked = {}): Promise<Response> {
    const { endpoint, region, keys } = this.#access;
    const key = path === null ? '' : `/${`${this.#prefix}${path}`.split('/').map(uriEncoded).join('/')}`;
    const search = queryOf(query);
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${this.#bucket}${key}${search === '' ? '' : `?${search}`}`);
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(url, {
        method,
        headers: signed({ method, url, headers, body }, keys, region, new Date()),
        body: body === null ? null : Buffer.from(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
      if (!(answer instanceof Error) && (answer.ok || also.includes(answer.status))) return answer;
      const isPassing = answer instanceof Error || answer.status >= 500 || answer.status === 429;
      if (!isPassing || attempt === TRIES) throw await problemOf(answer, `${this.root}${path === null ? '' : `/${path}`}`);
      await delay(PAUSE_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | null;
  readonly also?: readonly number[];
}

async function problemOf(answer: Response | Error, place: string): Promise<Error> {
  if (answer instanceof Error) {
    const { cause } = answer;
    return new EngineError('store.unreadable', `${place} is out of reach: ${messageOf(cause ?? answer)}`, { cause: answer });
  }
  const text = await answer.text().catch(() => '');
  const [, said = answer.statusText] = /<Message>([^<]*)<\/Message>/.exec(text) ?? [];
  const error = new EngineError('store.unreadable', `${place}: the server says ${answer.status} ${xmlText(said)}`.trimEnd());
  return answer.status === 404 ? Object.assign(new Error(error.message), { code: 'ENOENT' }) : error;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const xmlText = (text: string): string => text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] as string);
const keyText = (text: string): string => decodeURIComponent(xmlText(text).replaceAll('+', '%20'));

/** Access by the variables of the environment that other programs for S3 know, too. @throws {EngineError} `store.missing` */
export function accessFrom(
  env: Readonly<Record<string, string | undefined>>,
  given: Partial<Omit<S3Access, 'keys'> & S3Keys> = {},
): S3Access {
  const region = given.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1';
  const endpoint = given.endpoint ?? env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'] ?? `https://s3.${region}.amazonaws.com`;
  const accessKey = given.accessKey ?? env['AWS_ACCESS_KEY_ID'];
  const secretKey = given.secretKey ?? env['AWS_SECRET_ACCESS_KEY'];
  if (accessKey === undefined || secretKey === undefined)
    throw new EngineError('store.missing', 'a lake in a bucket needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const sessionToken = given.accessKey === undefined ? (env['AWS_SESSION_TOKEN'] ?? null) : null;
  return { endpoint, region, keys: { accessKey, secretKey, sessionToken } };
}
