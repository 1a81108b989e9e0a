import type { Input } from '../../inputs/types.ts';
import type { SplitOptions } from '../../inputs/splitters/index.ts';
import type { DecoderChoice, SourceKind } from '../../api/types.ts';

/** The parts of a source: its name in the window, and its inputs. */
export interface SourceOptions {
  readonly id: number;
  readonly kind: SourceKind;
  readonly label: string;
  readonly location: string;
  /** See `InputFacts`. */
  readonly bringsOutputs?: boolean;
  /** Makes the input, which reads from the beginning; `split` says how the decoder wants files cut into records. */
  readonly input: (split: SplitOptions) => Input;
  /** Seconds that are added to the time of each record. */
  readonly timeOffset?: number;
  /** It is a table of a store, whose messages were decoded before: by this decoder; null: by several or none. */
  readonly stored?: { readonly decoder: DecoderChoice | null };
  /** Files, or patterns of files, to detect the decoder by. */
  readonly samples?: readonly string[];
  /** Whoever opens it waits for that, and says what goes wrong: until then there are no notices. */
  readonly isAwaited?: boolean;
  /** Further inputs with decoders of their own. */
  readonly parts?: readonly SourcePart[];
}

/** An input of a source that has several. */
export interface SourcePart {
  readonly input: () => Input;
  /** null: its records are shown raw. */
  readonly decoder: DecoderChoice | null;
}
