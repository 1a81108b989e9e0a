import type { Sandbox, SandboxSpec } from '../contract/types.ts';
import type { ScriptPast } from '../hosts/remote-sandbox.ts';
import { DirectSandbox, type DirectSandboxOptions } from './direct-sandbox.ts';
import { InterruptedError } from './direct-script.ts';
import { shippedCode } from './script-code.ts';
import { seatsFor, type SeatName } from './seating.ts';
import type { ThreadPool } from './thread-pool.ts';
import { ThreadSandbox } from './thread-sandbox.ts';

/** Seats besides those in hosts. */
export interface OwnSeats {
  /** This process serves scripts itself; `interruptible`: SIGINT breaks calls, for a command that has nothing to bring to its end then. */
  readonly here?: { readonly interruptible: boolean } | undefined;
  readonly threads?: ThreadPool | undefined;
}

/** Starts a script in a host; `past` is what it has done elsewhere, which it goes on from. */
export type StartInHost = (spec: SandboxSpec, past?: ScriptPast) => Promise<Sandbox>;

/** Starts a script where the table of seats has it. The results are the same everywhere. Errors are those of a start in a host. */
export async function startSeated(spec: SandboxSpec, seats: OwnSeats, startInHost: StartInHost): Promise<Sandbox> {
  for (const seat of seatsFor(spec, { here: seats.here !== undefined, threads: seats.threads?.size ?? 0 })) {
    const sandbox = await startAt(seat, spec, seats, startInHost);
    if (sandbox !== null) return sandbox;
  }
  return startInHost(spec);
}

/** null: it does not load there, and the next place says why. */
async function startAt(seat: SeatName, spec: SandboxSpec, { here, threads }: OwnSeats, startInHost: StartInHost): Promise<Sandbox | null> {
  const start = (past?: ScriptPast): Promise<Sandbox> => startInHost(spec, past);
  const code = (): string => shippedCode(spec.script);
  const hasThreads = threads !== undefined && threads.size > 0;
  switch (seat) {
    case 'here': {
      if (here === undefined) return null;
      const onward = hasThreads
        ? { start: (counters: DirectCounters) => ThreadSandbox.start({ spec, pool: threads, code, start, counters }) }
        : undefined;
      return startHere(spec, start, { code, interruptible: here.interruptible, onward });
    }
    case 'thread':
      return hasThreads ? ThreadSandbox.start({ spec, pool: threads, code, start }) : null;
    case 'host':
      return start();
  }
}

type DirectCounters = Parameters<NonNullable<DirectSandboxOptions['onward']>['start']>[0];

function startHere(spec: SandboxSpec, start: (past?: ScriptPast) => Promise<Sandbox>, options: DirectSandboxOptions): Sandbox | null {
  try {
    return new DirectSandbox(spec, start, options);
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return null;
  }
}
