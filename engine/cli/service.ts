import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { printableLines } from '../api/printable.ts';
import { Exit, type CommandContext } from './command.ts';
import { dataFolder } from './data-folder.ts';
import { claimFolder } from './folder-lock.ts';
import { claimPidFile } from './pid-file.ts';
import { startProfiling } from './profiling.ts';
import { ShownState } from './shown-state.ts';
import type { ServiceLog } from './service-log.ts';
import type { ServiceSandboxes } from './service-sandboxes.ts';
import { END_AT_ONCE, onSignal } from './signals.ts';
import { untilStopped } from './stalled-stop.ts';
import { StatusFile } from './status-file.ts';
import { ServiceManager } from './systemd.ts';
import type { PipelineConfig } from '../config/sections.ts';
import { formatProblem, type ConfigProblem } from '../config/problems.ts';
import { signOfConfig, watchConfig } from '../config/watch.ts';
import { EngineError, messageOf } from '../base/errors.ts';
import { pipelineFromConfig, type ConfiguredPipeline } from '../service/from-config.ts';
import type { NoticeLevel } from '../inputs/types.ts';
import type { PipelineEvent } from '../service/pipeline-events.ts';
import { onLookupNews } from '../lookup/folder.ts';
import { LeakWatch } from '../pipeline/leak-watch.ts';
import { reportText } from '../pipeline/plugin-report.ts';
import { checkConfig, type CheckedConfig } from '../service/check/check-config.ts';
import { SelfMonitor } from '../service/self-monitor.ts';
import { Serial } from '../base/time/serial.ts';

const IDLE_POLL_MS = 20;
/** Pause before an edit is tried again that could not be applied. */
const BUSY_PAUSE_MS = 1000;
/** Time after an abort for parts that can still end in order. */
const ABORT_GRACE_MS = 2000;

/** One run of a configuration. */
export class Service {
  readonly #path: string;
  readonly #config: PipelineConfig;
  /** Signature of the configuration as it was read, so that edits made during the start are noticed. */
  readonly #signed: string;
  /** Patterns of the files that the configuration is made of besides the named one. */
  #watched: readonly string[];
  readonly #log: ServiceLog;
  readonly #stop = new AbortController();
  readonly #end: AbortSignal;
  readonly #context: CommandContext;
  readonly #sandboxes: ServiceSandboxes;
  readonly #shown: ShownState;
  readonly #gaveUp = Promise.withResolvers<void>();
  #fatal = false;
  /** A script has ended by itself, or an input has failed. */
  #undone = false;
  /** Messages were lost that nothing repeats. */
  #lost = false;
  /** Refused records that were dropped, by input. */
  readonly #dropped = new Map<string, number>();
  #aborting = false;
  #running: ConfiguredPipeline | null = null;

  constructor(
    path: string,
    { config, watched }: Pick<CheckedConfig, 'config' | 'watched'>,
    log: ServiceLog,
    context: CommandContext,
    sandboxes: ServiceSandboxes,
  ) {
    this.#path = path;
    this.#config = config;
    this.#watched = watched;
    this.#signed = signOfConfig(path, watched);
    this.#log = log;
    this.#context = context;
    this.#sandboxes = sandboxes;
    sandboxes.tellTo(log);
    const manager = ServiceManager.of(process.env, (text) => log.notice({ level: 'warning', text }));
    this.#shown = new ShownState({ admin: config.admin, manager, log, memory: () => sandboxes.memory() });
    this.#end = AbortSignal.any([context.signal, this.#stop.signal]);
  }

  /**
   * Runs the pipeline until it is to end.
   * @param reportSeconds time between two reports; 0: none
   * @returns the exit code
   */
  async run(untilIdle: boolean, reportSeconds: number): Promise<number> {
    const { base_dir: baseFolder } = this.#config.service;
    const warn = (text: string): void => this.#log.notice({ level: 'warning', text });
    // The user's default data folder is shared by all services; a folder named in a configuration is for one.
    const release = baseFolder === undefined ? null : claimFolder(baseFolder, warn);
    try {
      return await this.#runClaimed(untilIdle, reportSeconds);
    } finally {
      release?.();
    }
  }

