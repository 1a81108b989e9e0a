/** The life of a script, whose seats are made up: what each call gets, and which seat serves it. */
import { describe, expect, it } from 'vitest';
import type { Call, WorkCall } from '../../../../engine/sandbox/calls/calls.ts';
import { NO_USE } from '../../../../engine/sandbox/calls/script-counters.ts';
import { Session, type Seat } from '../../../../engine/sandbox/calls/session.ts';
import { NO_RESULT, DEFAULT_LIMITS, type SandboxSpec } from '../../../../engine/sandbox/contract/types.ts';
import { Journal } from '../../../../engine/sandbox/wire/journal.ts';
import { batchOf, line } from '../harness.ts';

const spec: SandboxSpec = {
  name: 't',
  kind: 'filter',
  script: 's.js',
  modules: [],
  config: {},
  hostname: 'h',
  pid: 1,
  limits: DEFAULT_LIMITS,
};
const batch = batchOf([line('a'), line('b')]);

/** A seat that answers when it is told to, and what it was told besides. */
class FakeSeat implements Seat {
  readonly session: Session;
  readonly served: number[] = [];
  readonly told: string[] = [];

  constructor(session: Session) {
    this.session = session;
  }

  serve({ id }: Call): void {
    this.served.push(id);
  }

  /** Answers the first open call. */
  answer(result = NO_RESULT): void {
    const [call] = this.session.calls.open as readonly WorkCall[];
    if (call !== undefined && this.session.calls.take(call.kind, call.id)) this.session.answered(call, result, 2);
  }

  use(): Promise<typeof NO_USE> {
    return Promise.resolve({ ...NO_USE, memory: 5 });
  }

  drop(end: { readonly reason: string } | null): void {
    this.told.push(`drop ${end?.reason ?? 'stopped'}`);
  }

  leave(): Promise<void> {
    this.told.push('leave');
    while (this.session.calls.open.length > 0) this.answer();
    return Promise.resolve();
  }
}

/** A session in a first seat; `move` lets it arrive in the second one. */
function start(): { session: Session; first: FakeSeat; second: FakeSeat; move: { resolve: () => void; reject: (error: Error) => void } } {
  const arrival = Promise.withResolvers<void>();
  const session: Session = new Session(spec, { journal: new Journal(null), next: (own) => arrival.promise.then(() => own.sit(second)) });
  const [first, second] = [new FakeSeat(session), new FakeSeat(session)];
  session.sit(first);
  return { session, first, second, move: arrival };
}

const outcome = (call: Promise<unknown>): Promise<unknown> => call.catch((error: Error) => error.message);

describe('a session', () => {
  it('gives calls to its seat at once, and answers and counts them in order', async () => {
    const { session, first } = start();
    const calls = [session.process(batch, null), session.timer(1n), session.process(batch, null)];
    expect(first.served).toEqual([1, 2, 3]);
    first.answer({ ...NO_RESULT, failures: [{ row: 1, reason: 'bad' }] });
    first.answer();
    expect(await Promise.all(calls.slice(0, 2))).toMatchObject([{ failures: [{ reason: 'bad' }] }, { failures: [] }]);
    expect(await session.report()).toMatchObject({ processed: 4, failures: 1, lastError: 'bad', memory: { current: 5 } });
  });

  it('takes the calls that are open, and those that come meanwhile, to its next seat', async () => {
    const { session, first, second, move } = start();
    const calls = [session.process(batch, null), session.process(batch, null)];
    first.answer();
    session.moveOn();
    calls.push(session.process(batch, null));
    expect(first.served).toEqual([1, 2]);
    move.resolve();
    await expect.poll(() => second.served).toEqual([2, 3]);
    second.answer();
    second.answer();
    expect(await Promise.all(calls)).toEqual([NO_RESULT, NO_RESULT, NO_RESULT]);
    expect(await session.report()).toMatchObject({ state: 'running', processed: 6 });
  });

  it('ends with what keeps it from its next seat', async () => {
    const { session, move } = start();
    const calls = [session.process(batch, null), session.timer(1n)].map(outcome);
    session.moveOn();
    move.reject(new Error('no room'));
    expect(await Promise.all(calls)).toEqual(['no room', 'no room']);
    expect(await outcome(session.process(batch, null))).toBe('sandbox t has ended: no room');
    expect(await session.report()).toMatchObject({ state: 'terminated', lastError: 'no room', memory: { current: 0 } });
    await session.stop();
  });

  it('gives its end to the first call, and refuses the others', async () => {
    const { session, first } = start();
    const calls = [session.process(batch, null), session.timer(1n)].map(outcome);
    session.terminate({ code: 'filter.slow', reason: 'too slow' });
    session.terminate({ code: 'failed', reason: 'again' });
    expect(await Promise.all(calls)).toMatchObject([{ terminated: { reason: 'too slow', row: -1 } }, 'sandbox t has ended: too slow']);
    expect(first.told).toEqual(['drop too slow']);
    expect(session.state).toBe('terminated');
  });

  it('ends with a result that says so', async () => {
    const { session, first } = start();
    const calls = [session.process(batch, null), session.process(batch, null)].map(outcome);
    first.answer({ ...NO_RESULT, terminated: { code: 'script.return', reason: 'enough', row: 1 } });
    expect(await Promise.all(calls)).toMatchObject([{ terminated: { row: 1 } }, 'sandbox t has ended: enough']);
    await session.stop();
    expect(session.state).toBe('terminated');
  });

  it('stops after its open calls, also where these had to go on', async () => {
    const { session, first, second, move } = start();
    const calls = [session.process(batch, null), session.process(batch, null)];
    first.leave = () => {
      session.moveOn();
      return Promise.resolve();
    };
    const stopped = session.stop();
    expect(await outcome(session.process(batch, null))).toBe('sandbox t is being stopped');
    move.resolve();
    await stopped;
    expect(await Promise.all(calls)).toEqual([NO_RESULT, NO_RESULT]);
    expect(second.told).toEqual(['leave', 'drop stopped']);
    expect(session.state).toBe('stopped');
    expect(await outcome(session.timer(1n))).toBe('sandbox t was stopped');
  });
});
