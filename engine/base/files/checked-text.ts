/** Begins the last line of a checked text, which is a comment where the text is a script; the checksum follows. */
const MARK = '\n//# ';
const MARK_BYTES = MARK.length + 8;
/** Bytes of a text up to which all of its words are summed. */
const SMALL = 1 << 14;
/** Of a longer text, one word in so many is summed: what a machine that stops leaves damaged are whole blocks of a disk, of 512 bytes or more. */
const STEP = 64;

/** Bytes with a checksum at their end. */
export const checkedBytes = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.from(markOf(bytes))]);

/** The bytes of a text and a checksum at their end. */
export const checkedText = (text: string): Buffer => checkedBytes(Buffer.from(text));

/** The bytes without their checksum; null: they are damaged. */
export function wholeBytes(bytes: Buffer): Buffer | null {
  const end = Math.max(0, bytes.length - MARK_BYTES);
  const whole = bytes.subarray(0, end);
  return bytes.toString('latin1', end) === markOf(whole) ? whole : null;
}

/** The text that was checked; null: it is damaged. */
export const wholeText = (bytes: Buffer): string | null => wholeBytes(bytes)?.toString('utf8') ?? null;

const markOf = (bytes: Buffer): string => MARK + checksumOf(bytes).toString(16).padStart(8, '0');

/** A sum of 32 bits. Node's modules for checksums take longer to load than the texts take to be read. */
function checksumOf(bytes: Buffer): number {
  const step = bytes.length > SMALL ? STEP : 1;
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let sum = bytes.length;
  for (let at = 0; at + 4 <= bytes.length; at += 4 * step) sum = turned(sum ^ words.getInt32(at, true));
  for (const byte of bytes.subarray(-4)) sum = turned(sum ^ byte);
  return sum >>> 0;
}

const turned = (sum: number): number => Math.imul((sum << 13) | (sum >>> 19), 0x01000193);
