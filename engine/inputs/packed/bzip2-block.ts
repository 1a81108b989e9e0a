import type { BitReader } from './bit-reader.ts';
import { DamagedError, endsTooEarly } from './errors.ts';

const [RUN_A, RUN_B] = [0, 1];
const GROUP_SYMBOLS = 50;
const MOST_CODE_BITS = 20;
const MOST_SYMBOLS = 258;
/** Codes of up to so many bits are found in a table. */
const FAST_BITS = 10;
/** Equal bytes after which a byte says how many more of them follow. */
const RUN = 4;

/** A block that is still in the order in which it was sorted. */
interface SortedBlock {
  readonly length: number;
  /** Place of the row that is the text. */
  readonly origin: number;
}

/** Reads a block behind its mark and checksum into `block`, each byte in the low 8 bits. @throws {DamagedError} */
export function readBlock(bits: BitReader, block: Uint32Array): SortedBlock {
  if (bits.read(1) === 1) throw new DamagedError('blocks of bzip2 0.9.0 and earlier are not read');
  const origin = bits.read(24);
  const symbols = symbolsOf(bits);
  const groups = bits.read(3);
  if (groups < 2 || groups > 6) throw damaged(bits);
  const selectors = selectorsOf(bits, groups);
  const codes: Code[] = [];
  for (let group = 0; group < groups; group++) codes.push(new Code(bits, symbols.length + 2));
  const length = readSymbols(bits, { symbols, selectors, codes, block });
  if (bits.isBeyond) throw endsTooEarly();
  if (origin >= length) throw damaged(bits);
  return { length, origin };
}

const damaged = (bits: BitReader): DamagedError => (bits.isBeyond ? endsTooEarly() : new DamagedError('a block is damaged'));

/** The bytes that are in a block. */
function symbolsOf(bits: BitReader): Uint8Array {
  const rows = bits.read(16);
  const found: number[] = [];
  for (let row = 0; row < 16; row++) {
    if ((rows & (0x8000 >> row)) === 0) continue;
    const columns = bits.read(16);
    for (let column = 0; column < 16; column++) if ((columns & (0x8000 >> column)) !== 0) found.push(row * 16 + column);
  }
  if (found.length === 0) throw damaged(bits);
  return Uint8Array.from(found);
}

/** The code of each group of symbols. */
function selectorsOf(bits: BitReader, groups: number): Uint8Array {
  const count = bits.read(15);
  if (count === 0) throw damaged(bits);
  const recent = Uint8Array.from({ length: groups }, (_, group) => group);
  const selectors = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    let place = 0;
    while (bits.read(1) === 1) if (++place >= groups) throw damaged(bits);
    const group = recent[place] as number;
    recent.copyWithin(1, 0, place);
    recent[0] = group;
    selectors[i] = group;
  }
  return selectors;
}

/** A Huffman code in canonical form. */
class Code {
  /** By the next bits: 32 times the symbol, and the length of its code; 0: it is longer. */
  readonly #fast = new Uint16Array(1 << FAST_BITS);
  /** By length: the greatest code, the first code, and the number of symbols with shorter codes. */
  readonly #limits = new Int32Array(MOST_CODE_BITS + 2).fill(-1);
  readonly #firsts = new Int32Array(MOST_CODE_BITS + 2);
  readonly #places = new Int32Array(MOST_CODE_BITS + 2);
  readonly #sorted: Uint16Array;

  constructor(bits: BitReader, symbols: number) {
    const lengths = new Uint8Array(MOST_SYMBOLS);
    let length = bits.read(5);
    for (let symbol = 0; symbol < symbols; symbol++) {
      for (;;) {
        if (length < 1 || length > MOST_CODE_BITS) throw damaged(bits);
        if (bits.read(1) === 0) break;
        length += bits.read(1) === 0 ? 1 : -1;
      }
      lengths[symbol] = length;
    }
    this.#sorted = new Uint16Array(symbols);
    let [place, code] = [0, 0];
    for (let size = 1; size <= MOST_CODE_BITS; size++) {
      this.#firsts[size] = code;
      this.#places[size] = place;
      for (let symbol = 0; symbol < symbols; symbol++) {
        if (lengths[symbol] !== size) continue;
        if (code >= 1 << size) throw damaged(bits);
        if (size <= FAST_BITS) this.#fast.fill((symbol << 5) | size, code << (FAST_BITS - size), (code + 1) << (FAST_BITS - size));
        this.#limits[size] = code++;
        this.#sorted[place++] = symbol;
      }
      code <<= 1;
    }
  }

