import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { checkedConfig } from '../configuration.ts';
import { claimPidFile } from '../pid-file.ts';
import { ServiceLog } from '../service-log.ts';
import { parseCount } from '../settings.ts';
import { watchConfig, type PipelineConfig } from '../../config/index.ts';
import { messageOf } from '../../errors.ts';
import { pipelineFromConfig, type ConfiguredPipeline } from '../../pipeline/from-config.ts';
import { reportText } from '../../pipeline/plugin-report.ts';
import { SelfMonitor } from '../../pipeline/self-monitor.ts';
import { startSandboxes } from '../../pipeline/starter.ts';

const help = `Usage: sluicebox run CONFIG [--until-idle]

Runs the pipeline of a configuration, a TOML file or a folder of them, until it is interrupted. What was read is then worked off; a
second interrupt ends it at once, and what was not worked off is read again at the next start.

While it runs, filters that are added, changed or removed in the configuration are started, replaced and stopped at once. Other changes
take effect at the next start. A configuration with problems changes nothing; the problems go to standard error.

      --until-idle          ends when all files are read and everything in them has been through
      --report-interval SECONDS
                            time between two reports on the service itself, which are messages of the pipeline of Type svc.all-report and
                            svc.memstat (5; 0: none; none with --until-idle, and none where the messages' own time is the clock)

The signal SIGUSR1 makes it print such a report as text; SIGHUP makes it open its output files anew, for after they were moved away.
`;

const IDLE_POLL_MS = 20;

export const run: Command = {
  help,
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'until-idle': { type: 'boolean', default: false }, 'report-interval': { type: 'string' } },
    });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) throw new UsageError('run needs one configuration.');
    const { config, problems, warnings } = await checkedConfig(path);
    if (problems.length > 0) {
      for (const problem of problems) context.complain(problem);
      return Exit.failed;
    }
    if (config.inputs.length === 0) {
      context.complain(`${path}: there is no input, so there is nothing to do.`);
      return Exit.failed;
    }
    const log = new ServiceLog(context.complain, config.service.log_flags);
    for (const text of warnings) log.notice({ level: 'warning', text });
    const service = new Service(path, config, log, context);
    const untilIdle = values['until-idle'];
    return service.run(untilIdle, parseCount('--report-interval', values['report-interval'] ?? (untilIdle ? '0' : '5')));
  },
};

/** One run of a configuration. */
class Service {
  readonly #path: string;
  readonly #config: PipelineConfig;
  readonly #log: ServiceLog;
  readonly #stop = new AbortController();
  readonly #end: AbortSignal;
  readonly #context: CommandContext;
  #fatal = false;

  constructor(path: string, config: PipelineConfig, log: ServiceLog, context: CommandContext) {
    this.#path = path;
    this.#config = config;
    this.#log = log;
    this.#context = context;
    this.#end = AbortSignal.any([context.signal, this.#stop.signal]);
  }

  /** @param reportSeconds time between two reports; 0: none */
  async run(untilIdle: boolean, reportSeconds: number): Promise<number> {
    let running: ConfiguredPipeline | null = null;
    using _report = onReportSignal(() => running);
    const { pid_file: pidFile, maxprocs: hosts } = this.#config.service;
    const release = pidFile === undefined ? null : await claimPidFile(pidFile);
    const onHostCrash = (text: string): void => this.#log.notice({ level: 'error', text });
    const sandboxes = startSandboxes({ onHostCrash, ...(hosts === undefined ? {} : { hosts }) });
    try {
      const pipeline = await pipelineFromConfig(this.#config, {
        starter: sandboxes,
        stdout: process.stdout,
        dataFolder: dataFolder(),
        notice: (notice) => this.#log.notice(notice),
        onFatal: (text) => this.#fail(text),
      });
      await pipeline.start();
      this.#context.onHangup?.(() => void pipeline.reopen());
      running = pipeline;
      const monitor = this.#monitor(pipeline, reportSeconds);
      await (untilIdle ? this.#untilIdle(pipeline) : this.#untilStopped(pipeline));
      await monitor?.stop();
      await pipeline.stop();
    } finally {
      await sandboxes.close();
      await release?.();
    }
    return this.#fatal ? Exit.failed : Exit.ok;
  }

  #monitor(pipeline: ConfiguredPipeline, seconds: number): SelfMonitor | null {
    if (seconds === 0 || pipeline.clock === 'message') return null;
    return new SelfMonitor({
      seconds,
      hostname: this.#config.service.hostname ?? hostname(),
      pid: process.pid,
      report: () => pipeline.report(),
      inject: (batch) => pipeline.inject(batch),
    });
  }

  #fail(text: string): void {
    this.#fatal = true;
    this.#log.line(text);
    this.#stop.abort();
  }

  async #untilIdle(pipeline: ConfiguredPipeline): Promise<void> {
    while (!pipeline.idle && !this.#end.aborted) await delay(IDLE_POLL_MS);
  }

  async #untilStopped(pipeline: ConfiguredPipeline): Promise<void> {
    let turn: Promise<void> = Promise.resolve();
    const watch = watchConfig(this.#path, () => {
      turn = turn.then(() => this.#reload(pipeline));
    });
    await untilAborted(this.#end);
    watch.close();
    await turn;
  }

  /** The configuration was edited. */
  async #reload(pipeline: ConfiguredPipeline): Promise<void> {
    const { config, problems } = await checkedConfig(this.#path);
    try {
      if (problems.length > 0) throw new Error(problems.join('\n'));
      const { applied, pending } = await pipeline.reload(config);
      for (const what of applied) this.#log.line(what);
      for (const what of pending) this.#log.line(`${what}: takes effect at the next start`);
    } catch (error) {
      for (const line of messageOf(error).split('\n')) this.#log.line(line);
      this.#log.line(`${this.#path} was edited and has problems: what runs stays as it is`);
    }
  }
}

/** Where checkpoints are kept: `SLUICEBOX_DATA`, or the usual place of the system. */
function dataFolder(): string {
  if (process.env.SLUICEBOX_DATA) return process.env.SLUICEBOX_DATA;
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'sluicebox');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sluicebox');
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'sluicebox');
}

/** Prints the report when the signal comes, as long as the result is not disposed of. Windows has no such signal. */
function onReportSignal(running: () => ConfiguredPipeline | null): Disposable {
  const print = (): void => {
    running()
      ?.report()
      .then(
        (report) => process.stdout.write(reportText(report)),
        () => undefined,
      );
  };
  if (process.platform !== 'win32') process.on('SIGUSR1', print);
  return { [Symbol.dispose]: () => void process.removeListener('SIGUSR1', print) };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  // Keeps the process alive: what listens and follows may hold nothing open that does.
  const alive = setInterval(() => undefined, 1 << 30);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(alive);
}
