import { availableParallelism } from 'node:os';
import { Backoff } from '../../base/time/backoff.ts';
import { replyAfterEnd } from './reply-after-end.ts';
import { preludeCode } from '../code/bundle.ts';
import { processorMs } from './call-watch.ts';
import { crashEnd, isFromOutside, mayBeChance, STOPPED_AT_WORK } from './crash-end.ts';
import { SandboxHostError, SandboxLoadError } from '../contract/errors.ts';
import type { Frame } from '../wire/frames.ts';
import { hostCommand } from './host-command.ts';
import { HostProcess, type HostCrash } from './host-process.ts';
import { allowanceFor } from '../contract/memory-allowance.ts';
import { readState, type SavedScript } from '../wire/preservation.ts';
import { SAVE_MS, ToEngine } from '../contract/protocol.ts';
import { Session } from '../calls/session.ts';
import { Journal } from '../wire/journal.ts';
import { HostSeat, type HostSeatOptions } from './host-seat.ts';
import { repeatRows, type LostCall } from './repeat.ts';
import { ScriptSources } from '../code/sources.ts';
import { MOST_PATIENCE, PATIENCE } from '../contract/cpu-starvation.ts';
import type { OnStateProblem } from './state-file.ts';
import { StallWatch } from './stall-watch.ts';
import type { InputSandbox, Sandbox, SandboxResult, SandboxSpec, Stall } from '../contract/types.ts';
import { WorkClock } from './work-clock.ts';

export interface SandboxPoolOptions {
  /** Maximum number of host processes; by default one for each core, at least 1 and at most 4. */
  readonly hosts?: number | undefined;
  /** Milliseconds that a stop of sandboxes, the end of a host, or a call beyond its own time limit may take. */
  readonly graceMs?: number | undefined;
  /** Milliseconds that a host may take to start. */
  readonly startMs?: number;
  /** Bytes of memory with which a host is killed while it serves a call; 2 GiB when it is left out. */
  readonly maxHostBytes?: number;
  /** A host has crashed. @param movesOn nobody ends by that: the sandbox that it served goes on in a host of its own, as the host took too much memory for all */
  readonly onHostCrash?: (crash: HostCrash, movesOn: boolean) => void;
  /** Milliseconds for which a sandbox may hold up what is in front of it without a word. */
  readonly stallMs?: number;
  /** A sandbox holds up what is in front of it; `over`: it did for so many seconds, and does no more. */
  readonly onStall?: (spec: SandboxSpec, stall: Stall | { readonly over: number }) => void;
  readonly onStateProblem?: OnStateProblem;
}

interface Slot {
  host: HostProcess;
  /** The clock by which its sandboxes stall. */
  readonly clock: WorkClock;
  readonly boxes: Map<number, HostSeat>;
  /** For one sandbox alone. */
  readonly single: boolean;
  /** Crashes in a row without any answer in between. */
  crashes: number;
  /** Waits before it is started again when it was killed from outside. */
  readonly waits: Backoff;
  /** Start of its host, on the clock of `performance.now`. */
  startedAt: number;
  /** Number of times in a row that its host was kept from its work for the whole time of a call. */
  starved: number;
}

/** A host that dies this often without doing anything is given up. */
const MAX_CRASHES = 5;
/** Waits for the start of a host after one that was killed from outside. They begin anew after one that has lived for a while. */
const KILLED_WAITS = { delay: 50, max_delay: 5_000, max_jitter: 50, max_retries: -1 };
const LONG_LIFE_MS = 30_000;
const DEFAULT_GRACE_MS = 2_000;
const DEFAULT_START_MS = 60_000;
const DEFAULT_HOST_BYTES = 2 ** 31;
const DEFAULT_STALL_MS = 5_000;
/** The sandboxes are looked at so often in the time after which a stall is told. */
const LOOKS = 5;

/** Factor of the memory of a sandbox that only repeats the calls of another one. */
const REPEATED_MEMORY = 4;

