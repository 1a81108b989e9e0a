import { basename } from 'node:path';
import { ALL } from './tables.ts';
import { isStandardInput } from '../inputs/shared/standard-input.ts';

/** Endings that say how a file is packed, which of a rotated series it is, or that all of them are meant. */
const OUTER = /(?:\.(?:gz|zst|zstd|bz2|xz|lz4|br|\d+)|[-.]\d{4}-?\d{2}-?\d{2}|\*+)$/i;
/** An ending that says what a file is. */
const KIND = /\.[a-z]\w{0,7}$/i;

/** The name of the table for a file: the stem of its name in letters, digits and `_`. `access.log.2.gz` belongs to `access`. */
export function tableName(file: string): string {
  if (isStandardInput(file)) return 'stdin';
  let stem = basename(file);
  for (let shorter = stem.replace(OUTER, ''); shorter !== stem && shorter !== ''; shorter = stem.replace(OUTER, '')) stem = shorter;
  stem = stem.replace(KIND, '') || stem;
  return nameFor(stem);
}

/** The table of a lake for messages without a type. */
export const UNTYPED = 'untyped';

/** A text as the name of a table. */
export function nameFor(text: string): string {
  const name = text
    .replace(/[^\p{L}\p{N}_]+/gu, '_')
    .replace(/(?<=[^_])_+$/, '')
    .replace(/^(?=\p{N}|$)/u, '_');
  return name.toLowerCase() === ALL ? `${name}_file` : name;
}
