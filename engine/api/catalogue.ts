/** The form of the catalogues of ends and of errors: for each code, what happened and what to do. */
export interface CatalogueEntry {
  /** What happened, as a sentence. `{limit}` stands for the limit of an end. */
  readonly happened: string;
  /** What to do about it, as sentences; empty: nothing is known that would help. */
  readonly advice: string;
}