  next(bits: BitReader): number {
    const found = this.#fast[bits.peek(FAST_BITS)] as number;
    if (found !== 0) {
      bits.skip(found & 31);
      return found >> 5;
    }
    for (let size = FAST_BITS + 1; size <= MOST_CODE_BITS; size++) {
      const code = bits.peek(size);
      if (code > (this.#limits[size] as number)) continue;
      bits.skip(size);
      return this.#sorted[(this.#places[size] as number) + code - (this.#firsts[size] as number)] ?? 0;
    }
    throw damaged(bits);
  }
}

interface BlockParts {
  readonly symbols: Uint8Array;
  readonly selectors: Uint8Array;
  readonly codes: readonly Code[];
  readonly block: Uint32Array;
}

/** Reads the symbols of a block: runs of the byte in front, and moves to the front. Returns the number of bytes. */
function readSymbols(bits: BitReader, { symbols, selectors, codes, block }: BlockParts): number {
  const recent = Uint8Array.from(symbols);
  const end = symbols.length + 1;
  let [length, run, power, group, left] = [0, 0, 1, 0, 0];
  let code = codes[0] as Code;
  for (;;) {
    if (left === 0) {
      if (group >= selectors.length) throw damaged(bits);
      code = codes[selectors[group++] as number] as Code;
      left = GROUP_SYMBOLS;
    }
    left--;
    const symbol = code.next(bits);
    if (symbol === RUN_A || symbol === RUN_B) {
      run += symbol === RUN_A ? power : power * 2;
      power *= 2;
      if (run > block.length) throw damaged(bits);
      continue;
    }
    if (run > 0) {
      if (length + run > block.length) throw damaged(bits);
      block.fill(recent[0] as number, length, length + run);
      length += run;
      [run, power] = [0, 1];
    }
    if (symbol === end) return length;
    if (length >= block.length || symbol > end) throw damaged(bits);
    const place = symbol - 1;
    const byte = recent[place] as number;
    recent.copyWithin(1, 0, place);
    recent[0] = byte;
    block[length++] = byte;
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value;
});

/** Undoes the sorting of a block, and the runs of bytes. `crc` is the checksum of the text of the block up to there. */
export function* restored(
  block: Uint32Array,
  length: number,
  origin: number,
  pieceBytes: number,
): Generator<{ readonly piece: Buffer; readonly crc: number }> {
  const places = new Int32Array(256);
  for (let i = 0; i < length; i++) (places[(block[i] as number) & 255] as number)++;
  for (let byte = 0, sum = 0; byte < 256; byte++) {
    const count = places[byte] as number;
    places[byte] = sum;
    sum += count;
  }
  for (let i = 0; i < length; i++) {
    const byte = (block[i] as number) & 255;
    const place = places[byte] as number;
    places[byte] = place + 1;
    block[place] = ((block[place] as number) | (i << 8)) >>> 0;
  }
  let at = (block[origin] as number) >>> 8;
  let [crc, run, last] = [-1, 0, -1];
  let piece = Buffer.allocUnsafe(pieceBytes);
  let filled = 0;
  for (let i = 0; i < length; i++) {
    const entry = block[at] as number;
    const byte = entry & 255;
    at = entry >>> 8;
    let copies = 1;
    let value = byte;
    if (run === RUN) {
      copies = byte;
      value = last;
      run = 0;
      last = -1;
    } else if (byte === last) run++;
    else {
      run = 1;
      last = byte;
    }
    for (let copy = 0; copy < copies; copy++) {
      crc = (crc << 8) ^ (CRC_TABLE[(crc >>> 24) ^ value] as number);
      piece[filled++] = value;
      if (filled < pieceBytes) continue;
      yield { piece, crc: ~crc >>> 0 };
      piece = Buffer.allocUnsafe(pieceBytes);
      filled = 0;
    }
  }
  yield { piece: piece.subarray(0, filled), crc: ~crc >>> 0 };
}
