import { addressOf, type Network } from '../base/text/networks.ts';

interface Prefix {
  readonly length: number;
  readonly masks: Uint32Array;
  readonly places: Map<number | string, number>;
}

/** Networks and a number for each; of several that have an address, the longest prefix counts. */
export class Prefixes {
  /** Longest prefixes first. */
  readonly #v4: Prefix[] = [];
  readonly #v6: Prefix[] = [];

  /** Sets the number of a network. */
  set(network: Network, number: number): void {
    const { isV4, words, masks, length } = network;
    const prefixes = isV4 ? this.#v4 : this.#v6;
    let prefix = prefixes.find((one) => one.length === length);
    if (prefix === undefined) {
      prefixes.push((prefix = { length, masks, places: new Map() }));
      prefixes.sort((a, b) => b.length - a.length);
    }
    prefix.places.set(keyOf(isV4, words, masks), number);
  }

  /** The number of the longest prefix that has the address; undefined: none has it, or the text is no address. */
  find(text: string): number | undefined {
    const address = addressOf(text);
    if (address === null) return undefined;
    const { isV4, words } = address;
    for (const { masks, places } of isV4 ? this.#v4 : this.#v6) {
      const number = places.get(keyOf(isV4, words, masks));
      if (number !== undefined) return number;
    }
    return undefined;
  }
}

function keyOf(isV4: boolean, words: Uint32Array, masks: Uint32Array): number | string {
  const last = ((words[3] as number) & (masks[3] as number)) >>> 0;
  if (isV4) return last;
  const word = (i: number): number => ((words[i] as number) & (masks[i] as number)) >>> 0;
  return `${word(0)},${word(1)},${word(2)},${last}`;
}
