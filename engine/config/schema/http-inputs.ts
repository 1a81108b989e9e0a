import { z } from 'zod';
import { framing, FRAMING, source, withCertificate } from './inputs.ts';
import { listenerTls, tls } from './tls.ts';
import { address, count, flag, splitter, text, url } from './values.ts';

/** A text, or several for a header that comes more than once. */
const headers = z
  .record(z.string().min(1), z.union([text.transform((one) => [one]), z.array(text)]))
  .prefault({})
  .meta({ shown: 'table of texts or lists' });

export const anyHttpListenInput = z.strictObject({
  type: z.literal('HttpListenInput'),
  address: address.default('127.0.0.1:8325').describe('Where to listen.'),
  headers: headers.describe('Headers of all answers, as `[NAME.headers]`.'),
  request_headers: z
    .array(text.min(1))
    .default([])
    .meta({ shown: 'list of names' })
    .describe('Headers of requests that become fields, when they are there.'),
  auth_type: z
    .enum(['', 'Basic', 'API'])
    .default('')
    .describe(
      'Who may send: anybody, who knows `username` and `password`, or who sends `api_key` in the header `X-API-Key`. Others get status 401.',
    ),
  username: text.default('').describe('For `Basic`.'),
  password: text.default('').describe('For `Basic`.'),
  api_key: text.default('').describe('For `API`.'),
  use_tls: flag.default(false).describe('Take encrypted connections only.'),
  tls: listenerTls.describe('For `use_tls`.'),
  splitter: splitter.default('none').describe(`How the body of a request is cut into records; with \`none\` it is one record.${FRAMING}`),
  ...framing,
  ...source,
});

interface HttpListener {
  readonly auth_type: string;
  readonly username: string;
  readonly password: string;
  readonly api_key: string;
}

/** A listener that asks for a name or a key needs to know it. */
export const withLogin = <S extends z.ZodType<HttpListener>>(schema: S): S =>
  schema
    .refine(({ auth_type: type, username, password }) => type !== 'Basic' || username !== '' || password !== '', {
      error: 'is needed for Basic',
      path: ['username'],
    })
    .refine(({ auth_type: type, api_key: key }) => type !== 'API' || key !== '', { error: 'is needed for API', path: ['api_key'] });

export const httpListenInput = withCertificate(withLogin(anyHttpListenInput));

const severity = count.max(7);

export const anyHttpInput = z.strictObject({
  type: z.literal('HttpInput'),
  url: url.optional().describe('Where to ask. Either this or `urls` is required.'),
  urls: z.array(url).min(1).optional().meta({ shown: 'list of URLs' }).describe('Where to ask, one after the other.'),
  method: text
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'must be a method such as GET' })
    .transform((value) => value.toUpperCase())
    .prefault('GET')
    .describe('Method of the requests.'),
  headers: headers.describe('Headers of the requests, as `[NAME.headers]`.'),
  body: text.optional().describe('Body of the requests.'),
  username: text.optional().describe('For a server that asks for a password.'),
  password: text.optional().describe('For a server that asks for a password.'),
  ticker_interval: z.int().min(1).default(10).meta({ shown: 'seconds' }).describe('Time between two rounds. The first one comes after it.'),
  success_severity: severity.default(6).describe('Severity of answers with status 200.'),
  error_severity: severity.default(1).describe('Severity of all others, and of messages that there was no answer.'),
  tls: tls.describe('For `https`.'),
  ...source,
});

interface Addresses {
  readonly url?: string | undefined;
  readonly urls?: readonly string[] | undefined;
}

export const withAddress = <S extends z.ZodType<Addresses>>(schema: S): S =>
  schema.refine(({ url: one, urls: several }) => (one === undefined) !== (several === undefined), 'needs either url or urls');

export const httpInput = withAddress(anyHttpInput);
