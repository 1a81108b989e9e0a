import { createHmac, randomBytes } from 'node:crypto';

/** Bytes that a secret makes of texts: nobody without it finds the text, or tells whether a guess is right. */
export class Keyed {
  readonly #secret: Buffer;

  /** @param secret random by default, so that the pseudonyms of two sessions have nothing in common */
  constructor(secret: Uint8Array = randomBytes(32)) {
    this.#secret = Buffer.from(secret);
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
    let made = bits.slice(0, kept);
    for (let at = kept; at < bits.length; at++)
      made += Number(bits[at]) ^ ((this.bytes('bit', `${bits.length}/${bits.slice(0, at)}`)[0] as number) & 1);
    return made;
  }
}
