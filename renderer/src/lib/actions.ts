/** One line of a menu that a part of the window makes for what was clicked. */
export interface Action {
  readonly label: string;
  /** Why it cannot be done now; absent: it can. */
  readonly disabled?: string | undefined;
  /** A line above it. */
  readonly separate?: boolean;
  readonly run: () => void;
}
