import { messageOf } from '../../base/errors.ts';
import type { RunCall } from '../calls/calls.ts';
import type { Session } from '../calls/session.ts';
import { endBy, ForgedResultError, untaken } from '../contract/errors.ts';
import type { Frame } from '../wire/frames.ts';
import type { HostLine } from './host-line.ts';
import type { RequestHead, ResultHead } from '../contract/protocol.ts';
import { resultOf } from '../wire/result.ts';
import type { StateKeeper } from './state-keeper.ts';

/** Runs an input's `process_message`, the one call that lasts: answers what it asks for, and hands on what it injects. */
export class InputRun {
  readonly #session: Session;
  readonly #line: HostLine;
  readonly #keeper: StateKeeper;
  /** Number of moves to another host. Requests made before a move are not answered. */
  #moves = 0;

  constructor(session: Session, line: HostLine, keeper: StateKeeper) {
    this.#session = session;
    this.#line = line;
    this.#keeper = keeper;
  }

  /** The sandbox goes to another host. */
  moved(): void {
    this.#moves++;
    for (const call of this.#session.calls.open) if (call.kind === 'run') call.source?.rewind();
  }

  /** Answers whether it may go on. */
  goOn(id: number): void {
    const { calls, stopping } = this.#session;
    const [call] = calls.open;
    const mayInterrupt = call?.kind !== 'run' || call.source === undefined || call.source.mayInterrupt();
    this.#line.goOn(id, stopping && mayInterrupt);
  }

  /** Reads what it asks for. */
  async read(id: number, { form, rest, saved, globals }: Extract<RequestHead, { readonly want: 'input' }>): Promise<void> {
    const [call] = this.#session.calls.open;
    if (call?.kind !== 'run' || call.id !== id || call.source === undefined) {
      return this.#session.terminate(endBy('sandbox.protocol', 'it reads, and has no source'));
    }
    const moves = this.#moves;
    try {
      const persist = (): Promise<void> => this.#keeper.persist();
      const answer = await call.source.read({ form, rest, saved: saved || globals === 0, persist });
      if (moves === this.#moves && this.#session.alive) this.#line.answerRead(id, answer);
    } catch (error) {
      if (moves === this.#moves) this.#session.terminate(endBy('input.source', messageOf(error)));
    }
  }

  /** Takes a piece of what it injects. It goes on when that was taken. */
  async receivePart(frame: Frame): Promise<void> {
    const [call] = this.#session.calls.open;
    if (call?.kind !== 'run' || call.id !== frame.call) return;
    const moves = this.#moves;
    try {
      await this.#takePart(call, frame);
      // Another host has not asked, and would take it for the answer to something else.
      if (moves === this.#moves) this.goOn(frame.call);
    } catch (error) {
      this.#session.terminate(untaken(error));
    }
  }

  /** Takes the end of its process_message. */
  async receiveEnd(call: RunCall, frame: Frame): Promise<void> {
    try {
      const { ended, status } = await this.#takePart(call, frame);
      if (status !== null && status.code < 0) this.#session.counters.noteFailure(status.text);
      call.resolve(status ?? { ...(ended ?? endBy('sandbox.protocol', '')), row: -1 });
      if (ended !== null && !this.#session.stopping) this.#session.end(ended);
    } catch (error) {
      call.resolve({ ...untaken(error), row: -1 });
      this.#session.end(untaken(error));
    }
  }

  async #takePart(call: RunCall, frame: Frame): Promise<ResultHead> {
    const { spec, counters } = this.#session;
    const { result, head } = resultOf(spec, { kind: 'timer', id: call.id, ns: 0n }, frame, undefined);
    if (head === null) throw new ForgedResultError(result.terminated?.reason ?? '');
    if (result.injected !== null) {
      counters.count({ injected: result.injected, failures: [] }, result.injected.length);
      await call.take(result.injected);
    }
    return head;
  }
}