/** Starts sandboxes and spreads them over host processes, which it starts when sandboxes need them and replaces when they die. */
export class SandboxPool {
  readonly #options: SandboxPoolOptions;
  /** Maximum number of host processes, not counting those of inputs. */
  readonly size: number;
  readonly #slots: Slot[] = [];
  readonly #watches = new WeakMap<Session, StallWatch>();
  readonly #looks: NodeJS.Timeout;
  #nextBox = 1;
  #closed = false;

  constructor(options: SandboxPoolOptions = {}) {
    this.#options = options;
    this.size = Math.max(1, options.hosts ?? Math.min(4, availableParallelism()));
    this.#looks = setInterval(() => this.#look(), (options.stallMs ?? DEFAULT_STALL_MS) / LOOKS).unref();
  }

  /** Process numbers of the hosts that are running. */
  get hostPids(): number[] {
    return this.#slots.flatMap(({ host }) => (host.pid === undefined || host.ended ? [] : [host.pid]));
  }

  /**
   * Starts a sandbox. Resolves when its top level has run. A script that does not load is a SandboxLoadError, a host that does not start a
   * SandboxHostError.
   * @param session that of a script that ran elsewhere, and goes on here
   */
  async createSandbox(spec: SandboxSpec, session?: Session): Promise<Sandbox> {
    return this.#create(spec, () => this.#slotFor(), session);
  }

  /** Starts a SandboxInput, on a host of its own: it may be at work for as long as it likes. Errors as with `createSandbox`. */
  async createInput(spec: SandboxSpec): Promise<InputSandbox> {
    return this.#create(spec, () => this.#newSlot(true));
  }

  async #create(spec: SandboxSpec, place: () => Slot, moving?: Session): Promise<Session> {
    const sources = new ScriptSources(spec);
    const state = await stateOf(spec);
    if (this.#closed) throw new SandboxHostError('the sandbox pool is closed');
    if (moving?.alive === false) throw moving.refusal;
    const session = moving ?? new Session(spec, { journal: new Journal(state) });
    const repeat = (lost: LostCall): Promise<SandboxResult> => this.#repeat(spec, sources, lost);
    return this.#start({ session, sources, repeat }, place());
  }

  async #start(parts: Omit<HostSeatOptions, 'id' | 'onEnd' | 'onStateProblem'>, slot: Slot): Promise<Session> {
    const onEnd = (ended: HostSeat): void => this.#remove(ended);
    const { onStateProblem } = this.#options;
    const seat = new HostSeat({ ...parts, id: this.#nextBox++, onEnd, onStateProblem });
    slot.boxes.set(seat.id, seat);
    allowMemory(slot);
    await seat.start(slot.host);
    return seat.session;
  }

  #remove(ended: HostSeat): void {
    for (const slot of this.#slots.filter(({ boxes }) => boxes.get(ended.id) === ended)) {
      slot.boxes.delete(ended.id);
      if (slot.single) this.#close(slot);
    }
  }

  /** Repeats a call whose sandbox ended, on a host that serves no other sandbox, to get its results again. */
  async #repeat({ preservation: _, ...spec }: SandboxSpec, sources: ScriptSources, lost: LostCall): Promise<SandboxResult> {
    if (this.#closed) throw new SandboxHostError('the sandbox pool is closed');
    const { memory } = spec.limits;
    // Rows that were through will be again; how much garbage they leave differs.
    const limits = lost.done === null ? spec.limits : { ...spec.limits, memory: memory * REPEATED_MEMORY };
    const session = new Session({ ...spec, limits }, { journal: new Journal(lost.checkpoint) });
    await this.#start({ session, sources, repeat: null }, this.#newSlot(true));
    if (lost.clock !== undefined) session.useClock(lost.clock);
    try {
      return await repeatRows(session, lost);
    } finally {
      await session.stop();
    }
  }

  /** Starts the hosts before the first sandbox is wanted. */
  warm(): void {
    while (!this.#closed && this.#shared.length < this.size) this.#newSlot(false);
  }

  get #shared(): Slot[] {
    return this.#slots.filter(({ single }) => !single);
  }

