import type * as Crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { BUNDLED_PLUGINS } from './bundled.ts';

/** The list of the hashes of bundled scripts and modules, by their names below `plugins`. `npm run docs` writes it. */
export const SHIPPED_LIST = new URL('../../../plugins/shipped.json', import.meta.url);

let hashes: Readonly<Record<string, string>> | null = null;

/**
 * Whether a file is one that comes with the product and has the text with which it came, byte for byte. Only such code may run outside of a
 * sandbox. Without a list no file is.
 * @param path without symbolic links
 */
export function isShipped(path: string, text: string): boolean {
  hashes ??= readHashes();
  return Object.hasOwn(hashes, shippedName(path)) && hashes[shippedName(path)] === shippedHash(text);
}

/** The name of a file in the list: its path below the folder of the bundled scripts. */
export const shippedName = (path: string): string => relative(BUNDLED_PLUGINS, path).replaceAll(sep, '/');

/** The SHA-256 of a text, as the list has it. */
export function shippedHash(text: string): string {
  const { hash }: typeof Crypto = process.getBuiltinModule('node:crypto');
  return hash('sha256', text, 'base64url');
}

function readHashes(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(SHIPPED_LIST, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
