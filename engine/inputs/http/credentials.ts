import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Rule } from '../../section/section-schema.ts';
import { text } from '../../section/values.ts';

/** Parameters that say who may send requests. */
export const access = {
  auth_type: z
    .enum(['', 'Basic', 'API'])
    .default('')
    .describe(
      'Who may send: anybody, who knows `username` and `password`, or who sends `api_key` in the header `X-API-Key`. Others get status 401.',
    ),
  username: text.default('').describe('For `Basic`.'),
  password: text.default('').describe('For `Basic`.'),
  api_key: text.default('').describe('For `API`.'),
};

interface Access {
  readonly auth_type: '' | 'Basic' | 'API';
  readonly username: string;
  readonly password: string;
  readonly api_key: string;
}

export const ACCESS_RULES: readonly Rule<Access>[] = [
  {
    holds: ({ auth_type: type, username, password }) => type !== 'Basic' || username !== '' || password !== '',
    error: 'is needed for Basic',
    path: ['username'],
  },
  { holds: ({ auth_type: type, api_key: key }) => type !== 'API' || key !== '', error: 'is needed for API', path: ['api_key'] },
];

/** The credentials that requests must carry. */
export type HttpAuth =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** The key is in the header X-API-Key. */
  | { readonly kind: 'key'; readonly key: string };

/** null: anybody may send. */
export function authOf({ auth_type: type, username, password, api_key: key }: Access): HttpAuth | null {
  const auths = { '': null, Basic: { kind: 'basic', username, password }, API: { kind: 'key', key } } as const;
  return auths[type];
}

/** Whether a request carries the credentials. */
export function carries({ headers }: Pick<IncomingMessage, 'headers'>, auth: HttpAuth): boolean {
  if (auth.kind === 'key') return isSame(String(headers['x-api-key'] ?? ''), auth.key);
  const [, given = ''] = /^Basic (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return isSame(Buffer.from(given, 'base64').toString(), `${auth.username}:${auth.password}`);
}

/** Takes as long for texts that are nearly the same. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
