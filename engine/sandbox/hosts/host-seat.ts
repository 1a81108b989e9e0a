import type { End } from '../../api/ends.ts';
import { messageOf } from '../../base/errors.ts';
import { pastOf, type Call, type Pending } from '../calls/calls.ts';
import { NO_USE } from '../calls/script-counters.ts';
import type { Seat, Session } from '../calls/session.ts';
import type { ScriptSources } from '../code/sources.ts';
import { readEnd } from '../contract/ends.ts';
import { endBy, SandboxLoadError } from '../contract/errors.ts';
import {
  ToEngine,
  type CreatedHead,
  type InstrumentedHead,
  type ReportedHead,
  type RequestHead,
  type ResultHead,
} from '../contract/protocol.ts';
import { unlessBusy } from '../contract/report-wait.ts';
import type { Frame } from '../wire/frames.ts';
import type { SavedScript } from '../wire/preservation.ts';
import { resultOf } from '../wire/result.ts';
import { CrashRetry } from './crash-retry.ts';
import { HostLine, type Host } from './host-line.ts';
import { InputRun } from './input-run.ts';
import { answerFirst, answerLost, type Repeat } from './lost-results.ts';
import { StateFile, type OnStateProblem } from './state-file.ts';
import { StateKeeper } from './state-keeper.ts';

/** An input that is to stop has this long to hear it. */
const INPUT_GRACE_MS = 2_000;

export interface HostSeatOptions {
  readonly id: number;
  readonly session: Session;
  readonly sources: ScriptSources;
  /** The script has ended or was stopped. */
  readonly onEnd: (seat: HostSeat) => void;
  readonly onStateProblem?: OnStateProblem | undefined;
  readonly repeat: Repeat;
}

/** A script in a sandbox of some host. When the host dies, its session's past and the calls that are open are sent to a successor. */
export class HostSeat implements Seat {
  readonly id: number;
  readonly session: Session;
  readonly #line: HostLine;
  readonly #sources: ScriptSources;
  readonly #onEnd: (seat: HostSeat) => void;
  readonly #repeat: Repeat;
  readonly #file: StateFile;
  readonly #keeper: StateKeeper;
  readonly #input: InputRun;
  readonly #crashes = new CrashRetry();
  /** Those who wait for its start. */
  #created: Pending<void> | null = null;
  #hasStarted = false;
  #measuring: Promise<ReportedHead> | null = null;
  #isLeaving = false;

  constructor({ id, session, sources, onEnd, onStateProblem = () => undefined, repeat }: HostSeatOptions) {
    this.id = id;
    this.session = session;
    this.#sources = sources;
    this.#line = new HostLine(id, session.spec, sources);
    this.#onEnd = onEnd;
    this.#repeat = repeat;
    this.#file = new StateFile(session.spec, session.counters, onStateProblem);
    this.#keeper = new StateKeeper(session, this.#file);
    this.#input = new InputRun(session, this.#line, this.#keeper);
  }

