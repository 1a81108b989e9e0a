/** One of a list of things, with what it is for. */
export interface Choice {
  readonly value: string;
  readonly title: string;
  readonly summary: string;
}
