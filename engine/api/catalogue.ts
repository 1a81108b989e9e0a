/** The form of the catalogues of ends and of errors: for each code, what happened and what to do. */
export interface CatalogueEntry {
  /** The event, as a sentence. `{limit}` stands for the limit of an end. */
  readonly happened: string;
  /** Advice, as sentences; empty: there is none. */
  readonly advice: string;
}
