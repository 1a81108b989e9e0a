import type { CallQueue } from '../calls/calls.ts';
import { SandboxEndedError } from '../contract/errors.ts';
import type { Frame } from '../wire/frames.ts';
import type { Journal } from '../wire/journal.ts';
import type { SavedScript } from '../wire/preservation.ts';
import type { SavedHead } from '../contract/protocol.ts';
import { savedScript, type StateFile } from './state-file.ts';

/** The sandbox whose state is kept, as far as that needs it. */
interface Owner {
  readonly name: string;
  readonly calls: CallQueue;
  readonly journal: Journal;
  readonly file: StateFile;
  /** Asks the host for the state after all calls so far. */
  readonly save: (checkpoint: boolean) => Promise<SavedScript>;
  /** Whether it neither ended nor is to stop. */
  readonly goesOn: () => boolean;
}

/** Milliseconds after a call until the journal may have a rest. */
const REST_MS = 1_000;

/** Keeps a script's state: in memory, to go on from when its host dies, and in its file. */
export class StateKeeper {
  readonly #owner: Owner;
  #rest: NodeJS.Timeout | null = null;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** A call was answered. @param isDue the journal wants the state */
  answered(isDue: boolean): void {
    if (isDue) this.checkpoint();
    else if (this.#rest === null && this.#owner.journal.hasCalls) this.#rest = setTimeout(() => this.#resting(), REST_MS).unref();
  }

  #resting(): void {
    this.#rest = null;
    if (this.#owner.goesOn()) this.answered(this.#owner.journal.rest());
  }

  /** Keeps the state after all calls so far. */
  checkpoint(): void {
    const { journal, file, save } = this.#owner;
    // The state itself goes to the journal when it comes, before the result of the next call does.
    save(true).catch(() => journal.saved(null));
    if (file.due) void this.write();
  }

  /** Writes the state after all calls so far into its file. */
  write(): Promise<void> {
    const { file, save } = this.#owner;
    return save(false).then(
      (state) => file.write(state),
      (error: unknown) => file.failed(error),
    );
  }

  /** Writes the state that is known into its file. */
  async persist(): Promise<void> {
    const { journal, file } = this.#owner;
    if (journal.checkpoint !== null) file.write(journal.checkpoint);
    await file.settled();
  }

  /** Takes a state from the host. */
  receive(frame: Frame): void {
    const { name, calls, journal, file } = this.#owner;
    const head = JSON.parse(frame.head) as SavedHead;
    const state = 'error' in head ? null : savedScript(head, frame);
    if (!('error' in head)) file.noteUnkept('not kept with its preserved data', head.unkept);
    // Call 0: the script asked to be stopped, and its state was saved before that.
    if (frame.call === 0) {
      if (state !== null) file.write(state);
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
    else call?.reject(new SandboxEndedError(`the state of ${name} cannot be saved: ${(head as { error: string }).error}`));
  }
}
