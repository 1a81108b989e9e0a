import { createHmac, randomBytes } from 'node:crypto';

/** Bits that are remembered. */
const MOST_FLIPS = 200_000;

/** Bytes that a secret makes of texts: nobody without it finds the text, or tells whether a guess is right. */
export class Keyed {
  readonly #secret: Buffer;
  readonly #keepsNetworks: boolean;
  readonly #flips = new Map<string, number>();

  /**
   * @param secret random by default, so that the pseudonyms of two sessions have nothing in common
   * @param keepsNetworks false: an address becomes one of any kind of network, of which there are more
   */
  constructor(secret: Uint8Array = randomBytes(32), keepsNetworks = true) {
    this.#secret = Buffer.from(secret);
    this.#keepsNetworks = keepsNetworks;
  }

  /** 32 bytes for a text. @param kind keeps equal texts of different kinds apart */
  bytes(kind: string, text: string): Buffer {
    return createHmac('sha256', this.#secret).update(kind).update('\0').update(text).digest();
  }

  /** So many letters of `alphabet` for a text. */
  letters(kind: string, text: string, count: number, alphabet = 'bcdfghjklmnpqrstvwxz'): string {
    let letters = '';
    for (let block = 0; letters.length < count; block++)
      for (const byte of this.bytes(`${kind}${block}`, text)) letters += alphabet[byte % alphabet.length] as string;
    return letters.slice(0, count);
  }

  /**
   * The bits of an address behind the first `kept` ones, each flipped or not by what all bits before it say: addresses that begin alike still do, and no two become
   * one.
   */
  address(bits: string, kept: number): string {
    const first = this.#keepsNetworks ? kept : 0;
    let made = bits.slice(0, first);
    for (let at = first; at < bits.length; at++) made += Number(bits[at]) ^ this.#flip(`${bits.length}/${bits.slice(0, at)}`);
    return made;
  }

  /** 0 or 1. Neighbouring addresses ask for most of them again. */
  #flip(before: string): number {
    let flip = this.#flips.get(before);
    if (flip === undefined) {
      flip = (this.bytes('bit', before)[0] as number) & 1;
      if (this.#flips.size >= MOST_FLIPS) this.#flips.clear();
      this.#flips.set(before, flip);
    }
    return flip;
  }
}
