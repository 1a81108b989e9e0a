import { SAVE_MS, type CreateHead } from '../contract/protocol.ts';
import type { Setup } from '../prelude/state/state.ts';
import type { SandboxLimits } from '../contract/types.ts';
import { ivm, type IsolatedVM } from './isolate.ts';

const MEGABYTE = 1 << 20;
/**
 * Megabytes for the isolate itself, the prelude, the batches and garbage, in addition to the script's limit. V8 may use all of it before it collects
 * garbage in earnest; it is less than a host may take beyond the limits of its scripts.
 */
const HEADROOM = 32;
/** Bytes of the headroom that a batch may always take. */
export const BATCH_ALLOWANCE = 8 * MEGABYTE;
/** The isolate's limit in megabytes when the script has none. */
const UNLIMITED = 4096;
/** Milliseconds added to the time limit, so that a script that measures its own time sees the whole of the limit. */
const CLOCK_SLACK_MS = 100;

/** Creates an isolate for a script with these limits. */
export function newIsolate({ memory }: SandboxLimits): IsolatedVM.Isolate {
  return new ivm.Isolate({
    memoryLimit: memory === 0 ? UNLIMITED : Math.ceil(memory / MEGABYTE) + HEADROOM,
    // V8 has lost control of the isolate: only the end of the process ends it.
    onCatastrophicError: () => process.abort(),
  });
}

/** Milliseconds on the clock that loading, each call, and saving or restoring the state may take; undefined: as long as they like. */
export interface TimeLimits {
  readonly loadMs: number | undefined;
  readonly callMs: number | undefined;
  readonly saveMs: number;
}

/** @param patience how many times as long as the script may have the processor it may take on the clock */
export function timeLimits({ kind, limits }: CreateHead, patience: number): TimeLimits {
  const loadMs = limits.callMs === 0 ? undefined : limits.callMs * patience + CLOCK_SLACK_MS;
  // An input may take as long as it likes in process_message, but not to begin.
  return { loadMs, callMs: kind === 'input' ? undefined : loadMs, saveMs: SAVE_MS * patience };
}

/** Makes the prelude's settings from those of the sandbox. */
export function setupOf(head: CreateHead): Setup {
  const { name, kind, config, limits, clock = 'wall', ticks = false, writes = false, reads, profile = false, stateless = false } = head;
  const { output, memory, processInject, timerInject } = limits;
  const instructions = kind === 'input' ? 0 : limits.instructions;
  const ports = { ticks, writes, reads: reads ?? ('' as const) };
  const limited = { instructions, output, memory, processInject, timerInject };
  return { name, isolated: true, kind, config, ...limited, clock, ...ports, stateless: stateless && kind === 'decoder', hints: profile };
}
