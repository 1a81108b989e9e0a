/** The encoding of a source that is text. Compressed sources are probed again behind the decompression. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';
export const COMPRESSIONS = ['gzip', 'zstd', 'bzip2', 'xz', 'lzma', 'lz4'] as const;
export type Compression = (typeof COMPRESSIONS)[number];
/** Forms of files that stand for those in them. */
export type ArchiveForm = 'tar' | 'zip';

/** The kind of a source by its first bytes. */
export type Probe =
  | {
      readonly kind: 'text';
      readonly encoding: TextEncoding;
      /** Length of the byte order mark. */
      readonly bom: number;
      /** The byte that ends its lines; undefined: a line feed. */
      readonly lineEnd?: LineEnd;
    }
  | { readonly kind: 'compressed'; readonly format: Compression }
  | { readonly kind: 'archive'; readonly format: ArchiveForm }
  /** `what` names it, `advice` says what can be done. */
  | { readonly kind: 'binary'; readonly what: string; readonly advice: string };

/**
 * A byte other than a line feed that ends lines: a carriage return alone, as old programs of the Macintosh write it, or NUL, as GELF and syslog have it over TCP.
 */
export type LineEnd = 0 | 13;

/** Number of bytes to look at. */
export const PROBE_BYTES = 8192;

const [NUL, TAB, LF, CR, BLANK, DELETE] = [0, 9, 10, 13, 32, 127] as const;
const UNPACK = 'Unpack it first.';
/** Tabulators, line ends, and the escape of colours. */
const WHITE: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 27]);
const NO_LOG = 'Only text logs can be read.';

/** Beginnings of compressed files. Those of bzip2 go on with digits of pi, or of its root at the end of an empty file. */
const COMPRESSED: readonly { readonly format: Compression; readonly begins: string; readonly goesOn: readonly string[] }[] = [
  { format: 'gzip', begins: '\x1f\x8b', goesOn: [''] },
  { format: 'zstd', begins: '\x28\xb5\x2f\xfd', goesOn: [''] },
  ...Array.from({ length: 9 }, (_, i) => ({ format: 'bzip2' as const, begins: `BZh${i + 1}`, goesOn: ['1AY&SY', '\x17rE8P\x90'] })),
  { format: 'xz', begins: '\xfd7zX', goesOn: ['Z\0'] },
  { format: 'lz4', begins: '\x04\x22\x4d\x18', goesOn: [''] },
  { format: 'lz4', begins: '\x02\x21\x4c\x18', goesOn: [''] },
];
/** Bytes of the longest of them. */
export const COMPRESSED_BYTES = 14;
/** Three bits of a literal's context and two of positions; and the bytes up to the first one of the packed data, which is 0. */
const [LZMA_PROPERTIES, LZMA_BYTES] = [0x5d, 14];

/** The compression by the first bytes; null: none. */
export function compressionBy(head: Buffer): Compression | null {
  if (isLzma(head)) return 'lzma';
  const text = head.toString('latin1', 0, COMPRESSED_BYTES);
  return COMPRESSED.find(({ begins, goesOn }) => goesOn.some((rest) => text.startsWith(begins + rest)))?.format ?? null;
}

/** Whether it is the head of an .lzma file with the usual properties: the size of the dictionary, and that of the text, which is unknown or below a terabyte. */
function isLzma(head: Buffer): boolean {
  if (head[0] !== LZMA_PROPERTIES || head.length < LZMA_BYTES || head[LZMA_BYTES - 1] !== 0) return false;
  const dictionary = head.readUInt32LE(1);
  const isPower = (dictionary & (dictionary - 1)) === 0;
  return isPower && dictionary >= 4096 && (head.readBigInt64LE(5) === -1n || (head[10] === 0 && head[11] === 0 && head[12] === 0));
}

export const isCompression = (format: string): format is Compression => COMPRESSIONS.some((one) => one === format);

/** Whether so few bytes do not tell what a source is. */
export const isTooShort = (head: Buffer): boolean =>
  head.length < 4 ||
  (head.length < COMPRESSED_BYTES && COMPRESSED.some(({ begins, goesOn }) => goesOn[0] !== '' && startsWith(head, begins)));