  async #runClaimed(untilIdle: boolean, reportSeconds: number): Promise<number> {
    const { pid_file: pidFile, cpuprof, memprof } = this.#config.service;
    const release = pidFile === undefined ? null : await claimPidFile(pidFile);
    const profiling = await startProfiling({ cpuprof, memprof });
    this.#context.onAskedAgain?.(() => this.#tellWhatIsWaitedFor());
    using _report = onSignal('SIGUSR1', () => void (this.#running && this.#print(this.#running)));
    using _abort = onSignal('SIGUSR2', () => void (this.#running && this.#abortIfStuck(this.#running)));
    using _lookups = onLookupNews((news) => this.#log.notice(news));
    try {
      await this.#shown.open(untilIdle);
      const pipeline = await pipelineFromConfig(this.#config, {
        starter: this.#sandboxes.of(this.#config.service),
        stdout: this.#context.out.stream,
        dataFolder: dataFolder(),
        tell: (event) => this.#take(event),
      });
      await this.#sandboxes.stopKept();
      await pipeline.start();
      this.#context.onHangup?.(() => void this.#shown.reloading(() => pipeline.reopen()));
      this.#running = pipeline;
      this.#shown.running(pipeline);
      await Promise.race([this.#work(pipeline, untilIdle, reportSeconds), this.#gaveUp.promise]);
    } finally {
      await this.#shown.close();
      await this.#sandboxes.close();
      await profiling.stop().catch((error: unknown) => this.#log.line(messageOf(error)));
      await release?.();
      this.#log.close();
    }
    return this.#fatal || this.#lost || (untilIdle && this.#undone) ? Exit.failed : Exit.ok;
  }

  #take(event: PipelineEvent): void {
    if (event.kind === 'notice') this.#log.notice(event.notice);
    else if (event.kind === 'fatal') this.#fail(event.text);
    else if (event.kind === 'over') this.#finish(event.text);
    else if (event.kind === 'undone') this.#undone = true;
    else if (event.kind === 'lost') this.#lost = true;
    else this.#dropped.set(event.input, (this.#dropped.get(event.input) ?? 0) + event.count);
  }

  async #work(pipeline: ConfiguredPipeline, untilIdle: boolean, reportSeconds: number): Promise<void> {
    const { base_dir: baseFolder } = this.#config.service;
    const isMonitored = reportSeconds > 0 && pipeline.clock !== 'message';
    const status = isMonitored && baseFolder !== undefined ? new StatusFile(baseFolder, this.#path) : null;
    status?.write('{}');
    const monitor = isMonitored ? this.#monitor(pipeline, reportSeconds, status) : null;
    const leaks = new LeakWatch({ leaks: () => pipeline.leaks(), tell: (text) => this.#log.notice({ level: 'warning', text }) });
    try {
      await (untilIdle ? this.#untilIdle(pipeline) : this.#untilStopped(pipeline));
      await monitor?.stop();
    } finally {
      leaks.stop();
    }
    this.#shown.stopping();
    const stopped = pipeline.stop();
    const stuck = await untilStopped(stopped, pipeline);
    if (stuck !== null) await this.#giveUp(stuck, stopped);
    await status?.remove();
    for (const [input, count] of this.#dropped) this.#log.line(droppedText(input, count), 'warning');
  }

  /** Ends the scripts by force, which lets the other parts stop in order. */
  async #giveUp(parts: readonly string[], stopped: Promise<void>): Promise<void> {
    const names = parts.length === 0 ? 'its parts' : parts.map((name) => `[${name}]`).join(', ');
    this.#fail(`the service ends without ${names}: what waited there is lost, but for what is read again at the next start`);
    await this.#sandboxes.close();
    await Promise.race([stopped.catch(() => undefined), delay(ABORT_GRACE_MS, null, { ref: false })]);
  }

  async #print(pipeline: ConfiguredPipeline): Promise<void> {
    const report = await pipeline.report().catch(() => null);
    if (report === null) return;
    this.#context.out.add(printableLines(reportText(report)));
    // Not waited for: maybe nobody reads it, which is why the report was asked for.
    void this.#context.out.flush().catch(() => undefined);
  }

  /** Ends the service if its messages are stuck, without waiting for the part that holds them; scripts keep their state. */
  async #abortIfStuck(pipeline: ConfiguredPipeline): Promise<void> {
    if (this.#aborting) return;
    this.#aborting = true;
    if (await pipeline.flows()) {
      this.#aborting = false;
      return this.#log.line('an abort was asked for, but messages get through: nothing is done');
    }
    await this.#print(pipeline);
    this.#fail('an abort was asked for, and messages do not get through: the service ends');
    setTimeout(() => this.#gaveUp.resolve(), ABORT_GRACE_MS);
  }

  #monitor(pipeline: ConfiguredPipeline, seconds: number, status: StatusFile | null): SelfMonitor {
    return new SelfMonitor({
      seconds,
      hostname: this.#config.service.hostname ?? hostname(),
      pid: process.pid,
      report: () => pipeline.report(),
      inject: (batch) => pipeline.inject(batch),
      keep: (payload) => status?.write(payload),
    });
  }

  /** Answers a second request to stop with the names of the parts that are waited for. It does not end the service. */
  #tellWhatIsWaitedFor(): void {
    const names = this.#running?.stopping ?? [];
    const parts = names.length === 0 ? 'its parts' : names.map((name) => `[${name}]`).join(', ');
    this.#log.line(`the service is stopping already and waits for ${parts}; ${END_AT_ONCE.given} ends it at once`);
  }

  #fail(text: string): void {
    this.#fatal = true;
    this.#finish(text, 'error');
  }

  #finish(text: string, level: NoticeLevel = 'info'): void {
    this.#log.line(text, level);
    this.#stop.abort();
  }

  async #untilIdle(pipeline: ConfiguredPipeline): Promise<void> {
    while (!pipeline.idle && !this.#end.aborted) await delay(IDLE_POLL_MS);
  }

  async #untilStopped(pipeline: ConfiguredPipeline): Promise<void> {
    const reloads = new Serial();
    const changed = (): void => void reloads.run(() => this.#reload(pipeline));
    const watch = watchConfig(this.#path, changed, this.#signed, () => this.#watched);
    await untilAborted(this.#end);
    watch.close();
    await reloads.idle();
  }

  /** Applies the edited configuration; one with problems changes nothing. While an output waits, as for its disk, it is tried again. */
  async #reload(pipeline: ConfiguredPipeline): Promise<void> {
    let isTold = false;
    while (!this.#end.aborted) {
      const busy = await this.#tryReload(pipeline);
      if (busy === null) return;
      if (!isTold) this.#log.line(`${messageOf(busy)}: ${this.#path} was edited, which takes effect as soon as it can`, 'warning');
      isTold = true;
      await delay(BUSY_PAUSE_MS, null, { signal: this.#end }).catch(() => undefined);
    }
  }

  /** Returns an error when nothing could be exchanged now. */
  async #tryReload(pipeline: ConfiguredPipeline): Promise<EngineError | null> {
    const { config, problems, watched } = await checkConfig(this.#path);
    this.#watched = watched;
    return this.#shown.reloading(() => this.#applied(pipeline, config, problems));
  }

  async #applied(pipeline: ConfiguredPipeline, config: PipelineConfig, problems: readonly ConfigProblem[]): Promise<EngineError | null> {
    try {
      if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
      const { applied, pending } = await pipeline.reload(config);
      for (const change of applied) this.#log.line(change);
      for (const change of pending) this.#log.line(`${change}: takes effect at the next start`);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'router.busy') return error;
      for (const line of messageOf(error).split('\n')) this.#log.line(line, 'error');
      this.#log.line(`${this.#path} was edited and has problems: what runs stays as it is`, 'error');
    }
    return null;
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  // The timer keeps the process alive: inputs that listen or follow may hold no handle that does.
  const alive = setInterval(() => undefined, 1 << 30);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(alive);
}

function droppedText(input: string, count: number): string {
  const records = count === 1 ? '1 record was' : `${count} records were`;
  return `[${input}] ${records} refused by the decoder and dropped (send_decode_failures = true keeps them)`;
}
