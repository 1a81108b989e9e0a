import { preludeStart } from '../wire/prelude-start.ts';
import type { Prelude } from '../prelude/index.ts';
import type { HostCalls, Setup } from '../prelude/state/state.ts';
import type { TimeLimits } from './isolate-limits.ts';
import { ivm, type IsolatedVM } from './isolate.ts';

const NAMES = [
  'open',
  'deliver',
  'resume',
  'timer',
  'run',
  'takeInput',
  'finish',
  'share',
  'shareTexts',
  'startLoading',
  'endLoading',
  'usage',
  'hints',
  'askedToEnd',
  'save',
  'restore',
] as const;

/** The prelude's functions as the host calls them: arguments and results are copied, and calls that run script code have a time limit. */
export type PreludeCalls = { readonly [name in (typeof NAMES)[number]]: (...args: unknown[]) => ReturnType<Prelude[name]> };

type Call = (...args: unknown[]) => unknown;

/** Callbacks that the host offers to the prelude. */
export type HostCallbacks = { readonly [name in keyof HostCalls]: Call };

/** V8's code cache of the prelude, which is the same in all isolates of a host. */
let parsed: { readonly text: string; readonly data: IsolatedVM.ExternalCopy<ArrayBuffer> } | null = null;

function compilePrelude(isolate: IsolatedVM.Isolate, text: string): IsolatedVM.Script {
  const filename = '(prelude)';
  if (parsed?.text === text) return isolate.compileScriptSync(text, { filename, cachedData: parsed.data });
  const script = isolate.compileScriptSync(text, { filename, produceCachedData: true });
  const { cachedData } = script as { cachedData?: IsolatedVM.ExternalCopy<ArrayBuffer> };
  if (cachedData !== undefined) parsed = { text, data: cachedData };
  return script;
}

/** Runs the prelude in a new context. */
export function startPrelude(
  isolate: IsolatedVM.Isolate,
  context: IsolatedVM.Context,
  code: string,
  options: {
    readonly setup: Setup;
    readonly progress: SharedArrayBuffer;
    /** The cells that count the steps of each line. */
    readonly profile: SharedArrayBuffer | null;
    readonly callbacks: HostCallbacks;
  } & TimeLimits,
): PreludeCalls {
  const { setup, progress, profile, callMs, loadMs, saveMs, callbacks } = options;
  const names = Object.keys(callbacks) as (keyof HostCallbacks)[];
  const start = compilePrelude(isolate, preludeStart(code, names)).runSync(context, {
    reference: true,
  }) as unknown as IsolatedVM.Reference<Call>;
  const given = [
    JSON.stringify(setup),
    new ivm.ExternalCopy(progress).copyInto(),
    profile === null ? null : new ivm.ExternalCopy(profile).copyInto(),
    ...names.map((name) => new ivm.Callback(callbacks[name])),
  ];
  const prelude = start.applySync<{ result: { reference: true } }>(undefined, given as never[], { result: { reference: true } });
  const timeouts: Record<string, number | undefined> = {
    endLoading: loadMs,
    resume: callMs,
    timer: callMs,
    save: saveMs,
    restore: saveMs,
  };
  const calls = NAMES.map((name) => {
    const reference = (prelude as unknown as IsolatedVM.Reference<Record<string, Call>>).getSync(name, { reference: true });
    const timeout = timeouts[name];
    const run = { result: { copy: true as const }, ...(timeout === undefined ? {} : { timeout }) };
    return [name, (...args: unknown[]): unknown => reference.applySync<typeof run>(undefined, args as never[], run)];
  });
  return Object.fromEntries(calls) as PreludeCalls;
}