/** Beginnings of known kinds of binary files. */
const SIGNATURES: readonly { readonly bytes: string; readonly what: string; readonly advice: string }[] = [
  { bytes: '7z\xbc\xaf\x27\x1c', what: 'a 7z archive', advice: UNPACK },
  { bytes: 'Rar!\x1a\x07', what: 'a rar archive', advice: UNPACK },
  { bytes: 'LPKSHHRH', what: 'a systemd journal', advice: 'Export it as text: journalctl --file FILE -o short-iso' },
  { bytes: 'ElfFile\0', what: 'a Windows event log', advice: 'Export it as text from the Event Viewer.' },
  { bytes: 'SQLite format 3\0', what: 'an SQLite database', advice: NO_LOG },
  { bytes: '\x7fELF', what: 'a program', advice: NO_LOG },
  { bytes: 'MZ\x90\0', what: 'a Windows program', advice: NO_LOG },
  { bytes: '\x89PNG', what: 'a picture', advice: NO_LOG },
  { bytes: '\xff\xd8\xff', what: 'a picture', advice: NO_LOG },
  { bytes: 'GIF8', what: 'a picture', advice: NO_LOG },
  { bytes: '%PDF-', what: 'a PDF document', advice: NO_LOG },
  { bytes: 'PAR1', what: 'a Parquet file', advice: NO_LOG },
  { bytes: '\xd4\xc3\xb2\xa1', what: 'a network capture', advice: NO_LOG },
  { bytes: '\x0a\x0d\x0d\x0a', what: 'a network capture', advice: NO_LOG },
];

/** The first field of `journalctl -o export`. */
const JOURNAL_EXPORT = '__CURSOR=';

/** Place of the mark of a tar archive. */
const TAR_MARK = 257;

/** Looks at the first bytes of a source (up to `PROBE_BYTES`; fewer are fine). */
export function probe(head: Buffer): Probe {
  const format = compressionBy(head);
  if (format !== null) return { kind: 'compressed', format };
  if (startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06')) return { kind: 'archive', format: 'zip' };
  const signature = SIGNATURES.find(({ bytes }) => startsWith(head, bytes));
  if (signature) return { kind: 'binary', what: signature.what, advice: signature.advice };
  if (head.toString('latin1', TAR_MARK, TAR_MARK + 5) === 'ustar') return { kind: 'archive', format: 'tar' };
  if (isUtf32(head)) return { kind: 'binary', what: 'text in UTF-32', advice: 'Convert it first: iconv -f UTF-32 -t UTF-8 FILE' };
  if (startsWith(head, '\xef\xbb\xbf')) return { kind: 'text', encoding: 'utf-8', bom: 3, ...lineEndOf(head.subarray(3)) };
  if (startsWith(head, '\xff\xfe')) return { kind: 'text', encoding: 'utf-16le', bom: 2 };
  if (startsWith(head, '\xfe\xff')) return { kind: 'text', encoding: 'utf-16be', bom: 2 };
  // Its fields in binary form have NUL bytes.
  if (startsWith(head, JOURNAL_EXPORT)) return { kind: 'text', encoding: 'utf-8', bom: 0 };
  const text = withoutEndMarks(withoutHoles(head.subarray(0, PROBE_BYTES)));
  if (!text.includes(0)) return { kind: 'text', encoding: 'utf-8', bom: 0, ...lineEndOf(head) };
  const encoding = unmarkedUtf16(head.subarray(0, PROBE_BYTES));
  if (encoding !== null) return { kind: 'text', encoding, bom: 0 };
  const end = lineEndOf(head);
  if (end !== null || isMostlyText(text)) return { kind: 'text', encoding: 'utf-8', bom: 0, ...end };
  return { kind: 'binary', what: 'a binary file', advice: NO_LOG };
}

const MARKS: Readonly<Record<TextEncoding, string>> = { 'utf-8': '\xef\xbb\xbf', 'utf-16le': '\xff\xfe', 'utf-16be': '\xfe\xff' };

/** Length of the byte order mark of an encoding that the bytes begin with; 0 without one. */
export const markLength = (head: Buffer, encoding: TextEncoding): number =>
  startsWith(head, MARKS[encoding]) ? MARKS[encoding].length : 0;

function startsWith(head: Buffer, signature: string): boolean {
  return head.length >= signature.length && head.toString('latin1', 0, signature.length) === signature;
}

/** Whether a mark of UTF-32 and a character follow each other: that of little-endian bytes alone is also UTF-16 that begins with a NUL. */
function isUtf32(head: Buffer): boolean {
  if (head.length < 8) return false;
  const isLittle = startsWith(head, '\xff\xfe\0\0');
  if (!isLittle && !startsWith(head, '\0\0\xfe\xff')) return false;
  const first = isLittle ? head.readUInt32LE(4) : head.readUInt32BE(4);
  return first > 0 && first <= 0x10ffff;
}

/** Long runs of NUL are holes in a text file: a preallocated file, a truncated one under an open writer, or one that was open when the machine failed. */
function withoutHoles(head: Buffer): Buffer {
  const HOLE = 16;
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = head.indexOf(0); at >= 0;) {
    let to = at;
    while (to < head.length && head[to] === 0) to++;
    if (to - at >= HOLE) {
      pieces.push(head.subarray(from, at));
      from = to;
    }
    at = head.indexOf(0, to);
  }
  return pieces.length === 0 ? head : Buffer.concat([...pieces, head.subarray(from)]);
}

