import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { checkedConfig } from '../configuration.ts';
import type { InputNotice } from '../../inputs/types.ts';
import { pipelineFromConfig } from '../../pipeline/from-config.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { startSandboxes } from '../../pipeline/starter.ts';

const help = `Usage: sluicebox run CONFIG [--until-idle]

Runs the pipeline of a configuration, a TOML file or a folder of them, until it is interrupted. What was read is then worked off.

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
    const sandboxes = startSandboxes();
    let fatal = false;
    const stop = new AbortController();
    const end = AbortSignal.any([context.signal, stop.signal]);
    try {
      const pipeline = await pipelineFromConfig(config, {
        starter: sandboxes,
        stdout: process.stdout,
        dataFolder: dataFolder(),
        notice: (notice) => logNotice(notice, context),
        onFatal: (text) => {
          fatal = true;
          context.complain(text);
          stop.abort();
        },
      });
      await pipeline.start();
      await (values['until-idle'] ? untilIdle(pipeline, end) : untilAborted(end));
      await pipeline.stop();
    } finally {
      await sandboxes.close();
    }
    return fatal ? Exit.failed : Exit.ok;
  },
};

function logNotice({ level, text }: InputNotice, { complain }: CommandContext): void {
  complain(level === 'info' ? text : `${level}: ${text}`);
}

/** Where checkpoints are kept: `SLUICEBOX_DATA`, or the usual place of the system. */
function dataFolder(): string {
  if (process.env.SLUICEBOX_DATA) return process.env.SLUICEBOX_DATA;
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'sluicebox');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sluicebox');
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'sluicebox');
}

async function untilIdle(pipeline: Pipeline, signal: AbortSignal): Promise<void> {
  while (!pipeline.idle && !signal.aborted) await delay(IDLE_POLL_MS);
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
