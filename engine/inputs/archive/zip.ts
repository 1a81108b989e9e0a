import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf } from '../../base/errors.ts';
import type { Chunks } from '../chunks.ts';
import { decompressed, isDamaged } from '../decompress.ts';
import { DamagedError } from '../packed/errors.ts';
import { PROBE_BYTES, type Compression } from '../probe.ts';
import { LeftOutFiles } from './left-out.ts';
import { memberName, whyNoLog, whyRefused } from './member-check.ts';
import type { ArchiveBounds, LeftOut, Listing, Member } from './types.ts';

const [STORED, DEFLATED] = [0, 8];
/** Methods of the format whose data are a file of another one (APPNOTE 6.3.10, 4.4.5). */
const OTHER_METHODS: Readonly<Record<number, Compression>> = { 12: 'bzip2', 93: 'zstd', 95: 'xz' };
const LINK_MODE = 0o12;

/** The logs of a zip archive (PKWARE APPNOTE 6.3.10), by its directory. @throws {DamagedError} for one without a directory that can be read */
export async function listZip(path: string, fileSize: number, bounds: ArchiveBounds): Promise<Listing> {
  const yauzl = await import('yauzl');
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch((error: unknown) => {
    throw asDamaged(error);
  });
  const found = new Map<string, { readonly member: Member; readonly entry: Entry }>();
  const leftOut = new LeftOutFiles();
  let [entries, bytes] = [0, 0];
  try {
    for await (const entry of zip.eachEntry()) {
      const given = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      const name = memberName(given);
      if (given.endsWith('/')) continue;
      if (++entries > bounds.members) {
        leftOut.lose(name, `it and those behind it are more than ${bounds.members.toLocaleString('en')} files`);
        break;
      }
      const size = entry.uncompressedSize;
      const problem = await problemOf(zip, entry, name, bytes + size > mostBytes(fileSize, bounds));
      if (problem !== null) leftOut.add(problem);
      else {
        bytes += size;
        const writtenNs = BigInt(entry.getLastModDate().getTime()) * 1_000_000n;
        found.set(name, { member: { name, size, writtenNs }, entry });
      }
    }
  } catch (error) {
    leftOut.lose('its directory', `it is damaged from there on (${messageOf(error)})`);
  }
  return {
    form: 'zip',
    members: [...found.values()].map(({ member }) => member),
    leftOut: leftOut.all,
    read: (name) => contentOf(zip, (found.get(name) as { readonly entry: Entry }).entry),
    close: () => zip.close(),
  };
}

function mostBytes(fileSize: number, { bytes, ratio, freeBytes }: ArchiveBounds): number {
  return Math.min(bytes, Math.max(freeBytes, fileSize * ratio));
}

/** Why an entry is left out; null: it is a log. */
async function problemOf(zip: ZipFile, entry: Entry, name: string, isBeyond: boolean): Promise<LeftOut | null> {
  const refused = whyRefused(name);
  if (refused !== null) return { name, why: refused, isLoss: false };
  if (((entry.externalFileAttributes >>> 16) & 0xffff) >> 12 === LINK_MODE) return { name, why: 'it is a link', isLoss: false };
  if (entry.isEncrypted()) return { name, why: 'it is encrypted; unpack it first, with its password', isLoss: true };
  const { compressionMethod: method } = entry;
  if (method !== STORED && method !== DEFLATED && OTHER_METHODS[method] === undefined)
    return { name, why: `it is packed by method ${method}, which is not read`, isLoss: true };
  if (isBeyond) return { name, why: 'with it, the archive unpacks to more than is read here', isLoss: true };
  try {
    return await whyNoLog(name, await headOf(contentOf(zip, entry)));
  } catch (error) {
    return { name, why: `it is damaged (${messageOf(error)})`, isLoss: true };
  }
}

/** The first bytes of a content; what comes before damage, too. */
async function headOf(content: Chunks): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of content) {
      pieces.push(piece);
      length += piece.length;
      if (length >= PROBE_BYTES) break;
    }
  } catch (error) {
    if (length === 0) throw error;
  }
  return Buffer.concat(pieces).subarray(0, PROBE_BYTES);
}

/** The content of an entry, with its size and checksum verified. @throws {DamagedError} behind what could be read */
async function* contentOf(zip: ZipFile, entry: Entry): Chunks {
  let [size, checksum] = [0, 0];
  try {
    for await (const chunk of unpackedContent(zip, entry)) {
      size += chunk.length;
      checksum = crc32(chunk, checksum);
      if (size > entry.uncompressedSize) throw new DamagedError('it is larger than the directory says');
      yield chunk;
    }
  } catch (error) {
    throw asDamaged(error);
  }
  if (size < entry.uncompressedSize || checksum !== entry.crc32) throw new DamagedError('wrong checksum or size');
}

async function* unpackedContent(zip: ZipFile, entry: Entry): Chunks {
  const format = OTHER_METHODS[entry.compressionMethod];
  const stream: Readable = await zip.openReadStreamPromise(entry, format === undefined ? {} : { decodeFileData: false });
  yield* format === undefined ? (stream as AsyncIterable<Buffer>) : decompressed(stream as AsyncIterable<Buffer>, format);
}

function asDamaged(error: unknown): unknown {
  if (!(error instanceof Error) || isDamaged(error)) return error;
  return 'errno' in error ? error : new DamagedError(messageOf(error), { cause: error });
}
