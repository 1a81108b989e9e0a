import type { NoticeCode } from '../../api/notices.ts';
import { printableLines } from '../../api/printable.ts';
import type { Notice, NoticeSubject } from '../../api/types.ts';
import { RareNotices } from '../../base/time/rare-notices.ts';

/** Notices that are kept for a window that opens later. */
const MAX_KEPT = 500;
/** Milliseconds within which the same notice is not repeated. */
const REPEAT_MS = 10_000;

/** A notice before it has its place among the others. */
interface Said {
  readonly level: Notice['level'];
  readonly code: NoticeCode;
  readonly text: string;
  readonly about: Partial<NoticeSubject> | null;
  /** The source and the plugin that it is about, for counting. */
  readonly subject: string;
}

/** The notices for the user, newest last. */
export class Notices {
  readonly #onNotice: (notice: Notice) => void;
  #notices: Notice[] = [];
  #nextId = 1;
  /** Times of performance.now. */
  readonly #lastSaid = new Map<string, number>();
  readonly #rare = new RareNotices<Said>((said) => this.#add(said));

  constructor(onNotice: (notice: Notice) => void) {
    this.#onNotice = onNotice;
  }

  list(): Notice[] {
    return [...this.#notices];
  }

  /**
   * Adds a notice. The same one is not repeated at once, and very many about one plugin are counted instead.
   * @param text the first line is the notice; the lines after it are its details
   */
  say(level: Notice['level'], code: NoticeCode, text: string, about: Partial<NoticeSubject> | null = null): void {
    const now = performance.now();
    const key = `${code}\u0000${text}`;
    if (now - (this.#lastSaid.get(key) ?? -Infinity) < REPEAT_MS) return;
    if (this.#lastSaid.size > MAX_KEPT) this.#lastSaid.clear();
    this.#lastSaid.set(key, now);
    this.#rare.tell({ level, code, text, about, subject: `${about?.source ?? ''} ${about?.plugin ?? ''}` });
  }

  #add({ level, code, text, about }: Said): void {
    const subject = about === null ? null : { source: null, plugin: null, time: null, end: null, shows: null, ...about };
    const { line, details } = parts(text);
    const notice = { id: this.#nextId++, at: Date.now(), level, code, text: line, details, about: subject };
    this.#notices = [...this.#notices.slice(1 - MAX_KEPT), notice];
    this.#onNotice(notice);
  }
}

/** Says that the records cannot be kept on disk; null: that they can be again. */
export function sayOfStore(notices: Notices, problem: string | null): void {
  if (problem === null) notices.say('info', 'store.failed', 'Records are kept on disk again.');
  else notices.say('error', 'store.failed', `New records wait, because those before them cannot be kept on disk: ${problem}.`);
}

/** Tells that what live sources receive is not kept for a crash, or is again. */
export function sayOfReceived(notices: Notices, problem: string | null): void {
  if (problem === null) notices.say('info', 'received.unkept', 'What is received is kept on disk again.');
  else notices.say('warning', 'received.unkept', `What is received from now on would be lost in a crash of the engine: ${problem}.`);
}

/** Puts the first line of a reason into a sentence; its other lines follow as details. */
export function withDetails(reason: string, sentence: (line: string) => string): string {
  const { line, details } = parts(reason);
  return details === null ? sentence(line) : `${sentence(line)}\n${details}`;
}

function parts(text: string): { readonly line: string; readonly details: string | null } {
  const [line = '', ...rest] = printableLines(text.trim().replaceAll('\r\n', '\n')).split('\n');
  const details = rest.join('\n').trimEnd();
  return { line: line.trim(), details: details === '' ? null : details };
}
