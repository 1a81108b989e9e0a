import { messageOf } from '../../base/errors.ts';
import type { End } from '../../api/ends.ts';
import type { CallQueue, RunCall } from '../calls/calls.ts';
import { endBy, ForgedResultError, untaken } from '../contract/errors.ts';
import type { Frame } from '../wire/frames.ts';
import type { HostLine } from './host-line.ts';
import type { RequestHead, ResultHead } from '../contract/protocol.ts';
import { resultOf } from '../wire/result.ts';
import type { ScriptCounters } from '../calls/script-counters.ts';
import type { SandboxSpec } from '../contract/types.ts';

/** The sandbox of an input, as far as its run uses it. */
interface Owner {
  readonly spec: SandboxSpec;
  readonly line: HostLine;
  readonly counters: ScriptCounters;
  readonly calls: CallQueue;
  readonly alive: () => boolean;
  readonly stopping: () => boolean;
  /** Writes the state that is known into its file. */
  readonly persist: () => Promise<void>;
  readonly terminate: (end: End) => void;
  /** The sandbox has ended, and its call is answered. */
  readonly ended: (end: End) => void;
}

/** Runs an input's `process_message`, the one call that lasts: answers what it asks for, and hands on what it injects. */
export class InputRun {
  readonly #owner: Owner;
  /** Number of moves to another host. Requests made before a move are not answered. */
  #moves = 0;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The sandbox goes to another host. */
  moved(): void {
    this.#moves++;
    for (const call of this.#owner.calls.open) if (call.kind === 'run') call.source?.rewind();
  }

  /** Answers whether it may go on. */
  goOn(id: number): void {
    const { calls, line, stopping } = this.#owner;
    const [call] = calls.open;
    const mayInterrupt = call?.kind !== 'run' || call.source === undefined || call.source.mayInterrupt();
    line.goOn(id, stopping() && mayInterrupt);
  }

  /** Reads what it asks for. */
  async read(id: number, { form, rest, saved, globals }: Extract<RequestHead, { readonly want: 'input' }>): Promise<void> {
    const { calls, line, alive, persist, terminate } = this.#owner;
    const [call] = calls.open;
    if (call?.kind !== 'run' || call.id !== id || call.source === undefined) {
      return terminate(endBy('sandbox.protocol', 'it reads, and has no source'));
    }
    const moves = this.#moves;
    try {
      const answer = await call.source.read({ form, rest, saved: saved || globals === 0, persist });
      if (moves === this.#moves && alive()) line.answerRead(id, answer);
    } catch (error) {
      if (moves === this.#moves) terminate(endBy('input.source', messageOf(error)));
    }
  }

  /** Takes a piece of what it injects. It goes on when that was taken. */
  async receivePart(frame: Frame): Promise<void> {
    const call = this.#owner.calls.open[0];
    if (call?.kind !== 'run' || call.id !== frame.call) return;
    const moves = this.#moves;
    try {
      await this.#takePart(call, frame);
      // Another host has not asked, and would take it for the answer to something else.
      if (moves === this.#moves) this.goOn(frame.call);
    } catch (error) {
      this.#owner.terminate(untaken(error));
    }
  }

  /** Takes the end of its process_message. */
  async receiveEnd(call: RunCall, frame: Frame): Promise<void> {
    const { counters, stopping, ended: end } = this.#owner;
    try {
      const { ended, status } = await this.#takePart(call, frame);
      if (status !== null && status.code < 0) counters.noteFailure(status.text);
      call.resolve(status ?? { ...(ended ?? endBy('sandbox.protocol', '')), row: -1 });
      if (ended !== null && !stopping()) end(ended);
    } catch (error) {
      call.resolve({ ...untaken(error), row: -1 });
      end(untaken(error));
    }
  }

  async #takePart(call: RunCall, frame: Frame): Promise<ResultHead> {
    const { spec, counters } = this.#owner;
    const { result, head } = resultOf(spec, { kind: 'timer', id: call.id, ns: 0n }, frame, undefined);
    if (head === null) throw new ForgedResultError(result.terminated?.reason ?? '');
    if (result.injected !== null) {
      counters.count({ injected: result.injected, failures: [] }, result.injected.length);
      await call.take(result.injected);
    }
    return head;
  }
}
