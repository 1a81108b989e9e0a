import { createHash, createHmac } from 'node:crypto';

/** Keys of a user of a bucket. */
export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Of keys that are valid for a while only; null: these are not. */
  readonly sessionToken: string | null;
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** A text as it stands in a path or a query that is signed: only letters, digits and `-._~` stay. */
export const uriEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** The query of an address, as it is signed. */
export const queryOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${uriEncoded(name)}=${uriEncoded(value)}`)
    .sort()
    .join('&');

export interface ToSign {
  readonly method: string;
  /** Of which path and query are encoded as above. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/**
 * The headers of a request with those that sign it: AWS Signature Version 4, with a hash of the body
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 */
export function signed({ method, url, headers, body }: ToSign, keys: S3Keys, region: string, now: Date): Record<string, string> {
  const time = `${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  const day = time.slice(0, 8);
  const bodyHash = sha256(body ?? '');
  const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-content-sha256': bodyHash, 'x-amz-date': time };
  if (keys.sessionToken !== null) all['x-amz-security-token'] = keys.sessionToken;
  const names = Object.keys(all).sort();
  const listed = names.map((name) => `${name}:${(all[name] as string).trim()}\n`).join('');
  const request = [method, url.pathname, url.search.slice(1), listed, names.join(';'), bodyHash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${keys.secretKey}`, day));
  const { host: _, ...sent } = all;
  const credential = `Credential=${keys.accessKey}/${scope}`;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(';')}, Signature=${hmac(key, text).toString('hex')}`,
  };
}
