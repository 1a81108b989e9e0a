import { messageOf } from '../../errors.ts';
import type { InputEnd, InputNotice } from '../../inputs/types.ts';
import { withDetails } from '../common/notices.ts';
import { decoderTitle } from './decoder.ts';
import type { SourceInfo } from '../../api/types.ts';

/** Where the status of a source is told. */
export interface StatusNews {
  changed(): void;
  notice(notice: InputNotice): void;
}

/** States that an input leaves only by being started. */
const RESTING: ReadonlySet<SourceInfo['state']> = new Set(['failed', 'closed', 'paused', 'ended']);

/** What a source is doing, and what went wrong last. */
export class SourceStatus {
  readonly #source: Pick<SourceInfo, 'kind' | 'label'>;
  readonly #news: StatusNews;
  #state: SourceInfo['state'] = 'opening';
  #problem: string | null = null;
  /** How it ended by itself. */
  #end: SourceInfo['end'];

  constructor(source: Pick<SourceInfo, 'kind' | 'label'>, news: StatusNews) {
    this.#source = source;
    this.#news = news;
  }

  get state(): SourceInfo['state'] {
    return this.#state;
  }

  info(): Pick<SourceInfo, 'state' | 'problem' | 'end'> {
    return { state: this.#state, problem: this.#problem, ...(this.#end === undefined ? {} : { end: this.#end }) };
  }

  /** Forgets what went wrong, and tells nobody yet: it is about to start. */
  mended(): void {
    this.#problem = null;
  }

  /** It reads or listens from now on, whatever it did before. */
  started(): void {
    this.#state = this.#source.kind === 'file' ? 'reading' : 'listening';
    this.#end = undefined;
    this.#news.changed();
  }

  /** Goes over into a state, unless it rests. */
  become(state: SourceInfo['state']): void {
    if (this.#state === state || RESTING.has(this.#state)) return;
    this.#state = state;
    this.#news.changed();
  }

  /** It was closed; who closes it tells so. */
  closed(): void {
    this.#state = 'closed';
  }

  /** Its input has ended by itself. */
  ended({ status, signal, reason }: InputEnd): void {
    if (this.#state === 'closed' || this.#state === 'paused') return;
    this.#end = { status, signal, at: Date.now() };
    const ran = status !== null || signal !== null;
    this.#state = ran ? 'ended' : 'failed';
    this.#problem = ran ? null : reason;
    const how = signal === null ? `ended with exit status ${status}` : `was ended by ${signal}`;
    if (reason !== null)
      this.#news.notice({ level: 'warning', code: 'source.ended', text: ran ? `${this.#source.label} ${how}.` : reason });
    this.#news.changed();
  }

  /** Its input has something to say. */
  hear(notice: InputNotice): void {
    const { kind } = this.#source;
    // A file that is polled is missed until it can be read again.
    if (kind === 'poll' || kind === 'workstation') this.#problem = notice.level === 'info' ? null : notice.text;
    if (notice.level === 'error') {
      this.#problem = notice.text;
      // A listener has nothing else to go on with; a file may come back.
      if (kind !== 'file') this.#state = 'failed';
    }
    this.#news.notice(notice);
    this.#news.changed();
  }

  /** A decoder did not start; who starts the source tells that it is different. */
  decoderFailed(name: string, error: unknown): void {
    this.#showsRaw('decoder.failed', `The decoder ${decoderTitle(name)} did not start`, messageOf(error));
  }

  /** A decoder has ended while it ran. */
  decoderEnded(name: string, reason: string): void {
    this.#showsRaw('decoder.terminated', `The decoder ${decoderTitle(name)} has ended`, reason);
    this.#news.changed();
  }

  /** Nothing comes of it any more; the error says why. */
  fail(error: unknown): void {
    this.#state = 'failed';
    this.#problem = messageOf(error);
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'source.failed';
    this.#news.notice({ level: 'error', code, text: this.#problem });
    this.#news.changed();
  }

  #showsRaw(code: string, what: string, why: string): void {
    const problem = withDetails(why, (line) => `${what}, so the records are shown raw: ${line}`);
    this.#problem = problem.split('\n', 1)[0] as string;
    this.#news.notice({ level: 'error', code, text: `${this.#source.label}: ${problem}` });
  }
}
