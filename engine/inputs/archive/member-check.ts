import { decompressed, isDamaged } from '../decompress.ts';
import { probe, PROBE_BYTES } from '../probe.ts';
import type { LeftOut } from './types.ts';

/** Names of a file on Windows begin with a drive. */
const DRIVE = /^[A-Za-z]:/;

/** The name of a member as it is used: without `./` in front, and with `/` between folders. */
export const memberName = (name: string): string => name.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '');

/** The reason for which a name is refused; null: it is a path below the archive. */
export function whyRefused(name: string): string | null {
  if (name === '' || name.includes('\0')) return 'its name is none';
  if (name.startsWith('/') || DRIVE.test(name)) return 'its name is an absolute path';
  return name.split('/').includes('..') ? 'its name leads out of the archive (..)' : null;
}

/** Bytes at the beginning of a text in which there is no NUL. */
const CLEAN_BYTES = 1024;

/** The reason for which a file is no text by its first bytes; null: it is one, or a compressed one. */
export function whyNoText(head: Buffer): string | null {
  if (head.length === 0) return 'it is empty';
  const found = probe(head);
  if (found.kind === 'binary') return `it is ${found.what}`;
  if (found.kind !== 'text' || found.encoding !== 'utf-8' || found.lineEnd !== undefined) return null;
  return head.subarray(0, CLEAN_BYTES).includes(0) ? 'it is a binary file' : null;
}

/** Looks at the first bytes of a member (up to `PROBE_BYTES`). Returns why it is left out; null: it is a log. */
export async function whyNoLog(name: string, head: Buffer): Promise<LeftOut | null> {
  const leave = (why: string): LeftOut => ({ name, why, isLoss: false });
  const found = probe(head);
  if (found.kind === 'archive') return { name, why: `it is a ${found.format} archive in an archive`, isLoss: true };
  const why = whyNoText(head);
  if (why !== null) return leave(why);
  if (found.kind !== 'compressed') return null;
  const inner = probe(await unpackedHead(head, found.format));
  if (inner.kind === 'archive') return { name, why: `it is a ${inner.format} archive in an archive`, isLoss: true };
  return inner.kind === 'binary' ? leave(`${inner.what} is packed in it`) : null;
}

/** The first bytes of the text of a compressed one, as far as they can be unpacked from its beginning. */
async function unpackedHead(head: Buffer, format: Parameters<typeof decompressed>[1]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of decompressed(once(head), format)) {
      pieces.push(piece);
      length += piece.length;
      if (length >= PROBE_BYTES) break;
    }
  } catch (error) {
    // The head ends within a block, as it is only the head.
    if (!isDamaged(error)) throw error;
  }
  return Buffer.concat(pieces).subarray(0, PROBE_BYTES);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}
