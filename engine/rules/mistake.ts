/** A part of a rule that is wrong or not known; the text says what is written there. */
export class RuleMistake extends Error {
  override readonly name = 'RuleMistake';
  readonly line: number;

  constructor(message: string, line: number, options?: ErrorOptions) {
    super(message, options);
    this.line = line;
  }
}
