import { basename } from 'node:path';
import { Script } from 'node:vm';
import type { PreparedText } from '../../base/product/prepared.ts';
import { preludeCode } from '../code/bundle.ts';
import { MAX_VARIABLES } from '../hosts/host-line.ts';
import type { PastCall } from '../wire/journal.ts';
import { OutboundBatch, type Parcel } from '../wire/outbound.ts';
import type { SavedScript } from '../wire/preservation.ts';
import { trustedResultOf } from '../wire/result.ts';
import { textPiece } from '../wire/texts.ts';
import type { SandboxResult, SandboxSpec } from '../contract/types.ts';
import { setupOf, startVariables } from './context-setup.ts';
import { joined } from './packed.ts';
import { NotHereError, ScriptContext, type OpenedParcel, type OwnResult, type OwnState } from '../wire/script-context.ts';

/** The process was sent SIGINT while the script ran; those who listen to it were told. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** With more columns in a batch a decoder may come to the memory limit of a sandbox, which is to say so. */
export const MAX_COLUMNS = 512;
/** The function of the context that a call with a time limit runs. */
const GUARDED = '$__d';

type ProcessCall = PastCall & { readonly kind: 'process' };

/** Result of a call, and how many global variables the script has then. */
export interface Served {
  readonly result: SandboxResult;
  readonly globals: number;
}

/**
 * A bundled script that runs in this process, in a context of its own, with the same prelude as in a sandbox: so its results are the same, without the way
 * into another process and back. Only our own code may run so.
 */
export class DirectScript {
  readonly #spec: SandboxSpec;
  readonly #interruptible: boolean;
  readonly #script: ScriptContext;
  readonly #go = new Script(`${GUARDED}()`);
  /** The function that a call with a time limit runs. */
  #work: () => unknown = () => undefined;
  /** Variables that the script reads: their columns are delivered with each batch. */
  readonly #variables: Set<string>;
  /** The batch that is processed. */
  #sent: OutboundBatch | null = null;

  /** Loads the script. @param code the script, with all that it imports @param interruptible SIGINT breaks calls @throws {InterruptedError}; {Error} when it does not load here */
  constructor(spec: SandboxSpec, code: PreparedText, interruptible: boolean) {
    this.#spec = spec;
    this.#interruptible = interruptible;
    this.#variables = startVariables(spec);
    this.#script = new ScriptContext(setupOf(spec), preludeCode(), (variable) => this.#fetch(variable));
    Object.defineProperty(this.#script.context, GUARDED, { value: () => this.#work() });
    this.#limited(() => this.#script.load(code, basename(spec.script)));
  }

  /**
   * Runs calls, for no longer than a call may take.
   * @returns the results of the calls up to the first one that a sandbox has to serve: that one has left this script in no state to go on
   * @throws {InterruptedError}
   */
  serve(calls: readonly PastCall[]): Served[] {
    const served: Served[] = [];
    try {
      this.#limited(() => {
        for (const call of calls) served.push(call.kind === 'process' ? this.#process(call) : this.#tick(call));
      });
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      // The sandbox says what becomes of the others.
    }
    return served;
  }

  /** The state after the calls so far; null: it cannot be had. */
  state(): SavedScript | null {
    try {
      const saved: OwnState[] = [];
      this.#limited(() => saved.push(this.#script.save()));
      return saved.map(savedScript)[0] ?? null;
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      return null;
    }
  }

  #process(call: ProcessCall): Served {
    const sent = (this.#sent = new OutboundBatch(call.batch, call.selection));
    return this.#finish(call, this.#script.process(openedBatch(sent, call, this.#variables), sent.length), sent);
  }

  #tick(call: PastCall & { readonly kind: 'timer' }): Served {
    return this.#finish(call, this.#script.timer(call.ns), null);
  }

  #finish(call: PastCall, made: OwnResult, sent: OutboundBatch | null): Served {
    const served = trustedResultOf(this.#spec, call, made, sent);
    const { ended, fields, used } = served.head;
    if (ended !== null || fields.length > MAX_COLUMNS) throw new NotHereError('it ended, or may take more memory than a sandbox allows');
    for (const name of used) if (this.#variables.size < MAX_VARIABLES) this.#variables.add(name);
    return { result: served.result, globals: served.head.globals };
  }

  #fetch(variable: string): OpenedParcel {
    return this.#sent === null ? this.#script.end() : openedParcel(this.#sent.deliver(variable));
  }

  /** Runs work of the script, for no longer than a call may take, and until SIGINT comes if that is wished: a thread looks after that, so this is nothing to do for each batch. */
  #limited(work: () => void): void {
    this.#work = work;
    try {
      this.#go.runInContext(this.#script.context, { timeout: this.#spec.limits.callMs, breakOnSigint: this.#interruptible });
    } catch (error) {
      throw isInterrupt(error) ? passInterrupt(error) : error;
    }
  }
}

/** Errors of a limited call are made in the context of the script. */
const isInterrupt = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED';

/** Passes on the SIGINT that has broken a script: nobody else hears of it. */
function passInterrupt(cause: unknown): InterruptedError {
  if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
  return new InterruptedError('interrupted', { cause });
}

/** The share of a script's memory limit that its state may take outside of a sandbox. One with more goes on there, where the limit is held exactly. */
const STATE_SHARE = 1 / 8;

export const isLargeState = ({ limits: { memory } }: SandboxSpec, { text, block }: SavedScript): boolean =>
  memory > 0 && text.byteLength + block.byteLength > memory * STATE_SHARE;

/** The batch of a call in the form in which it goes into a context, with the columns of some variables. */
export function openedBatch(sent: OutboundBatch, { clock }: Pick<ProcessCall, 'clock'>, variables: Iterable<string>): OpenedParcel {
  const { head, ...columns } = sent.open(variables);
  return openedParcel({ head: clock === undefined ? head : { ...head, clock }, ...columns });
}

/** A state in the form in which a host takes it. */
export function savedScript({ text, block, version }: OwnState): SavedScript {
  const { wide } = textPiece(text);
  return { head: { wide, version }, text: Buffer.from(text, wide ? 'utf16le' : 'latin1'), block: new Uint8Array(block) };
}

/** A parcel in the form in which it goes into a context. */
export function openedParcel({ head, block, texts }: Parcel<object>): OpenedParcel {
  return { head: JSON.stringify(head), block: joined(block), texts: texts.map(({ text }) => text) };
}
