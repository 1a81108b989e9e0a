import { createHmac, timingSafeEqual } from 'node:crypto';

export type HmacHash = 'md5' | 'sha1';

/** A signer of messages, with its key. */
export interface Signer {
  readonly name: string;
  readonly version: number;
  readonly hash: HmacHash;
  readonly key: string;
}

/** The signature in the header of a record. */
export interface Signature {
  readonly signer: string;
  readonly keyVersion: number;
  readonly hash: HmacHash;
  readonly digest: Uint8Array;
}

/** Keys by `<signer name>_<version>`. */
export type SignerKeys = ReadonlyMap<string, string>;

/** The hash that a configuration names; anything but sha1 is md5. */
export function hmacHashOf(name: string | undefined): HmacHash {
  return name === 'sha1' ? 'sha1' : 'md5';
}

/** The signature of a message's bytes: HMAC (RFC 2104) over the message alone, without header and framing. */
export function sign(message: Uint8Array, signer: Signer): Signature {
  const digest = createHmac(signer.hash, signer.key).update(message).digest();
  return { signer: signer.name, keyVersion: signer.version, hash: signer.hash, digest };
}

/** With less header than this (framing included) there is no room for a digest, so none is looked for. */
const MIN_SIGNED_HEADER = 17;

/**
 * Verifies a record. Returns the signer's name, '' for an unsigned record, or null for an unknown key or a wrong signature; such a
 * record is to be dropped silently. Digests are compared in constant time.
 */
export function authenticate(
  record: { readonly message: Uint8Array; readonly headerBytes: number; readonly signature: Signature | null },
  keys: SignerKeys,
): string | null {
  const { message, headerBytes, signature } = record;
  if (signature === null || headerBytes < MIN_SIGNED_HEADER) return '';
  const key = keys.get(`${signature.signer}_${signature.keyVersion}`);
  if (key === undefined) return null;
  const { digest } = sign(message, { name: signature.signer, version: signature.keyVersion, hash: signature.hash, key });
  if (digest.length !== signature.digest.length) return null;
  return timingSafeEqual(digest, signature.digest) ? signature.signer : null;
}