  /** Starts on a host, with what its session has been through. Resolves when the script's top level has run; rejects with a SandboxLoadError. */
  start(host: Host): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#created = { resolve, reject };
      this.#create(host);
      this.session.sit(this);
    });
  }

  /** Creates the sandbox at a host, with the state that it had. */
  #create(host: Host): void {
    const { checkpoint, calls } = this.session.journal;
    this.#line.create(host, checkpoint);
    for (const call of calls) this.#line.send(call);
  }

  /** Goes on at another host, because the one it was on is gone: with the state it had, and the calls that are open. */
  moveTo(host: Host): void {
    this.#input.moved();
    this.#create(host);
    for (const call of this.session.calls.open) this.#line.send(call);
    if (this.#isLeaving) this.#line.stop();
  }

  /** Whether its call may be tried on another host, after the one that served it crashed. */
  mayTryAgain(): boolean {
    return this.#repeat !== null && this.#crashes.mayTryAgain(this.session.calls.open[0]);
  }

  serve(call: Call): void {
    this.#line.send(call);
  }

  /** Asks one question at a time. None is used when the script ends meanwhile; while it is busy for long, what it was the last time. */
  use(): Promise<ReportedHead> {
    const { counters } = this.session;
    this.#measuring ??= this.session
      .ask<ReportedHead>((id, pending) => ({ kind: 'report', id, ...pending }))
      .then((report) => (counters.lastReport = report))
      .catch(() => NO_USE)
      .finally(() => (this.#measuring = null));
    return unlessBusy(this.#measuring, { isBusy: () => this.#line.hostServes, otherwise: () => counters.lastReport });
  }

  save(): Promise<SavedScript> {
    return this.#keeper.save();
  }

  checkpoint(): void {
    this.#keeper.checkpoint();
  }

  /** One that has not started answers nothing: its session knows why. */
  async answerFirst(end: End, begun: boolean): Promise<void> {
    if (this.#hasStarted) await answerFirst(this.session, this.#repeat, end, begun ? null : 0);
  }

  drop(end: End | null): void {
    const { spec } = this.session;
    this.#created?.reject(new SandboxLoadError(spec, end ?? { code: 'sandbox.stopped', reason: 'it was stopped' }));
    this.#created = null;
    this.#onEnd(this);
    if (end !== null) this.#line.stop();
  }

  /** Lets go of the script after the calls that are open, with the preserved state in its file. */
  async leave(): Promise<void> {
    const { session } = this;
    // An input that is running saves its state when it hears that it shall stop.
    const running = session.calls.open.some((call) => call.kind === 'run');
    if (this.#file.wanted && session.alive && !running) {
      await this.#keeper.write();
    }
    if (session.alive) {
      // An input has no clock over it: one that does not hear that it shall stop is stopped with its host.
      const timer = running ? setTimeout(() => this.#line.kill(), INPUT_GRACE_MS) : undefined;
      this.#isLeaving = true;
      this.#line.stop();
      await session.closed;
      clearTimeout(timer);
    }
    await this.#file.settled();
  }

  /** Takes a frame of the host that is about this sandbox. One that it cannot take is its end, not that of its neighbours. */
  receive(frame: Frame): void {
    try {
      this.#receive(frame);
    } catch (error) {
      this.session.terminate(endBy('sandbox.protocol', `its host sent what no host sends: ${messageOf(error)}`));
    }
  }

  #receive(frame: Frame): void {
    switch (frame.kind) {
      case ToEngine.CREATED:
        this.#receiveCreated(JSON.parse(frame.head) as CreatedHead);
        break;
      case ToEngine.INSTRUMENTED:
        this.#sources.keep(JSON.parse(frame.head) as InstrumentedHead);
        break;
      case ToEngine.REQUEST:
        this.#answer(frame);
        break;
      case ToEngine.RESULT:
        this.#receiveResult(frame);
        break;
      case ToEngine.PARTIAL:
        void this.#input.receivePart(frame);
        break;
      case ToEngine.REPORTED:
        this.#receiveReport(frame);
        break;
      case ToEngine.SAVED:
        this.#keeper.receive(frame);
        break;
      case ToEngine.ENDED:
        this.session.terminate(readEnd(JSON.parse(frame.head)), false);
        break;
      case ToEngine.STOPPED:
        this.session.stopped();
        break;
    }
  }

  #answer(frame: Frame): void {
    const request = JSON.parse(frame.head) as RequestHead;
    if (request.want === 'go on') this.#input.goOn(frame.call);
    else if (request.want === 'input') void this.#input.read(frame.call, request);
    else this.#line.answer(frame.call, request);
  }

  #receiveCreated(head: CreatedHead): void {
    if (head.end !== undefined) return this.session.end(readEnd(head.end));
    this.#hasStarted = true;
    this.#file.noteUnkept('missing from its preserved data, and not made by its top level', head.missing ?? []);
    this.#created?.resolve();
    this.#created = null;
  }

  #receiveResult(frame: Frame): void {
    const { calls, journal, spec } = this.session;
    const run = calls.take('run', frame.call);
    if (run !== undefined) {
      void this.#input.receiveEnd(run, frame);
      return;
    }
    const sent = this.#line.takeSent(frame.call);
    const call = calls.take('process', frame.call) ?? calls.take('timer', frame.call);
    if (call === undefined) return this.#receiveRepeated(frame);
    const { result, head } = resultOf(spec, call, frame, sent);
    const ended = head?.ended ?? null;
    if (head?.lost === true && ended !== null && call.kind === 'process') {
      this.session.end(ended, () => answerLost(this.session, this.#repeat, call, ended));
      return;
    }
    if (head === null) this.#line.stop();
    else this.#line.learn(head.used);
    const { globals = 0, cpu = 0 } = head ?? {};
    this.session.worked(Math.max(0, cpu));
    this.session.answered(call, result, ended === null ? (result.done ?? sent?.length ?? 0) : ended.row + 1);
    if (result.terminated === null) this.#keeper.answered(journal.add(pastOf(call, result.done), globals, cpu));
  }

  /** The result of a call that was answered before: it only brought the state back, or ended the script with less room than before. */
  #receiveRepeated(frame: Frame): void {
    const { ended } = JSON.parse(frame.head) as ResultHead;
    if (ended !== null && this.session.alive) this.session.terminate(readEnd(ended));
  }

  /** One that comes unasked, before the sandbox ends, is the last. */
  #receiveReport(frame: Frame): void {
    const report = JSON.parse(frame.head) as ReportedHead;
    if (frame.call === 0) this.session.counters.lastReport = report;
    else this.session.calls.take('report', frame.call)?.resolve(report);
  }
}