/** NUL in front of line ends, where programs and devices sent the end of their texts too. */
function withoutEndMarks(head: Buffer): Buffer {
  if (!head.includes('\0\n') && !head.includes('\0\r\n')) return head;
  return Buffer.from(head.toString('latin1').replace(/\0{1,16}(?=\r?\n)/g, ''), 'latin1');
}

/** The byte that ends the lines of a text without a line feed; null: there is none. */
function lineEndOf(bytes: Buffer): { readonly lineEnd: LineEnd } | null {
  const head = bytes.subarray(0, PROBE_BYTES);
  if (head.includes(LF)) return null;
  if (isBetween(head, CR) && !head.includes(NUL)) return { lineEnd: CR };
  return isBetween(head, NUL) && isPrintable(head) ? { lineEnd: NUL } : null;
}

/** Whether text stands in front of a byte and behind it. */
function isBetween(head: Buffer, byte: number): boolean {
  const first = head.indexOf(byte);
  return first > 0 && first < head.length - 1 && head[first + 1] !== byte;
}

/** Whether there are only characters, tabs and NUL. */
const isPrintable = (head: Buffer): boolean => head.every((code) => code === NUL || code === TAB || (code >= BLANK && code !== DELETE));

/**
 * The byte that ends lines in a file whose only line, `head`, is all that there is for now; null: it has no end, or a line feed. Such a file does not tell yet whether a line feed
 * follows.
 */
export function onlyLineEnd(head: Buffer): LineEnd | null {
  const last = head.at(-1);
  if (head.length < 2 || head.length > PROBE_BYTES || head.includes(LF)) return null;
  if (last === CR && !head.includes(NUL)) return CR;
  return last === NUL && head.indexOf(NUL) === head.length - 1 && isPrintable(head) ? NUL : null;
}

/** Servers write to their logs what clients sent them, bytes of TLS among it: lines with a few control characters are a text. */
function isMostlyText(head: Buffer): boolean {
  const MOST_CONTROLS = 0.02;
  const isControl = (byte: number): boolean => (byte < 32 && !WHITE.has(byte)) || byte === 127;
  let controls = 0;
  for (const byte of head) if (isControl(byte)) controls++;
  return head.includes(10) && controls <= head.length * MOST_CONTROLS;
}

/** UTF-16 without a mark: text of mostly ASCII has a NUL in nearly every second byte, always on the same side. */
function unmarkedUtf16(head: Buffer): TextEncoding | null {
  const pairs = head.length >> 1;
  if (pairs < 8) return null;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < pairs * 2; i += 2) {
    if (head[i] === 0) even++;
    if (head[i + 1] === 0) odd++;
  }
  if (even === 0 && odd > pairs * 0.7) return 'utf-16le';
  if (odd === 0 && even > pairs * 0.7) return 'utf-16be';
  return null;
}

/** UTF-16 bytes (an even number) as UTF-8 with the same number of code units: lone surrogates become U+FFFD. */
export function utf16ToUtf8(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): Buffer {
  const little = encoding === 'utf-16le' ? bytes : Buffer.from(bytes).swap16();
  return Buffer.from(little.toString('utf16le'), 'utf8');
}

/** Bytes that valid UTF-8 takes as UTF-16. */
export function utf16Length(utf8: Buffer): number {
  return 2 * utf8.toString('utf8').length;
}

/** Length of the bytes up to the last whole character: not through a code unit, not through a surrogate pair. */
export function wholeUtf16(bytes: Buffer, encoding: Exclude<TextEncoding, 'utf-8'>): number {
  const even = bytes.length & ~1;
  if (even === 0) return 0;
  const last = encoding === 'utf-16le' ? bytes.readUInt16LE(even - 2) : bytes.readUInt16BE(even - 2);
  return last >= 0xd800 && last < 0xdc00 ? even - 2 : even;
}
