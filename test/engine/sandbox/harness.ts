import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BatchBuilder } from '../../../engine/message/batch/builder.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import type { PreparedText } from '../../../engine/base/product/prepared.ts';
import { scriptCode } from '../../../engine/sandbox/ours/script-code.ts';
import { SandboxPool, type SandboxPoolOptions } from '../../../engine/sandbox/hosts/pool.ts';
import {
  DEFAULT_LIMITS,
  type ConfigValue,
  type Sandbox,
  type SandboxKind,
  type SandboxLimits,
  type SandboxResult,
  type SandboxSpec,
  type Sampling,
} from '../../../engine/sandbox/contract/types.ts';

export interface ScriptOptions {
  readonly name?: string;
  readonly kind?: SandboxKind;
  readonly config?: Readonly<Record<string, ConfigValue>>;
  readonly limits?: Partial<SandboxLimits>;
  readonly modules?: readonly string[];
  readonly preservation?: string;
  /** The extension of the script's file. */
  readonly extension?: string;
  readonly profile?: boolean;
  readonly sampling?: Sampling;
  readonly clock?: 'wall' | 'message';
  /** Whether an output has a target. */
  readonly writes?: boolean;
  /** Whether a decoder's records do not depend on each other. */
  readonly stateless?: boolean;
}

/** Reads a script of a test, which runs in this process as if it were our own. */
export const trusted = (path: string) => (): PreparedText => scriptCode(path, () => true);

/** A pool and a folder for scripts, both gone after `close`. */
export class SandboxBench {
  readonly pool: SandboxPool;
  readonly folder = mkdtempSync(join(tmpdir(), 'sluicebox-sandbox-'));

  constructor(options: SandboxPoolOptions = {}) {
    this.pool = new SandboxPool({ hosts: 1, ...options });
  }

  async close(): Promise<void> {
    await this.pool.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Writes a file into the bench's folder and returns its path. */
  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  start(source: string, options: ScriptOptions = {}): Promise<Sandbox> {
    return this.startFile(this.file(`${randomUUID()}${options.extension ?? '.js'}`, source), options);
  }

  startFile(script: string, options: ScriptOptions = {}): Promise<Sandbox> {
    return this.pool.createSandbox(this.specOf(script, options));
  }

  specOf(script: string, options: ScriptOptions = {}): SandboxSpec {
    const {
      name = 'test',
      kind = 'filter',
      config = {},
      limits = {},
      modules = [this.folder],
      preservation,
      profile,
      sampling,
      clock,
      writes,
      stateless,
    } = options;
    return {
      ...{ name, kind, script, modules, config, hostname: 'box1', pid: 42 },
      limits: { ...DEFAULT_LIMITS, ...limits },
      ...(preservation === undefined ? {} : { preservation }),
      ...(profile === undefined ? {} : { profile }),
      ...(clock === undefined ? {} : { clock }),
      ...(writes === undefined ? {} : { writes }),
      ...(stateless === undefined ? {} : { stateless }),
      ...(sampling === undefined ? {} : { sampling }),
    };
  }

  /** The values of expressions in a sandbox that processes a message; errors as `{ error }`. */
  async evaluate(kind: SandboxKind, input: Message, expressions: readonly string[], options: ScriptOptions = {}): Promise<unknown[]> {
    const sandbox = await this.start(evaluator(expressions), { ...options, kind });
    const result = await sandbox.process(batchOf([input]), null);
    await sandbox.stop();
    if (result.terminated !== null) throw new Error(result.terminated.reason);
    return JSON.parse(result.failures[0]?.reason ?? '[]') as unknown[];
  }
}

function evaluator(expressions: readonly string[]): string {
  const list = expressions.map((expression) => `() => (${expression})`).join(',\n');
  return `
    const plain = (v) => v === undefined ? 'undefined' : typeof v === 'bigint' ? v + 'n' : v instanceof Uint8Array ? { bytes: [...v] }
      : typeof v === 'number' && !Number.isFinite(v) ? String(v) : Array.isArray(v) ? v.map(plain)
      : v !== null && typeof v === 'object' ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, plain(x)])) : v;
    const attempt = (f) => { try { return plain(f()); } catch (error) { return { error: error.message }; } };
    function process_message() { return [-1, JSON.stringify([${list}].map(attempt))]; }`;
}

export const UUID = Uint8Array.from([0, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, 15]);

export function message(parts: Partial<Message> = {}): Message {
  return { uuid: UUID, timestamp: 1_000_000_000n, fields: [], ...parts };
}

/** A message that has only a payload. */
export const line = (payload: string): Message => message({ payload });

export const text = (name: string, ...values: string[]): Field => ({ name, valueType: 0, values });
export const number = (name: string, ...values: number[]): Field => ({ name, valueType: 3, values });

export function batchOf(messages: readonly Message[]): MessageBatch {
  const builder = new BatchBuilder();
  for (const one of messages) builder.append(one);
  return builder.build();
}

export function messagesOf(result: SandboxResult): Message[] {
  const { injected } = result;
  return injected === null ? [] : Array.from({ length: injected.length }, (_, row) => injected.message(row));
}

/** The result with its messages, without their uuid and timestamp, which differ from run to run. */
export function stable({ injected, ...rest }: SandboxResult): { readonly messages: Partial<Message>[] } & Omit<SandboxResult, 'injected'> {
  const messages = messagesOf({ injected, ...rest }).map(({ uuid: _uuid, timestamp: _timestamp, ...message }) => message);
  return { ...rest, messages };
}
