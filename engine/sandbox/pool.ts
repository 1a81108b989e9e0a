import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { availableParallelism } from 'node:os';
import { preludeCode } from './bundle.ts';
import { SandboxHostError, SandboxLoadError } from './errors.ts';
import type { Frame } from './frames.ts';
import { hostCommand } from './host-command.ts';
import { HostProcess, type HostCrash } from './host-process.ts';
import { readState, type SavedScript } from './preservation.ts';
import { SAVE_MS } from './protocol.ts';
import { RemoteSandbox } from './remote-sandbox.ts';
import { ScriptSources } from './sources.ts';
import type { InputSandbox, Sandbox, SandboxSpec } from './types.ts';

export interface SandboxPoolOptions {
  /** How many host processes there are; by default one for each core, at least 1 and at most 4. */
  readonly hosts?: number;
  /** How long a host may take to end a call or itself, beyond what the call may take. */
  readonly graceMs?: number;
  /** How long a host may take to start. */
  readonly startMs?: number;
  /** Bytes of memory with which a host is killed while it serves a call; 2 GiB when it is left out. */
  readonly maxHostBytes?: number;
  /** Further folders that the imports of scripts may lead to. */
  readonly sharedFolders?: readonly string[];
  readonly onHostCrash?: (crash: HostCrash) => void;
}

interface Slot {
  host: HostProcess;
  readonly boxes: Map<number, RemoteSandbox>;
  /** For one sandbox alone. */
  readonly single: boolean;
  /** Crashes in a row without any answer in between. */
  crashes: number;
}

/** A host that dies this often without doing anything is given up. */
const MAX_CRASHES = 5;
const DEFAULT_GRACE_MS = 2_000;
const DEFAULT_START_MS = 20_000;
const DEFAULT_HOST_BYTES = 2 ** 31;

/** The scripts that come with the product; what lies there may import what lies there. */
const BUNDLED_PLUGINS = fileURLToPath(new URL('../../plugins/', import.meta.url));

/** Starts sandboxes and spreads them over host processes, which it starts when the first sandbox needs them and replaces when they die. */
export class SandboxPool {
  readonly #options: SandboxPoolOptions;
  readonly #size: number;
  readonly #slots: Slot[] = [];
  #prelude: string | null = null;
  #nextBox = 1;
  #closed = false;

  constructor(options: SandboxPoolOptions = {}) {
    this.#options = options;
    this.#size = Math.max(1, options.hosts ?? Math.min(4, availableParallelism()));
  }

  /** Process numbers of the hosts that are running. */
  get hostPids(): number[] {
    return this.#slots.flatMap(({ host }) => (host.pid === undefined || host.ended ? [] : [host.pid]));
  }

  /**
   * Starts a sandbox. Resolves when its top level has run. A script that does not load is a SandboxLoadError, a host that does not start a
   * SandboxHostError.
   */
  async createSandbox(spec: SandboxSpec): Promise<Sandbox> {
    return this.#create(spec, () => this.#slotFor());
  }

  /** Starts a SandboxInput, on a host of its own: it may be at work for as long as it likes. Errors as with `createSandbox`. */
  async createInput(spec: SandboxSpec): Promise<InputSandbox> {
    return this.#create(spec, () => this.#newSlot(true));
  }

