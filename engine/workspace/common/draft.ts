import { randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { removeLeftovers } from '../../base/files/folders.ts';

/** Returns a free path beside a file for its next content. Drafts of that file that were left by processes that were killed are removed. */
export function draftBeside(path: string): string {
  const name = basename(path).replaceAll(/\W/gu, (sign) => `\\u{${(sign.codePointAt(0) as number).toString(16)}}`);
  try {
    removeLeftovers(dirname(path), new RegExp(String.raw`^${name}\.(\d+)-[0-9a-f]{16}\.part$`, 'u'));
  } catch {
    // The folder is not there or cannot be listed, or a draft belongs to somebody else: whoever writes the new one tells of that.
  }
  return `${path}.${process.pid}-${randomBytes(8).toString('hex')}.part`;
}
