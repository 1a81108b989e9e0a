import type { HttpAnswer } from '../../base/net/http-client.ts';

/** The ways in which an answer names the next page. */
export const CURSOR_KINDS = ['link', 'json', 'page', 'offset'] as const;

/** The way in which the pages of an address are found. */
export interface CursorRule {
  /** By the header Link, by a value of the answer's JSON, or by counting answers or records. */
  readonly kind: (typeof CURSOR_KINDS)[number];
  /** Names of members, with dots between them: of the value, or of the list of records; empty: the whole answer. */
  readonly path: string;
  /** The parameter of the address that gets the value; absent: the value is the address. */
  readonly parameter?: string | undefined;
  /** The first count. */
  readonly start?: number | undefined;
}

const FIRST: Readonly<Record<string, number>> = { page: 1, offset: 0 };

/** The address of the page at a cursor. @param cursor null: of the first page */
export function addressAt(base: string, rule: CursorRule, cursor: string | null): URL {
  const { kind, parameter, start = FIRST[kind] } = rule;
  const value = cursor ?? start?.toString() ?? null;
  if (value === null) return new URL(base);
  if (parameter === undefined) return new URL(value);
  const url = new URL(base);
  url.searchParams.set(parameter, value);
  return url;
}

/**
 * The cursor behind an answer; null: there is no further page for now.
 * @param asked the address that it answers
 * @throws {Error} when the answer does not have what the rule needs, or names another server
 */
export function nextCursor(
  rule: CursorRule,
  asked: URL,
  answer: Pick<HttpAnswer, 'headers' | 'body'>,
  cursor: string | null,
): string | null {
  const { kind, path, parameter, start = FIRST[kind] ?? 0 } = rule;
  if (kind === 'link') return nextAddress(linkOf(answer.headers.link), asked);
  const found = memberAt(parsed(answer.body), path);
  if (kind === 'json') {
    const value = valueOf(found, path);
    if (parameter === undefined) return nextAddress(value, asked);
    return value === cursor ? null : value;
  }
  if (!Array.isArray(found)) throw new Error(`the answer has no list ${path === '' ? 'of records' : path}`);
  if (found.length === 0) return null;
  return String(Number(cursor ?? start) + (kind === 'page' ? 1 : found.length));
}

/** Credentials are for one server, and so are its pages. */
function nextAddress(written: string | null, asked: URL): string | null {
  if (written === null) return null;
  if (!URL.canParse(written, asked)) throw new Error(`the next page ${written} is no address`);
  const next = new URL(written, asked);
  if (next.origin !== asked.origin) throw new Error(`the next page is on another server, ${next.origin}`);
  return next.href === asked.href ? null : next.href;
}

/** A link and its parameters (RFC 8288). */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g;
const NEXT = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next(?![^\s;,]))/i;

/** The next page by the header Link; null: there is none. */
function linkOf(header: string | readonly string[] | undefined): string | null {
  for (const [, address = '', parameters = ''] of String(header ?? '').matchAll(LINK)) if (NEXT.test(parameters)) return address;
  return null;
}

/** Numbers keep their digits. */
const digits = (_name: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' ? source : value;

function parsed(body: string): unknown {
  try {
    return JSON.parse(body, digits);
  } catch (error) {
    throw new Error('the answer is no JSON, or longer than what is read of it', { cause: error });
  }
}

function memberAt(json: unknown, path: string): unknown {
  let at = json;
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

function valueOf(found: unknown, path: string): string | null {
  if (found === undefined || found === null || found === false || found === '') return null;
  if (typeof found !== 'string') throw new Error(`${path} of the answer is neither a text nor a number`);
  return found;
}
