import type { End } from '../api/ends.ts';
import { messageOf } from '../base/errors.ts';
import { IdleCores } from './idle-cores.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { PluginScript } from '../plugins/types.ts';
import { withoutRow } from './call-outcome.ts';
import { endOf, SandboxEndedError } from '../sandbox/contract/errors.ts';
import type { CallTimes, Sandbox, SandboxReport, SandboxResult, SandboxSpec, SandboxState, Usage } from '../sandbox/contract/types.ts';
import type { SandboxStarter } from '../plugins/sandboxes.ts';
import { Serial } from '../base/time/serial.ts';

export interface DecoderGroupOptions {
  /** The instance to begin with. */
  readonly first: Sandbox;
  /** Maximum number of instances. */
  readonly most: number;
  /** Starts another instance. */
  readonly start: (spec: SandboxSpec) => Promise<Sandbox>;
  /** Whether the machine has a core with nothing to do, for another instance. */
  readonly hasIdleCore: () => boolean;
}

/**
 * Lets the cores share the work of a decoder that has been started, where its script allows that. One that runs in this process works alone: the start of
 * another one in a host, and the way there and back, take more time than that one saves.
 */
export function shareDecoder(first: Sandbox, { meta }: PluginScript, starter: SandboxStarter, idle = new IdleCores()): Sandbox {
  const { hosts: most = 1 } = starter;
  if (most < 2 || meta?.stateless !== true || first.spec.preservation !== undefined || first.isHere === true) return first;
  return new DecoderGroup({ first, most, start: (spec) => starter.start({ ...spec, beside: true }), hasIdleCore: () => idle.hasOne() });
}

interface Instance {
  readonly sandbox: Sandbox;
  /** Calls that it has not answered. */
  open: number;
}

/** The most starts of further instances that may fail: a host may end meanwhile, and a machine may have no room. */
const MOST_FAILED_STARTS = 3;
/** With so many calls waiting for each instance, another one is worth its start. */
const BUSY = 2;

/**
 * Several instances of a decoder that keeps nothing from one record to the next. To those who use it, it is one: answers come in the order of the
 * calls, and when an instance ends at a record, all that comes behind that record is refused, whoever has decoded it meanwhile. Further instances
 * are started when the ones that are there do not keep up and a core is idle: beside cores that are all at work, an instance only takes its start and a
 * compiler's time away from the others.
 */
export class DecoderGroup implements Sandbox {
  readonly spec: SandboxSpec;
  readonly #options: DecoderGroupOptions;
  readonly #instances: Instance[];
  #growing: Promise<void> | null = null;
  readonly #turns = new Serial();
  #ended: End | null = null;
  #stopped = false;
  #most: number;
  #failedStarts = 0;

  constructor(options: DecoderGroupOptions) {
    this.spec = options.first.spec;
    this.#options = options;
    this.#most = options.most;
    this.#instances = [{ sandbox: options.first, open: 0 }];
  }

  get state(): SandboxState {
    return this.#ended === null ? this.#first.state : 'terminated';
  }

  /** Current number of instances. */
  get size(): number {
    return this.#instances.length;
  }

  process(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    if (this.#ended !== null) return Promise.reject(new SandboxEndedError(this.#ended.reason, this.#ended));
    const instance = this.#instances.reduce((best, other) => (other.open < best.open ? other : best));
    if (instance.open >= BUSY) this.#grow();
    instance.open++;
    const call = instance.sandbox.process(batch, selection).finally(() => instance.open--);
    // It is looked at in its turn; until then nobody else would.
    call.catch(() => undefined);
    return this.#turns.run(() => this.#inTurn(call));
  }

  timer(ns: bigint): Promise<SandboxResult> {
    return this.#first.timer(ns);
  }

  async report(): Promise<SandboxReport> {
    const reports = await Promise.all(this.#instances.map(({ sandbox }) => sandbox.report()));
    return { ...merged(reports), state: this.state };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#growing;
    await Promise.all(this.#instances.map(({ sandbox }) => sandbox.stop()));
  }

  get #first(): Sandbox {
    return (this.#instances[0] as Instance).sandbox;
  }

  async #inTurn(call: Promise<SandboxResult>): Promise<SandboxResult> {
    if (this.#ended !== null) throw new SandboxEndedError(this.#ended.reason, this.#ended);
    try {
      const result = await call;
      if (result.terminated !== null) this.#end(withoutRow(result.terminated));
      return result;
    } catch (error) {
      this.#end({ ...endOf(error), reason: messageOf(error) });
      throw error;
    }
  }

  #end(end: End): void {
    this.#ended = end;
    for (const { sandbox } of this.#instances) void sandbox.stop().catch(() => undefined);
  }

  #grow(): void {
    if (this.#growing !== null || this.#instances.length >= this.#most || this.#stopped) return;
    if (!this.#options.hasIdleCore()) return;
    this.#growing = this.#options
      .start(this.spec)
      .then(async (sandbox) => {
        if (this.#stopped || this.#ended !== null) await sandbox.stop();
        else this.#instances.push({ sandbox, open: 0 });
      })
      // The existing instances continue alone, only more slowly.
      .catch(() => {
        if (++this.#failedStarts >= MOST_FAILED_STARTS) this.#most = this.#instances.length;
      })
      .finally(() => (this.#growing = null));
  }
}

function merged(reports: readonly SandboxReport[]): SandboxReport {
  const [first] = reports as [SandboxReport];
  const sum = (of: (report: SandboxReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  const most = (of: (report: SandboxReport) => Usage): Usage => ({
    current: Math.max(...reports.map((report) => of(report).current)),
    maximum: Math.max(...reports.map((report) => of(report).maximum)),
    limit: of(first).limit,
  });
  const processed = sum((report) => report.processed);
  const stall = reports.find((report) => report.stall !== undefined)?.stall;
  return {
    ...first,
    lastError: reports.find(({ lastError }) => lastError !== null)?.lastError ?? null,
    processed,
    failures: sum((report) => report.failures),
    injected: sum((report) => report.injected),
    memory: most(({ memory }) => memory),
    isolateMemory: first.isolateMemory === undefined ? undefined : sum(({ isolateMemory = 0 }) => isolateMemory),
    workMs: first.workMs === undefined ? undefined : sum(({ workMs = 0 }) => workMs),
    instructions: most(({ instructions }) => instructions),
    output: most(({ output }) => output),
    stall,
    times: mergedTimes(reports),
    percentile99Ns: Math.max(...reports.map(({ percentile99Ns = 0 }) => percentile99Ns)),
    averageNs: processed === 0 ? 0 : Math.trunc(sum((report) => report.averageNs * report.processed) / processed),
  };
}

function mergedTimes(reports: readonly SandboxReport[]): CallTimes {
  const all = reports.flatMap(({ times }) => times ?? []);
  const samples = all.reduce((total, times) => total + times.samples, 0);
  const nanoseconds = all.reduce((total, times) => total + times.samples * times.averageNs, 0);
  return { samples, averageNs: samples === 0 ? 0 : Math.trunc(nanoseconds / samples) };
}
