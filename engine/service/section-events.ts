import type { End } from '../api/ends.ts';
import { messageOf } from '../base/errors.ts';
import type { InputNotice } from '../inputs/types.ts';
import { NotDeliveredError } from '../outputs/delivery.ts';
import type { DecodedRecords } from '../pipeline/decode-stage.ts';
import { placesOf } from '../pipeline/record-places.ts';
import { restartNotice } from '../pipeline/restarted-input.ts';
import type { Failure, Sandbox } from '../sandbox/contract/types.ts';
import { decoderOfInstance, encoderInstance } from './kept-names.ts';
import type { PipelineSink } from './pipeline-events.ts';

/** The section of a plugin. */
interface EventSection {
  readonly name: string;
  /** The service goes on when the plugin has ended. */
  readonly can_exit: boolean;
}

/** Treatment of the records that a decoder refuses. */
interface Refusals {
  readonly send_decode_failures: boolean;
  readonly log_decode_failures: boolean;
  /** There for an input whose records name their sender. */
  readonly address?: unknown;
}

/**
 * Told of the end of a sandbox.
 * @param plugin its section
 * @param instance its own name, where there are several of the section
 */
export type EndTeller = (plugin: string, end: End, instance?: string) => void;

/** Events of the plugin of one section, which become notices and news of the pipeline. Each function may be handed on alone. */
export class SectionEvents {
  readonly #section: EventSection;
  readonly #sink: PipelineSink;
  readonly #tellEnd: EndTeller;
  readonly #repeats: boolean;

  /** @param repeats for an input: what was not delivered comes again */
  constructor(section: EventSection, sink: PipelineSink, tellEnd: EndTeller, repeats = true) {
    this.#section = section;
    this.#repeats = repeats;
    this.#sink = sink;
    this.#tellEnd = tellEnd;
  }

  readonly notice = (notice: InputNotice): void => this.#sink({ kind: 'notice', notice });

  log(level: InputNotice['level'], code: InputNotice['code'], text: string): void {
    const { name: subject } = this.#section;
    this.notice({ level, code, subject, text: `[${subject}] ${text}` });
  }

