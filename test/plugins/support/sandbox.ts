/**
 * Runs a plugin in a context of its own with the functions that scripts see, one message at a time. Of the sandbox's limits it has that of the
 * output only; it is here to test what plugins do, exactly and fast.
 */
import { readFileSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { readMeta } from '../../../engine/plugins/meta.ts';
import { startParameters } from '../../../engine/plugins/parameters.ts';
import type { PluginScript } from '../../../engine/plugins/types.ts';
import { DEFAULT_LIMITS } from '../../../engine/sandbox/contract/types.ts';
import { formatNumber } from '../../../plugins/base/number_format.ts';
import { plainMessage, type Field, type PlainMessage, type Value } from './message.ts';
import { loadModule } from './modules.ts';

export const PLUGINS = resolve(import.meta.dirname, '../../../plugins');

/** Result of a call of the script. `rc` 1: it raised an error. */
export interface Outcome {
  rc: number;
  reason: string;
  injected: PlainMessage[];
}

export interface RunningPlugin {
  process(message: PlainMessage): Outcome;
  timer(ns: bigint): Outcome;
}

interface Script {
  process_message(): ProcessStatus;
  timer_event?(ns: number): void;
}

/** Texts before and behind a payload, so that a script that reads beyond its ends is noticed. */
const BEFORE = '1.2 "- [';
const BEHIND = '"\n7 "- [x] 12:00:00 +0100';

/** Meta of a plugin, also of one that does not start without parameters. */
export function metaOf(file: string): PluginMeta {
  const loaded = new Map<string, Record<string, unknown>>();
  const path = resolve(PLUGINS, file);
  try {
    loadModule(path, createContext({ read_config: () => null, message_writer: () => null }), loaded);
  } catch {
    // A parameter is missing; the meta stands before its use.
  }
  return loaded.get(path)?.['meta'] as PluginMeta;
}

const scripts = new Map<string, PluginScript>();

function scriptAt(path: string): PluginScript {
  let script = scripts.get(path);
  if (script === undefined) {
    script = { name: parse(path).name, path, meta: readMeta(readFileSync(path, 'utf8'), path, 'folder') };
    scripts.set(path, script);
  }
  return script;
}

/** The code units of a text as bytes; null: some are none. */
export const unitsOf = (text: string): Uint8Array | null => (/[^\0-\xff]/.test(text) ? null : Buffer.from(text, 'latin1'));

/** `compile_function` of the scripts' interface, without its limits; in a context of its own where none is given. */
export function compileFunction(
  parameters: readonly string[],
  body: string,
  scope: Readonly<Record<string, unknown>> = {},
  context = createContext(),
): unknown {
  const text = `(function (${Object.keys(scope).join()}) { 'use strict'; return function (${parameters.join()}) { ${body} } })`;
  return (runInContext(text, context) as (...values: unknown[]) => unknown)(...Object.values(scope));
}

/**
 * Starts `decoders/x.ts` or another file below plugins/ with these parameters, checked and completed as the engine does. Raises what the script
 * raises at load.
 * @param hasUnits the code units of payloads are at hand, where they are bytes
 */
export function startPlugin(file: string, given: Record<string, Value> = {}, hasUnits = true): RunningPlugin {
  const path = resolve(PLUGINS, file);
  const config = startParameters(scriptAt(path), given);
  let current: PlainMessage | null = null;
  let injected: PlainMessage[] = [];
  let buffer = '';
  let nextField = 0;

  const api = {
    read_config: (name: string) => (Object.hasOwn(config, name) ? config[name] : null),
    read_message: (name: string, field = 0, index = 0) => (current === null ? null : readMessage(current, name, field, index)),
    read_integer: (name: string, field = 0, index = 0) => (current === null ? null : readInteger(current, name, field, index)),
    read_next_field: () => {
      const field = current?.Fields[nextField++];
      if (field === undefined) return [null, null, null, null, null];
      return [typeOf(field), field.name, scriptValue(field, 0), field.representation ?? '', field.value.length];
    },
    add_to_payload: (...parts: PayloadPart[]) => {
      buffer += parts.map(textOf).join('');
    },
    inject_payload: (type = 'txt', name = '', ...parts: PayloadPart[]) => {
      const payload = buffer + parts.map(textOf).join('');
      if (Buffer.byteLength(payload) >= DEFAULT_LIMITS.output) throw new ContextRangeError('exceeded output_limit');
      buffer = '';
      if (payload === '') return;
      const fields = { payload_type: { value: type, representation: 'file-extension' }, payload_name: name };
      injected.push(plainMessage({ Payload: payload, Fields: fields }));
    },
    inject_message: (message: InjectMessage) => {
      injected.push(plainMessage(message));
    },
    payload_span: () => {
      const payload = current?.Payload ?? '';
      const text = BEFORE + payload + BEHIND;
      return { text, start: BEFORE.length, end: BEFORE.length + payload.length, units: hasUnits ? unitsOf(text) : null };
    },
    compile_function: (parameters: readonly string[], body: string, scope?: Readonly<Record<string, unknown>>) =>
      compileFunction(parameters, body, scope, context),
    message_writer: (columns: readonly WriterColumn[]) =>
      messageWriter(
        columns,
        () => BEFORE + (current?.Payload ?? '') + BEHIND,
        (message) => injected.push(message),
      ),
  };

  const context = createContext(api);
  const ContextRangeError = runInContext('RangeError', context) as RangeErrorConstructor;
  const script = loadModule(path, context) as unknown as Script;

  const call = (run: () => ProcessStatus): Outcome => {
    injected = [];
    nextField = 0;
    try {
      const status = run();
      const [rc, reason] = typeof status === 'number' ? [status, ''] : [status[0], status[1] ?? ''];
      return { rc, reason, injected };
    } catch (error) {
      return { rc: 1, reason: String(error), injected };
    } finally {
      current = null;
    }
  };

  return {
    process: (message) => {
      current = message;
      return call(() => script.process_message());
    },
    timer: (ns) =>
      call(() => {
        script.timer_event?.(Number(ns));
        return 0;
      }),
  };
}

function readMessage(message: PlainMessage, name: string, index: number, item: number): Value | Uint8Array | null {
  const field = /^Fields\[(.*)\]$/.exec(name);
  if (field) {
    const found = message.Fields.filter((candidate) => candidate.name === field[1])[index];
    return found === undefined ? null : scriptValue(found, item);
  }
  if (name === 'Timestamp') return Number(message.Timestamp);
  if (name === 'Uuid') return UUID;
  if (name === 'Severity' || name === 'Pid') return message[name] ?? null;
  if (name === 'Type' || name === 'Logger' || name === 'Payload' || name === 'EnvVersion' || name === 'Hostname')
    return message[name] ?? '';
  return null;
}

function readInteger(message: PlainMessage, name: string, index: number, item: number): bigint | null {
  if (name === 'Timestamp') return message.Timestamp ?? null;
  const value = message.Fields.filter((candidate) => `Fields[${candidate.name}]` === name)[index]?.value[item];
  return typeof value === 'bigint' ? value : null;
}

const UUID = '0dd4a4a2-7c8a-4a0e-9d2f-6c0d6f2f7a10';
const BYTES = 1;

/** A value as scripts see it: bytes, which plain messages hold as text, are an array; null when they are empty. */
function scriptValue(field: Field, index: number): Value | Uint8Array | null {
  const value = field.value[index];
  if (typeof value === 'bigint') return Number(value);
  if (typeOf(field) !== BYTES || typeof value !== 'string') return value ?? null;
  return value === '' ? null : new Uint8Array(Buffer.from(value));
}

function typeOf({ value_type, value }: Field): number {
  return value_type ?? { string: 0, bigint: 2, number: 3, boolean: 4 }[typeof value[0] as Kind];
}

function textOf(part: PayloadPart): string {
  if (typeof part === 'number') return formatNumber(part);
  if (part === null || part === undefined) return 'nil';
  return typeof part === 'object' ? part.toPayload() : String(part);
}

type Kind = 'string' | 'number' | 'bigint' | 'boolean';

const TYPES = { slice: 'string', text: 'string', number: 'number', integer: 'bigint', bool: 'boolean' } as const;

function messageWriter(given: readonly WriterColumn[], text: () => string, inject: (message: PlainMessage) => void): MessageWriter {
  const columns = [...given];
  let message: PlainMessage = { Fields: [] };
  let fields = new Map<WriterColumn, Field>();
  const set = (column: number, kind: Kind, value: readonly (Value | bigint)[]): void => {
    const declared = columns[column];
    if (declared === undefined || TYPES[declared.kind] !== kind) throw new TypeError(`column ${column} is ${declared?.kind}, not ${kind}`);
    const field: Field = { name: declared.name, value: [...value] };
    if (declared.representation !== undefined) field.representation = declared.representation;
    fields.set(declared, field);
  };
  const forget = (): void => {
    message = { Fields: [] };
    fields = new Map();
  };
  return {
    slice: (column, start, end) => set(column, 'string', [text().slice(start, end)]),
    text: (column, value) => set(column, 'string', [value]),
    number: (column, value) => set(column, 'number', [value]),
    integer: (column, value) => set(column, 'bigint', [value]),
    bool: (column, value) => set(column, 'boolean', [value]),
    list: (column, values) => set(column, typeof values[0] as Kind, values),
    addColumn: (column, at = columns.length) => void columns.splice(at, 0, column),
    timestamp: (ns) => void (message.Timestamp = BigInt(typeof ns === 'number' ? Math.trunc(ns) : ns)),
    type: (value) => void (message.Type = value),
    payload: (value) => void (message.Payload = value),
    payloadSlice: (start, end) => void (message.Payload = text().slice(start, end)),
    logger: (value) => void (message.Logger = value),
    hostname: (value) => void (message.Hostname = value),
    severity: (value) => void (message.Severity = value),
    pid: (value) => void (message.Pid = value),
    inject: () => {
      inject({ ...message, Fields: columns.flatMap((column) => fields.get(column) ?? []) });
      forget();
    },
    discard: forget,
  };
}
