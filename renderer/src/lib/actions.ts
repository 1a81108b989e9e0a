/** One line of a menu for a clicked element. */
export interface Action {
  readonly label: string;
  /** The reason why it is disabled; absent: it is enabled. */
  readonly disabled?: string | undefined;
  /** Key that does the same, as `Mod+C`. */
  readonly keys?: string | undefined;
  /** Draws a separator above it. */
  readonly separate?: boolean;
  readonly run: () => void;
}
