import { ProtoReader, type ReaderLimits } from './proto-reader.ts';
import { ProtoWriter } from './proto-writer.ts';
import type { HmacHash, Signature } from './signing.ts';
import { readUtf8, writeUtf8 } from '../utf8.ts';

/** Header of a framed message (schema/message.proto). */
export interface FrameHeader {
  /** In bytes. */
  readonly messageLength: number;
  /** null when the header carries no digest. */
  readonly signature: Signature | null;
}

/** Keys of the fields: number << 3 | wire type. */
const KEYS = { messageLength: 8, hashFunction: 24, signer: 34, keyVersion: 40, digest: 50 } as const;
export const LENGTH_KEY = KEYS.messageLength;
const HASHES: readonly (HmacHash | undefined)[] = ['md5', 'sha1'];
/** The limits of protobufjs, so that headers of other programs are accepted or refused as protobufjs would. */
const LIMITS: ReaderLimits = { keyBytes: 5, unknownVarintBytes: Infinity, groups: 100 };

const writer = new ProtoWriter({ write: writeUtf8 });

export function encodeFrameHeader({ messageLength, signature }: FrameHeader): Uint8Array {
  writer.reset();
  writer.key(KEYS.messageLength);
  writer.int32(messageLength >>> 0);
  if (signature !== null) writeSignature(signature);
  return writer.finish();
}

function writeSignature({ signer, keyVersion, hash, digest }: Signature): void {
  // MD5 is the default, which is not written.
  if (hash === 'sha1') {
    writer.key(KEYS.hashFunction);
    writer.int32(HASHES.indexOf(hash));
  }
  writer.key(KEYS.signer);
  writer.text(signer);
  writer.key(KEYS.keyVersion);
  writer.int32(keyVersion >>> 0);
  writer.key(KEYS.digest);
  writer.bytes(digest);
}

/**
 * Decodes a header. Unknown fields, fields of another wire type and unknown hash functions are skipped; of a field that comes
 * several times the last one counts.
 * @throws {MessageDecodeError} when it has no message length or is cut off
 */
export function decodeFrameHeader(bytes: Uint8Array): FrameHeader {
  const reader = new ProtoReader(bytes, readUtf8, LIMITS);
  let messageLength: number | undefined;
  let digest: Uint8Array | undefined;
  let hash: HmacHash = 'md5';
  let signer = '';
  let keyVersion = 0;
  while (reader.next()) {
    switch ((reader.tag << 3) | reader.wireType) {
      case KEYS.messageLength:
        messageLength = reader.int32() >>> 0;
        break;
      case KEYS.hashFunction:
        hash = HASHES[reader.int32()] ?? hash;
        break;
      case KEYS.signer:
        signer = reader.text();
        break;
      case KEYS.keyVersion:
        keyVersion = reader.int32() >>> 0;
        break;
      case KEYS.digest:
        digest = reader.bytes();
        break;
      default:
        reader.skip();
    }
  }
  if (messageLength === undefined) throw reader.error('no message length');
  return { messageLength, signature: digest === undefined ? null : { signer, keyVersion, hash, digest } };
}
