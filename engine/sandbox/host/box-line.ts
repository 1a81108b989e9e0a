import type { End } from '../../api/ends.ts';
import type { Frame } from '../wire/frames.ts';
import {
  ToEngine,
  type CreatedHead,
  type InstrumentedHead,
  type ReportedHead,
  type RequestHead,
  type SavedHead,
  type SourceAnswer,
} from '../contract/protocol.ts';
import { endedHead } from './empty-result.ts';
import type { CallTimes } from './call-times.ts';
import type { EngineLink } from './link.ts';
import type { TakenParcel } from './result-memory.ts';
import { textPiece } from '../wire/texts.ts';

/** The state of a script as it is sent. */
export interface SavedState {
  readonly text: string;
  readonly block: ArrayBuffer;
  readonly version: number | null;
  /** Places of what it cannot keep. */
  readonly unkept: readonly string[];
}

/** Sends the messages and requests of one sandbox about its current call to the engine. */
export class BoxLine {
  readonly #id: number;
  readonly #link: EngineLink;
  readonly #times: CallTimes;
  #call = 0;
  /** Processor time of this thread when the call began. */
  #began: NodeJS.CpuUsage = { user: 0, system: 0 };

  constructor(id: number, link: EngineLink, times: CallTimes) {
    this.#id = id;
    this.#link = link;
    this.#times = times;
  }

  /** Number of the call. */
  get call(): number {
    return this.#call;
  }

  /** A call begins. */
  set call(call: number) {
    this.#call = call;
    this.#began = process.threadCpuUsage();
  }

  /**
   * Tells which sandbox runs now: if the host dies, it was this one.
   * @param what `SAVING`, or the number of the call's messages that are through
   */
  begin(what = ''): void {
    this.#send(ToEngine.BEGIN, what);
  }

  /** Gives the host up: the machine has kept it from its work, and the call under way was stopped for it. */
  starved(): void {
    this.#send(ToEngine.STARVED, '');
    process.kill(process.pid, 'SIGKILL');
  }

  /** Says what was instrumented for the first script of the host. */
  instrumented(head: InstrumentedHead): void {
    this.#link.sendOnce({ kind: ToEngine.INSTRUMENTED, box: this.#id, call: this.call, head: JSON.stringify(head) });
  }

  created(head: CreatedHead): void {
    this.#send(ToEngine.CREATED, JSON.stringify(head));
  }

  reported(call: number, head: ReportedHead): void {
    this.#send(ToEngine.REPORTED, JSON.stringify(head), call);
  }

  /** It ended between two calls. */
  ended(end: End): void {
    this.#send(ToEngine.ENDED, JSON.stringify(end));
  }

  /** The state, or why there is none. @param call 0: within another call */
  saved(call: number, saved: SavedState | { readonly error: string }): void {
    if ('error' in saved) return this.#send(ToEngine.SAVED, JSON.stringify(saved satisfies SavedHead), call);
    const text = textPiece(saved.text);
    const head: SavedHead = { wide: text.wide, version: saved.version, unkept: saved.unkept, cpu: this.#cpu() };
    const content = { block: [new Uint8Array(saved.block)], texts: [text] };
    this.#link.send({ kind: ToEngine.SAVED, box: this.#id, call, head: JSON.stringify(head), ...content });
  }

  /** Sends the result of the call. */
  result(parcel: TakenParcel): void {
    this.#link.send(this.#frameOf(ToEngine.RESULT, parcel));
  }

  /** A piece of what an input injects. Waits until it is taken. */
  partial(parcel: TakenParcel): Frame {
    return this.#link.exchange(this.#frameOf(ToEngine.PARTIAL, parcel));
  }

  /** The call brought nothing, for the sandbox has ended. @param lost what it had brought before is lost */
  nothing(end: End, row: number, lost: boolean): void {
    this.#send(ToEngine.RESULT, JSON.stringify(endedHead(end, row, lost)));
  }

  request(head: RequestHead): Frame {
    return this.#link.request(this.#id, this.call, head);
  }

  requestSource(head: RequestHead): SourceAnswer {
    return JSON.parse(this.request(head).head) as SourceAnswer;
  }

  #send(kind: number, head: string, call = this.call): void {
    this.#link.send({ kind, box: this.#id, call, head });
  }

  /** Microseconds of processor time since the call began. */
  #cpu(): number {
    const { user, system } = process.threadCpuUsage(this.#began);
    return user + system;
  }

  #frameOf(kind: number, [head, arena, block]: TakenParcel) {
    const text = textPiece(arena);
    const fullHead = `${head.slice(0, -1)},"wide":${text.wide},"cpu":${this.#cpu()},"times":${JSON.stringify(this.#times.head())}}`;
    return { kind, box: this.#id, call: this.call, head: fullHead, block: [block], texts: [text] };
  }
}
