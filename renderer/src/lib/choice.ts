/** One entry of a list of choices, with its description. */
export interface Choice {
  readonly value: string;
  readonly title: string;
  readonly summary: string;
}
