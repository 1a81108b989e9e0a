import { readTextSync } from '../../base/files/regular-file.ts';
import { ALL_HEADERS, OPTIONAL_HEADERS, type HEADERS } from '../../api/headers.ts';
import { UsageError } from '../command.ts';
import { fieldOf, type FieldFlag } from './field-flags.ts';
import { messageOf } from '../../base/errors.ts';
import { parseInteger } from '../../message/integer.ts';
import { randomUuid } from '../../message/random-uuid.ts';
import type { HmacHash, Signer } from '../../message/protobuf/signing.ts';
import { nowNs, parseTimestamp } from '../../message/timestamp.ts';
import type { Field, Message, OptionalHeaders } from '../../message/types.ts';
import { parseUuid } from '../../message/uuid.ts';
import { parseChoice, parseCount } from '../settings.ts';

type HeaderOption = (typeof HEADERS)[keyof typeof HEADERS]['option'];

/** Header options of the command line, unparsed. */
export type HeaderFlags = { readonly [O in HeaderOption]?: string | undefined };

export const HEADER_OPTIONS = Object.fromEntries(ALL_HEADERS.map(({ option }) => [option, { type: 'string' }])) as Record<
  HeaderOption,
  { readonly type: 'string' }
>;

/** Makes messages, each with a new uuid and the current time unless these were given. */
export type MessageMaker = () => Message;

/**
 * Reads the flags once. Headers that are not given stay unset.
 * @throws {UsageError} for a value that does not fit
 */
export function messageMaker(headers: HeaderFlags, fieldFlags: readonly FieldFlag[]): MessageMaker {
  const given = OPTIONAL_HEADERS.map(({ kind, member, option }) => {
    const text = headers[option as HeaderOption];
    return [member, kind === 'text' ? text : int32(`--${option}`, text)];
  });
  const fixed = { ...(Object.fromEntries(given) as OptionalHeaders), fields: fieldFlags.reduce(fieldOf, [] as readonly Field[]) };
  const uuid = headers.uuid === undefined ? null : uuidOf(headers.uuid);
  const timestamp = headers.timestamp === undefined || headers.timestamp === 'now' ? null : timeOf(headers.timestamp);
  return () => ({ uuid: uuid ?? randomUuid(), timestamp: timestamp ?? nowNs(), ...fixed });
}

function int32(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = parseInteger(text, 32);
  if (value === null) throw new UsageError(`${option} must be a whole number of 32 bits, not '${text}'`);
  return Number(value);
}

function uuidOf(text: string): Uint8Array {
  const uuid = parseUuid(text);
  if (uuid === null) throw new UsageError(`--uuid must be like 0f6a1c2e-1111-4222-8333-944455556666, not '${text}'`);
  return uuid;
}

function timeOf(text: string): bigint {
  const ns = parseTimestamp(text);
  if (ns === null) throw new UsageError(`--timestamp must be nanoseconds since 1970 or a date such as 2021-03-05T13:07:59Z, not '${text}'`);
  return ns;
}

export interface SignerFlags {
  readonly signer?: string | undefined;
  readonly 'signer-version': string;
  readonly hmac: string;
  readonly key?: string | undefined;
  readonly 'key-file'?: string | undefined;
}

const HASHES: readonly HmacHash[] = ['md5', 'sha1'];

/**
 * Reads the signer from the flags; null when messages are not signed.
 * @throws {UsageError} for a signer without a key, and for a key without a signer
 */
export function signerOf(flags: SignerFlags): Signer | null {
  const { signer: name, key, 'key-file': keyFile } = flags;
  const hash = parseChoice('--hmac', flags.hmac, HASHES);
  const version = parseCount('--signer-version', flags['signer-version']);
  if (version > 0xffff_ffff) throw new UsageError(`--signer-version must fit into 32 bits, not '${version}'`);
  if (key !== undefined && keyFile !== undefined) throw new UsageError('--key and --key-file exclude each other.');
  if (name === undefined) {
    if (key !== undefined || keyFile !== undefined) throw new UsageError('a key without --signer signs nothing.');
    return null;
  }
  const secret = key ?? (keyFile === undefined ? undefined : secretIn(keyFile));
  if (secret === undefined) throw new UsageError('--signer needs --key or --key-file.');
  return { name, version, hash, key: secret };
}

/** Bytes of a file with a key. */
const MOST_BYTES = 1 << 20;

/** The content of a file without its last line end. */
function secretIn(path: string): string {
  try {
    return readTextSync(path, MOST_BYTES).replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(`--key-file cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
