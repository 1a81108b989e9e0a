import { isErrorCode } from '../../api/errors.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import type { InputEnd, InputNotice, InputStats } from '../../inputs/types.ts';
import { withDetails } from '../common/notices.ts';
import { decoderTitle } from './running-decoder.ts';
import type { SourceInfo } from '../../api/types.ts';

/** Receives changes and notices of the status of a source. */
export interface StatusNews {
  changed(): void;
  notice(notice: InputNotice): void;
}

/** States that a source leaves only when it is started again. */
const RESTING: ReadonlySet<SourceInfo['state']> = new Set(['failed', 'closed', 'paused', 'ended']);

/** The state of a source, and its last problem. */
export class SourceStatus {
  readonly #source: Pick<SourceInfo, 'kind' | 'label'>;
  readonly #news: StatusNews;
  #state: SourceInfo['state'] = 'opening';
  #problem: string | null = null;
  /** Errors since it was started: each of its files may have one. */
  readonly #errors = new Set<string>();
  /** Exit status, signal and time, when it ended by itself. */
  #end: SourceInfo['end'];

  constructor(source: Pick<SourceInfo, 'kind' | 'label'>, news: StatusNews) {
    this.#source = source;
    this.#news = news;
  }

  get state(): SourceInfo['state'] {
    return this.#state;
  }

  /** @param stats of its inputs: a file that was read and then deleted is followed no more */
  info(stats: readonly InputStats[] = []): Pick<SourceInfo, 'state' | 'problem' | 'end'> {
    if (this.#state === 'following' && stats.length > 0 && stats.every(({ gone }) => gone === true)) {
      const problem = `${this.#source.label} was deleted or moved away. A new file of this name is read when it appears.`;
      return { state: 'gone', problem };
    }
    return { state: this.#state, problem: this.#problem, end: this.#end };
  }

  /** Clears the problem before a start, which reports the change. */
  mended(): void {
    this.#problem = null;
    this.#errors.clear();
  }

  /** Says that it begins to read or to listen, whatever its state was. */
  starting(): void {
    this.#state = this.#source.kind === 'file' ? 'reading' : 'opening';
    this.#end = undefined;
    this.#news.changed();
  }

  /** Sets the state, unless it is one of RESTING. */
  become(state: SourceInfo['state']): void {
    if (this.#state === state || RESTING.has(this.#state)) return;
    this.#state = state;
    this.#news.changed();
  }

  /** Says that it was closed; the caller tells of the change. */
  closed(): void {
    this.#state = 'closed';
  }

  /** Says that its input has ended by itself. */
  ended({ status, signal, reason, why }: InputEnd): void {
    if (this.#state === 'closed' || this.#state === 'paused') return;
    this.#end = { status, signal, at: Date.now() };
    const ran = status !== null || signal !== null;
    this.#state = ran ? 'ended' : 'failed';
    this.#problem = ran ? null : reason;
    const how = signal === null ? `ended with exit status ${status}` : `was ended by ${signal}`;
    const text = `${this.#source.label} ${how}${why === undefined ? '.' : `: ${why}`}`;
    if (reason !== null) this.#news.notice({ level: 'warning', code: 'source.ended', text: ran ? text : reason });
    this.#news.changed();
  }

  /** Takes a notice of its input. */
  hear(notice: InputNotice): void {
    const { kind } = this.#source;
    // The problem of a polled file lasts until the file can be read again.
    if (kind === 'poll' || kind === 'workstation') this.#problem = notice.level === 'info' ? null : notice.text;
    if (notice.level === 'error') {
      const others = this.#errors.add(notice.text).size - 1;
      this.#problem = others === 0 ? notice.text : `${notice.text} (and ${others} more, see Alerts)`;
      // A listener cannot go on after an error; a file may come back.
      if (kind !== 'file') this.#state = 'failed';
    }
    this.#news.notice(notice);
    this.#news.changed();
  }

  /** Says that a decoder did not start; the caller tells of the change. */
  decoderFailed(name: string, error: unknown): void {
    this.#showsRaw('decoder.failed', `The decoder ${decoderTitle(name)} did not start`, messageOf(error));
  }

  /** Says that a running decoder has ended. */
  decoderEnded(name: string, reason: string): void {
    this.#showsRaw('decoder.terminated', `The decoder ${decoderTitle(name)} has ended`, reason);
    this.#news.changed();
  }

  /** Says that the source has failed, with the reason. */
  fail(error: unknown): void {
    this.#state = 'failed';
    this.#problem = messageOf(error);
    const code = errorCode(error);
    this.#news.notice({ level: 'error', code: isErrorCode(code) ? code : 'source.failed', text: this.#problem });
    this.#news.changed();
  }

  #showsRaw(code: InputNotice['code'], what: string, why: string): void {
    const problem = withDetails(why, (line) => `${what}, so the records are shown raw: ${line}`);
    this.#problem = problem.split('\n', 1)[0] as string;
    this.#news.notice({ level: 'error', code, text: `${this.#source.label}: ${problem}` });
  }
}
