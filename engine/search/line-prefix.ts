const COLON = 0x3a;
const DASH = 0x2d;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const BETWEEN = Buffer.from('--\n');
const NOTHING = Buffer.alloc(0);

/** Puts a name before the numbered lines that ripgrep prints, as it does itself for files: `name:12:match`, `name-11-context`. */
export class LinePrefix {
  readonly #name: string | null;
  readonly #numbers: boolean;
  /** A line whose end has not come. */
  #rest: Buffer = NOTHING;

  /** @param name null: none @param numbers keeps the line numbers */
  constructor(name: string | null, numbers: boolean) {
    this.#name = name;
    this.#numbers = numbers;
  }

  /** Rewrites the whole lines of these bytes and of what earlier ones left. */
  apply(bytes: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#rest, bytes]);
    const pieces: Buffer[] = [];
    let from = 0;
    for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, from)) {
      pieces.push(...this.#line(all.subarray(from, end + 1)));
      from = end + 1;
    }
    this.#rest = all.subarray(from);
    return Buffer.concat(pieces);
  }

  #line(line: Buffer): readonly Buffer[] {
    let at = 0;
    while (isDigit(line[at])) at++;
    const sign = line[at];
    // The separator between groups of lines has no number.
    if (at === 0 || (sign !== COLON && sign !== DASH)) return [BETWEEN];
    const rest = line.subarray(this.#numbers ? 0 : at + 1);
    return this.#name === null ? [rest] : [Buffer.from(this.#name + String.fromCharCode(sign)), rest];
  }
}
