/**
 * The byte form of a batch: a head of 32-bit words, then all arrays, those of 8-byte elements first, then those of 4, 2 and 1 byte, so
 * that everything is aligned without gaps. In each class the arrays come in the order of the head; among those of 1 byte, texts, byte arrays,
 * uuids and bools one after the other. Little endian, as every machine that Node 26 runs on. The length is a multiple of 8.
 *
 * Head: the `Head` words; two words for each text (code units, bytes per unit); one word for each byte array (bytes); the text
 * headers and the integer headers (`HEADER_WORDS` each); the field columns (`FIELD_WORDS` each).
 * Text 0 holds the names, representations and constants.
 */
export const MAGIC = 0x3142_5753;

/** Places of the fixed words of the head. */
export const Head = {
  magic: 0,
  /** Bytes of the whole. */
  total: 1,
  rows: 2,
  /** 1 when the uuids are there, else 0. */
  uuids: 3,
  texts: 4,
  byteArrays: 5,
  fields: 6,
  /** Bytes of the arrays with elements of 8, 4, 2 and 1 byte, and of the bools: five words. */
  sizes: 7,
} as const;

export const FIXED_WORDS = 12;
export const TEXT_WORDS = 2;
/** Words of a header: kind of storage (`Stored`); text or value; entries; start and end of a constant text. */
export const HEADER_WORDS = 5;
/** Words of a field: flags and type; name start and end; representation start and end; entries; values; backing. */
export const FIELD_WORDS = 8;

/** Kinds of storage of a header. */
export const Stored = { absent: 0, constant: 1, everyRow: 2, someRows: 3 } as const;

/** Bits of a field column's first word above its value type. */
export const TYPE_MASK = 7;
export const HAS_ROWS = 8;
export const HAS_OFFSETS = 16;
export const HAS_REPRESENTATION = 32;
export const ALL_FLAGS = TYPE_MASK | HAS_ROWS | HAS_OFFSETS | HAS_REPRESENTATION;

export const alignUp = (bytes: number): number => Math.ceil(bytes / 8) * 8;
