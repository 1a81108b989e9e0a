/** Parameters that preserved data depends on: a script that is started with others must not take it over. */

declare global {
  var preserved_layout: PreservedLayout;
}

class PreservedLayout {
  readonly #parameters: string;

  constructor(parameters: string) {
    this.#parameters = parameters;
  }

  toSaved(): string {
    return this.#parameters;
  }

  restore(saved: string): void {
    if (saved === this.#parameters) return;
    throw new RangeError(`the preserved data is of ${saved}, not of ${this.#parameters}: preservation_version must be raised`);
  }

  static fromSaved(saved: string): PreservedLayout {
    return new PreservedLayout(saved);
  }
}

/** Lets the start fail when there is data that was preserved under other values of these parameters. */
export function preserveFor(parameters: Readonly<Record<string, Scalar>>): void {
  globalThis.preserved_layout = new PreservedLayout(JSON.stringify(parameters));
}
