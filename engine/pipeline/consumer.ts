import type { MessageBatch } from '../message/batch.ts';
import type { PluginReport } from './plugin-report.ts';

/** A compiled matcher: the rows of a batch that a plugin wants, ascending; null: all of them. */
export interface Selector {
  select(batch: MessageBatch): Uint32Array | null;
}

/** A filter or output as the router sees it. */
export interface Consumer {
  readonly name: string;
  /** Batches that it has taken and not finished. */
  readonly pending: number;
  /** Above 0: it keeps messages that it has not finished, besides those that are pending. */
  readonly backlog?: number;
  /** Before the inputs start. @throws {EngineError} when it cannot take anything */
  start?(): Promise<void>;
  /**
   * Takes the rows of a batch that its matcher selects. Never blocks; resolves when they, and what was injected because of them, are done.
   * @param loop how often the messages went around: 0 from an input
   * @param signer who signed the messages; '' when nobody did
   * @param injected the messages come from a filter or from the service itself, not from an input
   */
  submit(batch: MessageBatch, loop: number, signer: string, injected: boolean): Promise<void>;
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