  /** Lets go of a host that nobody needs any more. */
  #close(slot: Slot): void {
    if (this.#closed || !this.#forget(slot)) return;
    void slot.host.stop(this.#options.graceMs ?? DEFAULT_GRACE_MS);
  }

  /** Returns whether it was there: the end of its only sandbox may have taken it out before. */
  #forget(slot: Slot): boolean {
    const at = this.#slots.indexOf(slot);
    if (at >= 0) this.#slots.splice(at, 1);
    return at >= 0;
  }

  /** Looks for sandboxes that hold up what is in front of them. */
  #look(): void {
    const now = performance.now();
    for (const { host, clock, boxes } of this.#slots) {
      const { work } = host;
      const at = clock.goOn(now);
      for (const { id, session } of boxes.values()) {
        const { waiting } = session.calls;
        if (waiting === null) continue;
        const running = work?.box === id ? work : null;
        const done = Math.min(waiting, running?.done ?? 0);
        const since = running === null ? null : clock.began(running.since);
        const seen = { processed: session.counters.processed + done, waiting: waiting - done, since };
        session.stall = this.#watchOf(session).look(at, seen);
      }
    }
  }

  #watchOf(session: Session): StallWatch {
    const known = this.#watches.get(session);
    if (known !== undefined) return known;
    const { onStall, stallMs = DEFAULT_STALL_MS } = this.#options;
    const watch = new StallWatch(stallMs, {
      begun: (stall) => onStall?.(session.spec, stall),
      over: (seconds) => onStall?.(session.spec, { over: seconds }),
    });
    this.#watches.set(session, watch);
    return watch;
  }

  /** Stops all sandboxes and hosts. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#looks);
    const graceMs = this.#options.graceMs ?? DEFAULT_GRACE_MS;
    await Promise.all(
      this.#slots.map(async ({ host, boxes }) => {
        const stopping = [...boxes.values()].map(({ session }) => session.stop());
        await Promise.race([Promise.all(stopping), new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
        await host.stop(graceMs);
        for (const { session } of boxes.values()) session.terminate({ code: 'sandbox.stopped', reason: 'the sandbox host was stopped' });
      }),
    );
  }

  /**
   * Sandboxes go where the fewest decoders are, which have the most to do; ties go to the host with fewer sandboxes. A host is started when all that
   * there are have a sandbox.
   */
  #slotFor(): Slot {
    const load = ({ boxes }: Slot): number =>
      [...boxes.values()].filter(({ session }) => session.spec.kind === 'decoder').length * 1000 + boxes.size;
    const [least, ...others] = this.#shared;
    if (least === undefined) return this.#newSlot(false);
    const best = others.reduce((least, slot) => (load(slot) < load(least) ? slot : least), least);
    return load(best) > 0 && this.#shared.length < this.size ? this.#newSlot(false) : best;
  }

  #newSlot(single: boolean): Slot {
    const boxes = new Map<number, HostSeat>();
    const slot: Slot = {
      host: undefined as unknown as HostProcess,
      clock: new WorkClock(performance.now(), () => hostWorkMs(slot)),
      boxes,
      single,
      crashes: 0,
      waits: new Backoff(KILLED_WAITS),
      startedAt: 0,
      starved: 0,
    };
    slot.host = this.#startHost(slot);
    this.#slots.push(slot);
    return slot;
  }

  #startHost(slot: Slot): HostProcess {
    const graceMs = this.#options.graceMs ?? DEFAULT_GRACE_MS;
    const allowanceOf = (box: number, saving: boolean): number => {
      if (saving) return SAVE_MS;
      const spec = slot.boxes.get(box)?.session.spec;
      return spec === undefined || spec.kind === 'input' || spec.limits.callMs === 0 ? Infinity : spec.limits.callMs;
    };
    slot.startedAt = performance.now();
    const { startMs = DEFAULT_START_MS, maxHostBytes = DEFAULT_HOST_BYTES } = this.#options;
    const host = new HostProcess(hostCommand(), {
      prelude: () => preludeCode().text,
      startMs,
      maxBytes: maxHostBytes,
      allowanceOf,
      graceMs,
      patience: patienceOf(slot),
    });
    host.on('frame', (frame) => {
      slot.crashes = 0;
      const seat = slot.boxes.get(frame.box);
      if (seat === undefined) answerEnded(host, frame);
      else seat.receive(frame);
      if (frame.kind === ToEngine.STOPPED) allowMemory(slot);
    });
    host.on('crash', (crash) => this.#replace(slot, crash));
    return host;
  }

  /**
   * The sandbox that was running ends for good, unless the host was killed from outside, or the crash may have another cause; the others go on at a new
   * host.
   */
  #replace(slot: Slot, crash: HostCrash): void {
    const starved = crash.killed === 'starved' && patienceOf(slot) < MOST_PATIENCE;
    const fromOutside = starved || isFromOutside(crash);
    // A sandbox that has its host killed is alone on it, so it is the one to end, whether or not the host had begun its call.
    const running = crash.killed === 'asked' ? [...slot.boxes.values()][0] : slot.boxes.get(crash.running);
    const suspect = crash.killed === 'heavy' && slot.host.sandboxes > 1 ? running : undefined;
    if (!starved) this.#options.onHostCrash?.(crash, suspect !== undefined);
    if (suspect !== undefined) this.#isolate(slot, suspect);
    else if (!fromOutside && !(mayBeChance(crash) && running?.mayTryAgain() === true))
      running?.session.terminate(crashEnd(crash, running.session.spec));
    else if (slot.single) [...slot.boxes.values()].find(({ session }) => session.stopping)?.session.terminate(STOPPED_AT_WORK);
    if (this.#closed || (!fromOutside && ++slot.crashes > MAX_CRASHES)) {
      const said = crash.said === '' ? '' : `\n${crash.said.trim()}`;
      for (const { session } of [...slot.boxes.values()])
        session.terminate({ code: 'host.ended', reason: `the sandbox host ended${said}` });
      this.#forget(slot);
      return;
    }
    if (slot.single && slot.boxes.size === 0) return;
    if (performance.now() - slot.startedAt > LONG_LIFE_MS * patienceOf(slot)) {
      slot.waits.reset();
      slot.starved = 0;
    }
    if (starved) slot.starved++;
    const wait = fromOutside ? (slot.waits.next() ?? 0) : 0;
    if (wait === 0) this.#startAgain(slot);
    else setTimeout(() => this.#startAgain(slot), wait);
  }

  /** Whether a sandbox takes too much, or others have left it too little, shows on a host of its own. */
  #isolate(from: Slot, seat: HostSeat): void {
    if (this.#closed) return;
    from.boxes.delete(seat.id);
    const slot = this.#newSlot(true);
    slot.boxes.set(seat.id, seat);
    allowMemory(slot);
    seat.moveTo(slot.host);
  }

  /** Starts the host of a slot anew; its sandboxes go on there. */
  #startAgain(slot: Slot): void {
    if (this.#closed || !this.#slots.includes(slot)) return;
    slot.host = this.#startHost(slot);
    allowMemory(slot);
    for (const seat of [...slot.boxes.values()]) seat.moveTo(slot.host);
  }
}

const hostWorkMs = ({ host }: Slot): number | null => (host.pid === undefined ? null : processorMs(host.pid));

const patienceOf = ({ starved }: Slot): number => PATIENCE[starved] ?? MOST_PATIENCE;

/** The host waits for each answer, and with it all of its sandboxes, those of a sandbox that has ended meanwhile as well. */
function answerEnded(host: HostProcess, frame: Frame): void {
  const answer = replyAfterEnd(frame);
  if (answer !== null) host.send(answer);
}

/** Tells the host's guard what the sandboxes may take. */
function allowMemory({ host, boxes }: Slot): void {
  host.allow(allowanceFor([...boxes.values()].map(({ session }) => session.spec.limits.memory)));
}

async function stateOf(spec: SandboxSpec): Promise<SavedScript | null> {
  if (spec.preservation === undefined) return null;
  try {
    return await readState(spec.preservation, spec.limits.memory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SandboxLoadError(spec, { code: 'state.unreadable', reason, said: reason }, { cause: error });
  }
}