  async #create(spec: SandboxSpec, place: () => Slot): Promise<RemoteSandbox> {
    if (this.#closed) throw new SandboxHostError('the sandbox pool is closed');
    const sources = new ScriptSources(spec.script, spec.modules, this.#sharedFolders(spec));
    const state = await stateOf(spec);
    const slot = place();
    const onEnd = (ended: RemoteSandbox): void => {
      slot.boxes.delete(ended.id);
      if (slot.single) this.#close(slot);
    };
    const sandbox = new RemoteSandbox({ id: this.#nextBox++, spec, sources, state, onEnd });
    slot.boxes.set(sandbox.id, sandbox);
    await sandbox.start(slot.host);
    return sandbox;
  }

  /** Starts the hosts before the first sandbox is wanted. */
  warm(): void {
    while (!this.#closed && this.#shared.length < this.#size) this.#newSlot(false);
  }

  get #shared(): Slot[] {
    return this.#slots.filter(({ single }) => !single);
  }

  /** Lets go of a host that nobody needs any more. */
  #close(slot: Slot): void {
    const at = this.#slots.indexOf(slot);
    if (at < 0 || this.#closed) return;
    this.#slots.splice(at, 1);
    void slot.host.stop(this.#options.graceMs ?? DEFAULT_GRACE_MS);
  }

  /** Stops all sandboxes and hosts. */
  async close(): Promise<void> {
    this.#closed = true;
    const graceMs = this.#options.graceMs ?? DEFAULT_GRACE_MS;
    await Promise.all(
      this.#slots.map(async ({ host, boxes }) => {
        const stopping = [...boxes.values()].map((sandbox) => sandbox.stop());
        await Promise.race([Promise.all(stopping), new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
        await host.stop(graceMs);
        for (const sandbox of boxes.values()) sandbox.terminate('the sandbox host was stopped');
      }),
    );
  }

  #sharedFolders(spec: SandboxSpec): readonly string[] {
    const shared = this.#options.sharedFolders ?? [];
    return dirname(spec.script).startsWith(BUNDLED_PLUGINS.slice(0, -1)) ? [...shared, BUNDLED_PLUGINS] : shared;
  }

  /** Sandboxes go where the fewest decoders are, which have the most to do; ties go to the host with fewer sandboxes. */
  #slotFor(): Slot {
    this.warm();
    const load = ({ boxes }: Slot): number => [...boxes.values()].filter(({ spec }) => spec.kind === 'decoder').length * 1000 + boxes.size;
    return this.#shared.reduce((best, slot) => (load(slot) < load(best) ? slot : best));
  }

  #newSlot(single: boolean): Slot {
    const boxes = new Map<number, RemoteSandbox>();
    const slot: Slot = { host: undefined as unknown as HostProcess, boxes, single, crashes: 0 };
    slot.host = this.#startHost(slot);
    this.#slots.push(slot);
    return slot;
  }

  #startHost(slot: Slot): HostProcess {
    const prelude = (): string => (this.#prelude ??= preludeCode());
    const grace = this.#options.graceMs ?? DEFAULT_GRACE_MS;
    const allowanceOf = (box: number, saving: boolean): number => {
      if (saving) return SAVE_MS + grace;
      const spec = slot.boxes.get(box)?.spec;
      return spec === undefined || spec.kind === 'input' || spec.limits.callMs === 0 ? Infinity : spec.limits.callMs + grace;
    };
    const { startMs = DEFAULT_START_MS, maxHostBytes = DEFAULT_HOST_BYTES } = this.#options;
    const host = new HostProcess(hostCommand(), { prelude, startMs, maxBytes: maxHostBytes, allowanceOf });
    host.on('frame', (frame) => {
      slot.crashes = 0;
      handOver(frame, slot.boxes.get(frame.box));
    });
    host.on('crash', (crash) => this.#replace(slot, crash));
    return host;
  }

  /** The sandbox that was running ends for good; the others go on at a new host. */
  #replace(slot: Slot, crash: HostCrash): void {
    this.#options.onHostCrash?.(crash);
    const culprit = slot.boxes.get(crash.running);
    culprit?.terminate(endReason(crash, culprit.spec));
    slot.crashes++;
    if (this.#closed || slot.crashes > MAX_CRASHES) {
      const said = crash.said === '' ? '' : `: ${crash.said.trim()}`;
      for (const sandbox of [...slot.boxes.values()]) sandbox.terminate(`the sandbox host ended${said}`);
      this.#slots.splice(this.#slots.indexOf(slot), 1);
      return;
    }
    if (slot.single && slot.boxes.size === 0) return;
    slot.host = this.#startHost(slot);
    for (const sandbox of [...slot.boxes.values()]) sandbox.moveTo(slot.host);
  }
}

/** A frame that a sandbox cannot take is the end of that sandbox, not of its neighbours. */
function handOver(frame: Frame, sandbox: RemoteSandbox | undefined): void {
  try {
    sandbox?.receive(frame);
  } catch (error) {
    sandbox?.terminate(`its host sent what no host sends: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function stateOf(spec: SandboxSpec): Promise<SavedScript | null> {
  if (spec.preservation === undefined) return null;
  try {
    return await readState(spec.preservation);
  } catch (error) {
    throw new SandboxLoadError(spec.name, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function endReason(crash: HostCrash, spec: SandboxSpec): string {
  if (crash.killed === 'overdue') return `exceeded the time limit of ${spec.limits.callMs} ms`;
  if (crash.killed === 'heavy') return `exceeded memory_limit of ${spec.limits.memory}`;
  return `the sandbox brought its host down (${crash.signal ?? `exit code ${crash.code}`}); most likely it exceeded memory_limit of ${spec.limits.memory}`;
}
