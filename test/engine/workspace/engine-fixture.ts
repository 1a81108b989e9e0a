import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { INPUTS } from '../../../engine/workspace/sources/inputs.ts';
import { EngineServer } from '../../../engine/workspace/server.ts';
import type { EngineEvents, EngineRequests, RequestName, SourceInfo } from '../../../engine/api/types.ts';
import type { Demand, FromEngine, GrantUse } from '../../../engine/api/wire.ts';
import { Questions } from '../../../engine/workspace/questions.ts';
import { Workspace } from '../../../engine/workspace/workspace.ts';
import type { Sandboxes } from '../../../engine/plugins/starter.ts';
import { FakeSandboxes } from './fake-sandboxes.ts';

/** An engine as the shell sees it, without the processes. */
export class Engine {
  readonly folder: string;
  readonly events: { name: keyof EngineEvents; data: unknown; at: number }[] = [];
  readonly workspace: Workspace;
  readonly #server: EngineServer;
  /** The demands that were asked for, and whether they are confirmed. */
  readonly asked: Demand[] = [];
  confirms: (demand: Demand) => boolean = () => true;
  /** Answers come after this. */
  waits: Promise<unknown> = Promise.resolve();
  readonly #replies = new Map<number, FromEngine & { kind: 'reply' }>();
  #nextId = 1;
  stopped = false;

  constructor(folder = mkdtempSync(join(tmpdir(), 'sluicebox-api-')), sandboxes: Sandboxes = new FakeSandboxes()) {
    this.folder = folder;
    const emit = (name: keyof EngineEvents, data: unknown): void => void this.events.push({ name, data, at: performance.now() });
    const post = (message: FromEngine): void => {
      if (message.kind === 'reply') this.#replies.set(message.id, message);
      if (message.kind === 'ask') void this.#answer(message);
    };
    const questions = new Questions(post);
    const ask = (demands: readonly Demand[]): Promise<readonly string[]> => questions.ask(demands);
    this.workspace = new Workspace({ folder: this.folder, sandboxes, inputs: INPUTS, ask, emit });
    this.#server = new EngineServer(this.workspace, questions, post, () => (this.stopped = true));
  }

  async ask<N extends RequestName>(name: N, input: EngineRequests[N]['in']): Promise<EngineRequests[N]['out']> {
    const id = this.#nextId++;
    await this.#server.receive({ kind: 'request', id, name, input });
    const reply = this.#replies.get(id);
    if (!reply) throw new Error('no reply');
    if (!reply.ok) throw Object.assign(new Error(reply.error.text), { code: reply.error.code });
    return reply.value;
  }

  stop = (): Promise<void> => this.#server.receive({ kind: 'stop' });

  /** Someone chose a file in a dialog. */
  grant = (path: string, use: GrantUse = 'export'): Promise<void> => this.#server.receive({ kind: 'grant', use, path });

  /** Answers as the shell does. */
  async #answer({ id, demands }: FromEngine & { kind: 'ask' }): Promise<void> {
    this.asked.push(...demands);
    await this.waits;
    const allowed = demands.filter((demand) => this.confirms(demand)).map(({ key }) => key);
    await this.#server.receive({ kind: 'answer', id, allowed });
  }

  /** The window shows a new page. */
  newPage = (): Promise<void> => this.#server.receive({ kind: 'page' });

  file(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  async open(path: string): Promise<number> {
    await this.grant(path, 'open');
    const { opened } = await this.ask('source.open', { paths: [path] });
    return opened[0] as number;
  }

  source = async (id: number): Promise<SourceInfo | undefined> =>
    (await this.ask('engine.state', {})).sources.find((source) => source.id === id);

  async settled(id: number): Promise<void> {
    await expect.poll(async () => (await this.source(id))?.state, { interval: 5 }).toMatch(/following|failed/);
  }

  async rows(query: EngineRequests['view.open']['in']['query'] = {}, columns: string[] = []): Promise<EngineRequests['view.rows']['out']> {
    const { view } = await this.ask('view.open', { query });
    await expect.poll(async () => this.workspace.views.get(view).complete).toBe(true);
    const rows = await this.ask('view.rows', { view, start: 0, count: 1000, columns });
    await this.ask('view.close', { view });
    return rows;
  }
}