  /** Nothing more comes from an input. */
  readonly inputFailed = (error: unknown): void => {
    if (!this.#inputBroke(error)) return;
    this.#mayExit();
  };

  /** Delivery of what the script of an input makes broke down; its end follows. */
  readonly scriptInputFailed = (error: unknown): void => void this.#inputBroke(error);

  /** An input that was read to its end, or failed for the last time. @param reason null: it ended as it should */
  readonly inputEnded = (reason: string | null): void => {
    if (reason === null) return this.#mayEnd();
    this.log('error', 'input.failed', reason);
    this.#mayExit();
  };

  readonly inputRestarts = (reason: string, wait: number): void => this.notice(restartNotice(this.#section.name, reason, wait));

  /** process_message of the script of an input has failed. */
  readonly messageFailed = (reason: string): void => this.log('warning', 'input.failed', reason || 'process_message failed');

  readonly scriptRestarts = ({ reason }: End, wait: number): void =>
    this.log('warning', 'plugin.restarted', `has ended and is started again in ${Math.ceil(wait)} ms: ${reason}`);

  /** The script of an input has ended; null: in order. */
  readonly scriptInputEnded = (end: End | null): void => {
    if (end !== null) {
      this.log('error', 'plugin.terminated', `has ended: ${end.reason}`);
      this.#tellEnd(this.#section.name, end);
      this.#sink({ kind: 'undone' });
    }
    this.#mayExit();
  };

  /** Tells of the records that a decoder refused, where that is wanted. */
  decoded(refusals: Refusals, records: DecodedRecords): void {
    const { name } = this.#section;
    const { failures, undecoded } = records;
    const refused = failures.slice(0, failures.length - undecoded);
    if (!refusals.send_decode_failures && refused.length > 0) this.#sink({ kind: 'refused', input: name, count: refused.length });
    if (!refusals.log_decode_failures) return;
    const place = placesOf(records, 'address' in refusals ? null : name);
    for (const { row, reason } of refused) this.log('warning', 'decode.failed', `${place(row)}: ${reason}`);
  }

  readonly decoderEnded = (end: End, { spec }: Sandbox): void => {
    this.log('error', 'decoder.terminated', `its decoder has ended, and records pass as they are: ${end.reason}`);
    this.#tellEnd(decoderOfInstance(spec.name, this.#section.name), end, spec.name);
    this.#sink({ kind: 'undone' });
  };

  readonly undecoded = (count: number): void => {
    const records = count === 1 ? '1 record' : `${count} records`;
    this.log('warning', 'decode.left', `${records} passed as they are, for its decoder had ended`);
  };

  readonly filterRefused = (failures: readonly Failure[]): void => this.#refused('filter.failed', failures);
  readonly outputRefused = (failures: readonly Failure[]): void => this.#refused('output.failed', failures);

  /** The script of a filter or an output has ended by itself. */
  readonly scriptEnded = ({ reason }: End): void => {
    this.log('error', 'plugin.terminated', `was terminated: ${reason}`);
    this.#sink({ kind: 'undone' });
    this.#mayExit();
  };

  /** @param onGone the service goes on without the output */
  outputEnded(reason: string, onGone: (reason: string) => void): void {
    this.log('error', 'plugin.terminated', `has ended: ${reason}`);
    if (this.#section.can_exit) onGone(reason);
    else this.#mayExit();
  }

  encoderEnded(encoder: string, end: End): void {
    this.#tellEnd(encoder, end, encoderInstance(encoder, this.#section.name));
    this.#sink({ kind: 'undone' });
  }

  readonly dropped = (count: number): void => {
    const text = count === 1 ? 'a message that waited for it was dropped' : `${count} messages that waited for it were dropped`;
    this.log('warning', 'plugin.dropped', text);
  };

  /** An output without a buffer had not written so many messages at its end, of which `lost` were made by filters. */
  readonly left = (count: number, lost = 0): void => {
    const rest = `${count} messages were not written before the end: those of files are read again at the next start, others are lost`;
    this.log('warning', 'output.left', lost === 0 ? rest : `${rest}, among them ${lost} that filters had made`);
    if (lost > 0) this.#sink({ kind: 'lost' });
  };

  readonly writeFailed = (text: string): void => this.log('error', 'output.failed', text);
  readonly targetProblem = (text: string): void => this.log('warning', 'output.problem', text);
  readonly bufferProblem = (text: string): void => this.log('warning', 'buffer.problem', text);
  readonly bufferFull = (text: string): void => this.#sink({ kind: 'fatal', text: `[${this.#section.name}] ${text}` });

  #refused(code: InputNotice['code'], failures: readonly Failure[]): void {
    this.log('warning', code, `${failures.at(-1)?.reason || 'refused a message'} (${failures.length})`);
  }

  /** @returns whether an input has failed: a service that stops before all was delivered reads its files on at the next start */
  #inputBroke(error: unknown): boolean {
    if (error instanceof NotDeliveredError && !error.final) {
      const next = this.#repeats ? 'files are read on from there at the next start' : 'what it does not get again is lost';
      this.log('warning', 'input.left', `stops before all was delivered that it had read; ${next}`);
      if (!this.#repeats) this.#sink({ kind: 'lost' });
      return false;
    }
    this.log('error', 'input.failed', messageOf(error));
    this.#sink({ kind: 'undone' });
    return true;
  }

  /** A plugin has ended: the service goes on only if that is allowed. */
  #mayExit(): void {
    this.#unlessAllowed('fatal');
  }

  /** An input came to its end as it should: the service goes on only if that is allowed. */
  #mayEnd(): void {
    this.#unlessAllowed('over');
  }

  #unlessAllowed(kind: 'fatal' | 'over'): void {
    const { name, can_exit: mayExit } = this.#section;
    if (!mayExit) this.#sink({ kind, text: `[${name}] has ended, and its can_exit is false` });
  }
}
