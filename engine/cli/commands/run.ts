import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Exit, UsageError, type Command } from '../command.ts';
import { checkedConfig } from '../configuration.ts';
import { claimPidFile } from '../pid-file.ts';
import { ServiceLog } from '../service-log.ts';
import { watchConfig, type PipelineConfig } from '../../config/index.ts';
import { messageOf } from '../../errors.ts';
import { pipelineFromConfig, type ConfiguredPipeline } from '../../pipeline/from-config.ts';
import { startSandboxes } from '../../pipeline/starter.ts';

const help = `Usage: sluicebox run CONFIG [--until-idle]

Runs the pipeline of a configuration, a TOML file or a folder of them, until it is interrupted. What was read is then worked off; a
second interrupt ends it at once, and what was not worked off is read again at the next start.

While it runs, filters that are added, changed or removed in the configuration are started, replaced and stopped at once. Other changes
take effect at the next start. A configuration with problems changes nothing; the problems go to standard error.

      --until-idle          ends when all files are read and everything in them has been through
`;

const IDLE_POLL_MS = 20;

export const run: Command = {
  help,
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'until-idle': { type: 'boolean', default: false } },
    });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) throw new UsageError('run needs one configuration.');
    const { config, problems } = await checkedConfig(path);
    if (problems.length > 0) {
      for (const problem of problems) context.complain(problem);
      return Exit.failed;
    }
    if (config.inputs.length === 0) {
      context.complain(`${path}: there is no input, so there is nothing to do.`);
      return Exit.failed;
    }
    const log = new ServiceLog(context.complain, config.service.log_flags);
    const service = new Service(path, config, log, context.signal);
    return service.run(values['until-idle']);
  },
};

/** One run of a configuration. */
class Service {
  readonly #path: string;
  readonly #config: PipelineConfig;
  readonly #log: ServiceLog;
  readonly #stop = new AbortController();
  readonly #end: AbortSignal;
  #fatal = false;

  constructor(path: string, config: PipelineConfig, log: ServiceLog, signal: AbortSignal) {
    this.#path = path;
    this.#config = config;
    this.#log = log;
    this.#end = AbortSignal.any([signal, this.#stop.signal]);
  }

  async run(untilIdle: boolean): Promise<number> {
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
      await (untilIdle ? this.#untilIdle(pipeline) : this.#untilStopped(pipeline));
      await pipeline.stop();
    } finally {
      await sandboxes.close();
      await release?.();
    }
    return this.#fatal ? Exit.failed : Exit.ok;
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

async function untilAborted(signal: AbortSignal): Promise<void> {
  // Keeps the process alive: what listens and follows may hold nothing open that does.
  const alive = setInterval(() => undefined, 1 << 30);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(alive);
}
