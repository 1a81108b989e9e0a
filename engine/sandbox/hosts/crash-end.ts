import type { End } from '../../api/ends.ts';
import type { HostCrash } from './host-process.ts';
import { memoryLimits, type ProcessLimit } from './process-limits.ts';
import type { SandboxSpec } from '../contract/types.ts';

/** End of an input that was stopped while it was at work. */
export const STOPPED_AT_WORK: End = { code: 'sandbox.stopped', reason: 'it was stopped while it was at work' };

/**
 * The signals of a process that has failed by itself. No script can send its host another one: then someone did, or the system, which is short of
 * memory.
 */
const OWN_SIGNALS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP']);

/** Messages of V8 and the system's libraries before they end a process that gets no memory from the system. */
const NO_MEMORY = /out of memory|allocation failed|Failed to reserve|bad_alloc|ENOMEM|Cannot allocate memory/i;

/** Whether neither the host nor the engine has ended it. */
export function isFromOutside({ killed, signal }: HostCrash): boolean {
  return killed === null && signal !== null && !OWN_SIGNALS.has(signal);
}

/**
 * Whether a host went down by a signal of its own and without a word: that may have another cause than the script whose call it served, such as someone who
 * sent it the signal, or a fault of the runtime that seldom shows. A call that brings its next host down as well is the cause.
 */
export function mayBeChance({ killed, signal, said }: HostCrash): boolean {
  return killed === null && signal !== null && OWN_SIGNALS.has(signal) && said.trim() === '';
}

/** The end of the sandbox whose call a host was serving when it crashed. @param limitsOfProcess the limits of memory that the system sets processes */
export function crashEnd(crash: HostCrash, { limits: { callMs, memory } }: SandboxSpec, limitsOfProcess = memoryLimits): End {
  const { killed, signal, code, said } = crash;
  if (killed === 'overdue' || killed === 'starved')
    return { code: 'limit.time', reason: `exceeded the time limit of ${callMs} ms`, limit: callMs };
  if (killed === 'asked') return STOPPED_AT_WORK;
  if (killed === 'heavy') return { code: 'limit.memory', reason: `exceeded memory_limit of ${memory}`, limit: memory };
  if (killed === 'broken')
    return { code: 'sandbox.protocol', reason: `its host sent what no host sends: ${said.trim()}`, said: said.trim() };
  const how = signal ?? `exit code ${code}`;
  const [limit] = NO_MEMORY.test(said) ? limitsOfProcess() : [];
  if (limit !== undefined) return noMemory(how, limit);
  return { code: 'host.crashed', reason: `the sandbox brought its host down (${how}); most likely it exceeded memory_limit of ${memory}` };
}

function noMemory(how: string, { bytes, command }: ProcessLimit): End {
  const reason = `the process of the sandbox got no memory from the system (${how}): ${command} limits each process to ${bytes} bytes`;
  return { code: 'host.memory', reason, limit: bytes, said: reason };
}

const KILLED: Readonly<Record<NonNullable<HostCrash['killed']>, string>> = {
  overdue: 'a call in it took too long',
  heavy: 'it took too much memory',
  late: 'it did not start in time',
  broken: 'its answers could not be read',
  asked: 'a script in it did not stop',
  starved: 'the machine kept it from its work',
};

/** Sentence for users about a host that crashed. */
export function crashText({ killed, signal, code }: HostCrash): string {
  return killed === null
    ? `A sandbox host ended by itself (${signal ?? `exit code ${code}`}) and was replaced.`
    : `A sandbox host was ended, because ${KILLED[killed]}, and was replaced.`;
}
