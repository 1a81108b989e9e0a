import type { PluginReport } from './plugin-report.ts';
import type { Selection, Subscription } from './selection.ts';

/** A filter or output as the router sees it. */
export interface Consumer {
  readonly name: string;
  /** The messages that it wants; absent: all of them. */
  readonly subscription?: Subscription;
  /** Batches that it has taken and not finished. */
  readonly pending: number;
  /** Above 0: it keeps messages that it has not finished, besides those that are pending. */
  readonly backlog?: number;
  /** Before the inputs start. @throws {EngineError} when it cannot take anything */
  start?(): Promise<void>;
  /** Takes what its subscription selects of a batch. Never blocks; resolves when that, and what was injected because of it, is done. */
  submit(selection: Selection): Promise<void>;
  /** The source has nothing more to say for now. Resolves to whether something came of that, when it has been through. */
  idle?(): Promise<boolean>;
  /** What it says about itself. @param capacity how many batches may wait */
  report?(capacity: number): Promise<PluginReport>;
  /** What its encoder says about itself; null: it has no script of its own. */
  encoderReport?(): Promise<PluginReport | null>;
  /** Opens anew what it writes to, after what it has. */
  reopen?(): Promise<void>;
  /** The service is about to stop: what waits for something outside gives up soon, by rejecting. */
  closing?(): void;
  /** Finishes what it has, then ends. */
  stop(): Promise<void>;
}
