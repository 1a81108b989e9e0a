import { isVarying, KINDS, LONGEST_SHAPE } from './shapes.ts';

/** Places for templates by the beginning of their text, and how many there are for each beginning. */
const [PLACES, WAYS] = [1024, 4];
/** Of so many texts that fit no template, one becomes another. */
const LEARN_EVERY = 8;
const NEWLINE = 10;

/** A text of a shape, without the words that vary: what is between them is written one behind the other. */
interface Template {
  readonly code: number;
  readonly literals: DataView;
  /** Lengths of what is before, between and behind the words that vary. */
  readonly lengths: Uint16Array;
}

/** Texts of which the shapes are known: one that differs from them in words that vary has the same shape, and is known without writing it. */
export class ShapeTemplates {
  readonly #places: (Template | null)[] = Array.from({ length: PLACES }, () => null);
  #missed = 0;

  /** The code of the shape of a text; -1: it is to be found out. */
  codeOf(bytes: DataView, from: number, to: number): number {
    if (to - from < 4 || to - from > LONGEST_SHAPE) return -1;
    const place = placeOf(bytes, from, to);
    for (let way = 0; way < WAYS; way++) {
      const template = this.#places[place + way] as Template | null;
      if (template !== null && fits(template, bytes, from, to)) return template.code;
    }
    return -1;
  }

  /** Learns from a text that was not known. */
  learn(bytes: DataView, from: number, to: number, code: number): void {
    if (to - from < 4 || to - from > LONGEST_SHAPE || ++this.#missed % LEARN_EVERY !== 0) return;
    const template = templateOf(bytes, from, to, code);
    if (template === null) return;
    this.#places[placeOf(bytes, from, to) + ((this.#missed / LEARN_EVERY) & (WAYS - 1))] = template;
  }
}

/** The first place of a text by its first twelve bytes; all digits are the same, and most letters. */
function placeOf(bytes: DataView, from: number, to: number): number {
  let hash = bytes.getInt32(from, true) & 0xf0f0f0f0;
  if (to - from >= 12) {
    hash = Math.imul(hash, 0x85ebca6b) ^ (bytes.getInt32(from + 4, true) & 0xf0f0f0f0);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) ^ (bytes.getInt32(from + 8, true) & 0xf0f0f0f0);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash >>> 16) & (PLACES - WAYS);
}

function fits({ literals, lengths }: Template, bytes: DataView, from: number, to: number): boolean {
  let at = from;
  let literal = 0;
  for (let i = 0; ; i++) {
    const length = lengths[i] as number;
    if (at + length > to) return false;
    const end = literal + length;
    for (; literal + 4 <= end; literal += 4, at += 4) if (literals.getInt32(literal, true) !== bytes.getInt32(at, true)) return false;
    for (; literal < end; literal++, at++) if (literals.getUint8(literal) !== bytes.getUint8(at)) return false;
    if (i === lengths.length - 1) return at === to;
    const start = at;
    let digits = 0;
    for (; at < to; at++) {
      const kind = KINDS[bytes.getUint8(at)] as number;
      if (kind === 0) break;
      digits += kind >> 1;
    }
    if (at === start || !isVarying(digits, at - start, bytes.getUint8(start))) return false;
  }
}

/** null: the text has lines, of which some may be left out. */
function templateOf(bytes: DataView, from: number, to: number, code: number): Template | null {
  const literals: number[] = [];
  const lengths: number[] = [];
  let before = 0;
  for (let at = from; at < to;) {
    const start = at;
    let digits = 0;
    for (; at < to; at++) {
      const kind = KINDS[bytes.getUint8(at)] as number;
      if (kind === 0) break;
      digits += kind >> 1;
    }
    if (at > start && isVarying(digits, at - start, bytes.getUint8(start))) {
      lengths.push(literals.length - before);
      before = literals.length;
    } else for (let i = start; i < at; i++) literals.push(bytes.getUint8(i));
    if (at === to) break;
    const separator = bytes.getUint8(at++);
    if (separator === NEWLINE) return null;
    literals.push(separator);
  }
  lengths.push(literals.length - before);
  return { code, literals: new DataView(Uint8Array.from(literals).buffer), lengths: Uint16Array.from(lengths) };
}
