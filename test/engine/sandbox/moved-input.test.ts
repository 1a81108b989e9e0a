import { expect, test } from 'vitest';
import type { OutgoingFrame } from '../../../engine/sandbox/wire/frames.ts';
import type { Host } from '../../../engine/sandbox/hosts/host-line.ts';
import { ToEngine, ToHost } from '../../../engine/sandbox/contract/protocol.ts';
import { HostSeat } from '../../../engine/sandbox/hosts/host-seat.ts';
import { Session } from '../../../engine/sandbox/calls/session.ts';
import { Journal } from '../../../engine/sandbox/wire/journal.ts';
import { ScriptSources } from '../../../engine/sandbox/code/sources.ts';
import { DEFAULT_LIMITS } from '../../../engine/sandbox/contract/types.ts';

/** One message, as an input injects it. */
const PIECE = {
  ...{ globals: 0, used: [], injected: 1, passed: 0, origins: -1, kinds: -1, origin: 1, timestamps: 0, uuids: null },
  ...{ headers: [null, null, null, null, null, null, null], fields: [], failures: [], encoded: null, ended: null, status: null },
};

class SilentHost implements Host {
  readonly serving = true;
  readonly kinds: number[] = [];

  send(frame: OutgoingFrame): void {
    this.kinds.push(frame.kind);
  }

  kill(): void {
    throw new Error('nobody asked for that');
  }
}

test('an input that goes on at another host while its messages are taken is not told there to go on', async () => {
  const [first, second] = [new SilentHost(), new SilentHost()];
  const spec = {
    name: 't',
    kind: 'input',
    script: 's.js',
    modules: [],
    config: {},
    hostname: 'h',
    pid: 1,
    limits: DEFAULT_LIMITS,
  } as const;
  const sandbox = new Session(spec, { journal: new Journal(null) });
  const seat = new HostSeat({ id: 1, session: sandbox, sources: new ScriptSources(spec), onEnd: () => undefined, repeat: null });
  const say = (kind: number, call: number, head: object): void =>
    seat.receive({ kind, box: 1, call, head: JSON.stringify(head), block: new ArrayBuffer(64), texts: Buffer.alloc(0) });
  const started = seat.start(first);
  say(ToEngine.CREATED, 0, {});
  await started;
  const taken = Promise.withResolvers<void>();
  const running = sandbox.run(() => taken.promise);
  say(ToEngine.PARTIAL, 1, PIECE);
  seat.moveTo(second);
  taken.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(second.kinds).toEqual([ToHost.CREATE, ToHost.RUN]);
  say(ToEngine.PARTIAL, 1, PIECE);
  await new Promise((resolve) => setImmediate(resolve));
  expect(second.kinds).toEqual([ToHost.CREATE, ToHost.RUN, ToHost.ANSWER]);
  sandbox.terminate({ code: 'sandbox.stopped', reason: 'the end' });
  expect(await running).toEqual({ code: 'sandbox.stopped', reason: 'the end', row: -1 });
});
