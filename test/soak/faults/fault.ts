/** What came of a fault that was tried. */
export interface FaultResult {
  /** Times that the fault happened. */
  readonly tried: number;
  /** Records that were missing at the end, and not told. */
  readonly lost: number;
  /** Records that came again. */
  readonly repeated: number;
  /** Milliseconds that it took longer than it may. */
  readonly late: number;
  /** Further words for the table, such as what was told as lost. */
  readonly note?: string;
  /** What the process said last, for whoever looks into a failure. */
  readonly said?: string;
}

export interface FaultOptions {
  readonly seed: number;
  /** Multiple of the short form. */
  readonly length: number;
}

/** A fault that a service or a window has to live with. */
export interface Fault {
  /** As it stands in the table. */
  readonly name: string;
  /** `once`: nothing is lost, nor comes twice. `kept`: nothing is lost. `told`: what is lost is told. */
  readonly promise: 'once' | 'kept' | 'told';
  /** Why it cannot be tried here; null: it can. */
  readonly missing?: () => string | null;
  readonly run: (options: FaultOptions) => Promise<FaultResult>;
}

/** Whether the promise of a fault was kept. */
export const isKept = ({ promise }: Pick<Fault, 'promise'>, { lost, repeated, late }: FaultResult): boolean =>
  lost === 0 && late === 0 && (promise !== 'once' || repeated === 0);
