/** The engine process: a child of the shell that talks to it over Node's IPC channel. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { closeInherited } from './base/process/descriptors.ts';
import { ownProcess, relieve } from './base/process/memory-relief.ts';
import { Questions } from './workspace/questions.ts';
import { EngineServer } from './workspace/server.ts';
import { INPUTS } from './workspace/sources/inputs.ts';
import type { FromEngine, ToEngine } from './api/wire.ts';
import { Workspace } from './workspace/workspace.ts';
import { startSandboxes } from './plugins/starter.ts';
import { ThreadPool } from './sandbox/ours/thread-pool.ts';
import { tellLines } from './base/process/terminal.ts';

// Taking the types out of scripts is an experiment of Node that it warns of at every start.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') tellLines(`${warning.stack ?? warning.message}\n`);
});

/** Growth in bytes that is worth a collection of all garbage. */
const MEMORY_GROWTH = 16 << 20;

closeInherited();
// The folders of lookups and scripts may be elsewhere than in that of the data; empty: they are there.
const [, , given, lookups = '', scripts = ''] = process.argv;
const folder = given ?? process.env.SLUICEBOX_DATA ?? join(homedir(), '.sluicebox');
const post = (message: FromEngine): void => {
  // A shell that is gone hears nothing; `disconnect` ends this process then.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

const sandboxes = startSandboxes({
  ...(process.env.SLUICEBOX_BUNDLED_IN_HOSTS === '1' ? {} : { threads: new ThreadPool() }),
  onHostCrash: (text) => workspace.notices.say('warning', 'sandbox.host-ended', text),
  onStall: (plugin, text) => workspace.notices.say('warning', 'plugin.stalled', `${plugin} ${text}`, { plugin }),
});
const questions = new Questions(post);
const workspace: Workspace = new Workspace({
  folder,
  lookups: lookups || undefined,
  scripts: scripts || undefined,
  sandboxes,
  inputs: INPUTS,
  ask: (demands) => questions.ask(demands),
  emit: (name, data) => post({ kind: 'event', name, data } as FromEngine),
});

relieve(ownProcess(MEMORY_GROWTH));

/** Lets the shell end before this process does, but on Windows, where the records have a file with a name until then. */
function leaveShell(): void {
  if (process.connected && process.platform !== 'win32') process.disconnect?.();
}

let stopping = false;
/** Stops in order; parts that do not end in time are left behind. @param keepReceived for the next window, as this one did not end in order */
async function stop(keepReceived: boolean): Promise<void> {
  if (stopping) return;
  stopping = true;
  const late = setTimeout(() => process.exit(1), 2500);
  await workspace.stop({ keepReceived, saved: leaveShell });
  clearTimeout(late);
  process.exit(0);
}

const server = new EngineServer(workspace, questions, post, () => void stop(false));
// One after the other, also when several come at once: the answer to one leaves before the news that the next one makes.
process.on('message', (message) => setImmediate(() => void server.receive(message as ToEngine)));
process.on('disconnect', () => void stop(true));
process.on('SIGTERM', () => void stop(true));
// A terminal sends these to all processes of the window: the shell ends then, and asks for the end, or is gone.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void (process.connected || stop(true)));
// Without a handler it would end this process, or open Node's debugger.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
// The shell may have gone before anyone listened.
if (process.connected === false) void stop(true);
post({ kind: 'ready', pid: process.pid });
