import type { PreparedText } from '../../base/product/prepared.ts';
import { Session } from '../calls/session.ts';
import { keepsNothing, type Sandbox, type SandboxSpec } from '../contract/types.ts';
import { Journal } from '../wire/journal.ts';
import { InterruptedError } from './direct-script.ts';
import { HereSeat } from './here-seat.ts';
import { shippedCode } from './script-code.ts';
import { seatsFor, type SeatName } from './seating.ts';
import type { ThreadPool } from './thread-pool.ts';
import { ThreadSeat } from './thread-seat.ts';

/** Seats besides those in hosts. */
export interface OwnSeats {
  /** This process serves scripts itself; `interruptible`: SIGINT breaks calls, for a command that has nothing to bring to its end then. */
  readonly here?: { readonly interruptible: boolean } | undefined;
  readonly threads?: ThreadPool | undefined;
}

/** Starts a script in a host; `session` is that of one that ran elsewhere, and goes on there. */
export type StartInHost = (spec: SandboxSpec, session?: Session) => Promise<Sandbox>;

/** A state is had after so many calls, or messages of them: the batches of all calls since then are held. */
const STATE_DUE = { calls: 8, rows: 1 << 14 };

/** All calls of so many are held from the start, until the script goes on in a thread: as many come before that has started. */
const HISTORY = { calls: 1 << 14, rows: 1 << 16, cpu: Infinity };

/** The session of a script that runs in a seat of this process until that cannot serve it. @param next has it go on elsewhere */
export const ownSession = (spec: SandboxSpec, next: (session: Session) => Promise<unknown>): Session =>
  new Session(spec, { journal: new Journal(null, keepsNothing(spec) ? {} : { due: STATE_DUE, history: HISTORY }), next });

/** Starts a script where the table of seats has it. The results are the same everywhere. Errors are those of a start in a host. */
export async function startSeated(spec: SandboxSpec, seats: OwnSeats, startInHost: StartInHost): Promise<Sandbox> {
  const session = ownSession(spec, (own) => startInHost(spec, own));
  for (const name of seatsFor(spec, { here: seats.here !== undefined, threads: seats.threads?.size ?? 0 })) {
    if (await sitsAt(name, session, seats)) return session;
  }
  return startInHost(spec);
}

/** false: it does not load there, and the next place says why. */
async function sitsAt(name: SeatName, session: Session, { here, threads }: OwnSeats): Promise<boolean> {
  if (name === 'host') return false;
  const code = (): PreparedText => shippedCode(session.spec.script);
  const inThread = async (): Promise<ThreadSeat | null> =>
    threads !== undefined && threads.size > 0 ? ThreadSeat.start(session, { pool: threads, code }) : null;
  try {
    const seat =
      name === 'thread'
        ? await inThread()
        : new HereSeat(session, { code: code(), interruptible: here?.interruptible === true, onward: inThread });
    if (seat !== null) session.sit(seat);
    return seat !== null;
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return false;
  }
}
