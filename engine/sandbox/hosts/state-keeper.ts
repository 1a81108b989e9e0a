import type { Session } from '../calls/session.ts';
import { SandboxEndedError } from '../contract/errors.ts';
import type { Frame } from '../wire/frames.ts';
import type { SavedScript } from '../wire/preservation.ts';
import type { SavedHead } from '../contract/protocol.ts';
import { savedScript, type StateFile } from './state-file.ts';

/** Milliseconds after a call until the journal may have a rest. */
const REST_MS = 1_000;

/** Keeps a script's state: in memory, to go on from when its host dies, and in its file. */
export class StateKeeper {
  readonly #session: Session;
  readonly #file: StateFile;
  #rest: NodeJS.Timeout | null = null;

  constructor(session: Session, file: StateFile) {
    this.#session = session;
    this.#file = file;
  }

  /** Asks the host for the state after all calls so far. */
  save(checkpoint = false): Promise<SavedScript> {
    return this.#session.ask((id, pending) => ({ kind: 'save', id, checkpoint, ...pending }), true);
  }

  /** A call was answered. @param isDue the journal wants the state */
  answered(isDue: boolean): void {
    if (isDue) this.checkpoint();
    else if (this.#rest === null && this.#session.journal.hasCalls) this.#rest = setTimeout(() => this.#resting(), REST_MS).unref();
  }

  #resting(): void {
    this.#rest = null;
    const { alive, stopping, journal } = this.#session;
    if (alive && !stopping) this.answered(journal.rest());
  }

  /** Keeps the state after all calls so far. */
  checkpoint(): void {
    // The state itself goes to the journal when it comes, before the result of the next call does.
    this.save(true).catch(() => this.#session.journal.saved(null));
    if (this.#file.due) void this.write();
  }

  /** Writes the state after all calls so far into its file. */
  write(): Promise<void> {
    return this.save().then(
      (state) => this.#file.write(state),
      (error: unknown) => this.#file.failed(error),
    );
  }

  /** Writes the state that is known into its file. */
  async persist(): Promise<void> {
    const { checkpoint } = this.#session.journal;
    if (checkpoint !== null) this.#file.write(checkpoint);
    await this.#file.settled();
  }

  /** Takes a state from the host. */
  receive(frame: Frame): void {
    const { calls, journal, spec } = this.#session;
    const head = JSON.parse(frame.head) as SavedHead;
    const state = 'error' in head ? null : savedScript(head, frame);
    if (!('error' in head)) this.#file.noteUnkept('not kept with its preserved data', head.unkept);
    // Call 0: the script asked to be stopped, and its state was saved before that.
    if (frame.call === 0) {
      if (state !== null) this.#file.write(state);
      return;
    }
    const [open] = calls.open;
    if (open?.kind === 'run' && open.id === frame.call) {
      if (state !== null) journal.saved(state);
      return;
    }
    const call = calls.take('save', frame.call);
    // The host is not trusted: its figure may be anything.
    const cpu = 'error' in head ? 0 : Math.max(0, Number(head.cpu) || 0);
    if (call?.checkpoint === true && state !== null) journal.saved(state, cpu);
    if (state !== null) call?.resolve(state);
    else call?.reject(new SandboxEndedError(`the state of ${spec.name} cannot be saved: ${(head as { error: string }).error}`));
  }
}
