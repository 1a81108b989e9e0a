import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EngineEvents, EngineRequests, RequestName } from '../engine/api/types.ts';
import type { FromEngine } from '../engine/api/wire.ts';
import { folder, root } from './samples.ts';

/** An engine process, as the shell has it. */
export interface BenchEngine {
  readonly pid: number | undefined;
  request<N extends RequestName>(name: N, input: EngineRequests[N]['in']): Promise<EngineRequests[N]['out']>;
  /** Opens a file as one that somebody chose. */
  open(path: string): Promise<void>;
  /** Calls back at every event. */
  onEvent(listener: (name: keyof EngineEvents, data: unknown) => void): void;
  stop(): Promise<void>;
}

/** Starts an engine process; resolves when it answers. */
export async function startEngine(data: string): Promise<BenchEngine> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const child = fork(join(root, 'engine', 'index.ts'), [data], { serialization: 'advanced', env });
  const waiting = new Map<number, (reply: FromEngine & { kind: 'reply' }) => void>();
  let listener: (name: keyof EngineEvents, data: unknown) => void = () => undefined;
  let nextId = 1;
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  child.on('message', (message: FromEngine) => {
    if (message.kind === 'ready') isReady();
    else if (message.kind === 'event') listener(message.name, message.data);
    else if (message.kind === 'ask') child.send({ kind: 'answer', id: message.id, allowed: message.demands.map(({ key }) => key) });
    else waiting.get(message.id)?.(message);
  });
  const engine: BenchEngine = {
    pid: child.pid,
    async request(name, input) {
      const id = nextId++;
      const { promise, resolve } = Promise.withResolvers<FromEngine & { kind: 'reply' }>();
      waiting.set(id, resolve);
      child.send({ kind: 'request', id, name, input });
      const reply = await promise;
      waiting.delete(id);
      if (!reply.ok) throw new Error(reply.error.text);
      return reply.value;
    },
    async open(path) {
      child.send({ kind: 'grant', use: 'open', path });
      await engine.request('source.open', { paths: [path] });
    },
    onEvent(callback) {
      listener = callback;
    },
    async stop() {
      child.send({ kind: 'stop' });
      await once(child, 'exit');
    },
  };
  await ready;
  await engine.request('engine.state', {});
  return engine;
}
