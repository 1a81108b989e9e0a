/** Times in the form of ISO 8601, to the millisecond: `2021-03-05T13:07:59.250Z`. */

const NS_IN_MS = 1_000_000;
const MS_IN_S = 1000;
/** Characters of `2021-03-05T13:07:59.`; years of more digits have more. */
const SECONDS_LENGTH = 20;
const YEARS_LENGTH = 24;

/** Writes times. Those of one second have its text in common. */
export class IsoTimes {
  #second = Number.NaN;
  #text = '';

  /** @param ns nanoseconds since 1970 */
  of(ns: number | bigint | string): string {
    const ms = typeof ns === 'number' ? wholeMilliseconds(ns) : Number(BigInt(ns) / BigInt(NS_IN_MS));
    const fraction = ((ms % MS_IN_S) + MS_IN_S) % MS_IN_S;
    if (ms - fraction === this.#second) return `${this.#text}${digitsOf(fraction)}Z`;
    const written = new Date(ms).toISOString();
    if (written.length === YEARS_LENGTH) {
      this.#second = ms - fraction;
      this.#text = written.slice(0, SECONDS_LENGTH);
    }
    return written;
  }
}

/** The quotient alone would round times up that end just before a millisecond; the remainder is exact. */
const wholeMilliseconds = (ns: number): number => Math.round((ns - (ns % NS_IN_MS)) / NS_IN_MS);

const digitsOf = (fraction: number): string => (fraction < 10 ? `00${fraction}` : fraction < 100 ? `0${fraction}` : String(fraction));
