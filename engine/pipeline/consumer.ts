import type { Receipt } from '../outputs/writers.ts';
import type { PluginReport } from './plugin-report.ts';
import type { Selection, Subscription } from './selection.ts';

/** Interface of a filter or output to the router. */
export interface Consumer {
  readonly name: string;
  /** Selects the messages it gets; absent: all of them. */
  readonly subscription?: Subscription;
  /** Batches that it has and has not finished, without those that it has taken; see `take`. */
  readonly pending: number;
  /** It looks at nothing of a batch but the selected rows. */
  readonly takesRows?: boolean;
  /** Above 0 while it stores unfinished messages besides the pending ones. */
  readonly backlog?: number;
  /** Its writer gathers what many batches bring, and writes at once when it is told to hurry. */
  readonly gathers?: boolean;
  /** Prepares it before the inputs start. @throws {EngineError} when it cannot take anything */
  start?(): Promise<void>;
  /**
   * Takes the selected rows of a batch. Never blocks; resolves when they, and the messages injected because of them, are processed.
   * @param receipt of a disk buffer: hears of messages that are done with before the others are
   */
  submit(selection: Selection, receipt?: Receipt): Promise<void>;
  /**
   * As `submit`, for one that keeps messages: resolves when the next ones may come. `safe` resolves when these need not be kept any more, which may be much
   * later, and rejects as `submit` does.
   */
  take?(selection: Selection, receipt?: Receipt): Promise<{ readonly safe: Promise<void> }>;
  /** Tells it that the inputs are idle. Resolves, when all it injects then is processed, to whether it injected anything. */
  idle?(): Promise<boolean>;
  /** Returns its figures. @param capacity number of batches that may wait */
  report?(capacity: number): Promise<PluginReport>;
  /** Returns the figures of its encoder; null when that is not a script. */
  encoderReport?(): Promise<PluginReport | null>;
  /** Reopens its destination (a rotated file) after writing what it has. */
  reopen?(): Promise<void>;
  /** Somebody waits for what it has taken: it finishes that now. */
  hurry?(): void;
  /** Prepares for the service's stop: waits for anything outside the process soon end by rejecting. */
  closing?(): void;
  /** Finishes its messages, then ends. */
  stop(): Promise<void>;
}
