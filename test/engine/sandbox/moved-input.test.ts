import { expect, test } from 'vitest';
import type { OutgoingFrame } from '../../../engine/sandbox/wire/frames.ts';
import type { Host } from '../../../engine/sandbox/hosts/host-line.ts';
import { ToEngine, ToHost } from '../../../engine/sandbox/contract/protocol.ts';
import { RemoteSandbox } from '../../../engine/sandbox/hosts/remote-sandbox.ts';
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
  const sandbox = new RemoteSandbox({
    id: 1,
    spec: { name: 't', kind: 'input', script: 's.js', modules: [], config: {}, hostname: 'h', pid: 1, limits: DEFAULT_LIMITS },
    ...{
      sources: new ScriptSources({ kind: 'input', script: 's.js', modules: [], limits: DEFAULT_LIMITS }),
      state: null,
      onEnd: () => undefined,
      repeat: null,
    },
  });
  const say = (kind: number, call: number, head: object): void =>
    sandbox.receive({ kind, box: 1, call, head: JSON.stringify(head), block: new ArrayBuffer(64), texts: Buffer.alloc(0) });
  const started = sandbox.start(first);
  say(ToEngine.CREATED, 0, {});
  await started;
  const taken = Promise.withResolvers<void>();
  const running = sandbox.run(() => taken.promise);
  say(ToEngine.PARTIAL, 1, PIECE);
  sandbox.moveTo(second);
  taken.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(second.kinds).toEqual([ToHost.CREATE, ToHost.RUN]);
  say(ToEngine.PARTIAL, 1, PIECE);
  await new Promise((resolve) => setImmediate(resolve));
  expect(second.kinds).toEqual([ToHost.CREATE, ToHost.RUN, ToHost.ANSWER]);
  sandbox.terminate({ code: 'sandbox.stopped', reason: 'the end' });
  expect(await running).toEqual({ code: 'sandbox.stopped', reason: 'the end', row: -1 });
});
