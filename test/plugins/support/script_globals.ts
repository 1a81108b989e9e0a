/** The functions that scripts see, for tests of what is imported rather than run in a context. */
import type { Value } from './message.ts';

/** A writer that notes its calls, each with the name of its method. */
export function notingWriter(): { readonly writer: MessageWriter; readonly calls: unknown[][] } {
  const calls: unknown[][] = [];
  const note =
    (_: object, name: string) =>
    (...values: unknown[]) =>
      calls.push([name, ...values]);
  return { writer: new Proxy({}, { get: note }) as MessageWriter, calls };
}

export interface Surroundings {
  readonly config?: Readonly<Record<string, Value>>;
  /** The current message by its variables, `Hostname` or `Fields[name]`. */
  readonly message?: Readonly<Record<string, Value | bigint>>;
}

/** Sets the parameters and the message that scripts read. Returns what they output from now on. */
export function surround({ config = {}, message = {} }: Surroundings = {}): unknown[][] {
  const outputs: unknown[][] = [];
  const own = <T>(table: Readonly<Record<string, T>>, name: string): T | null => (Object.hasOwn(table, name) ? (table[name] as T) : null);
  Object.assign(globalThis, {
    read_config: (name: string) => own(config, name),
    read_message: (name: string) => {
      const value = own(message, name);
      return typeof value === 'bigint' ? Number(value) : value;
    },
    read_integer: (name: string) => {
      const value = own(message, name);
      return typeof value === 'bigint' ? value : null;
    },
    inject_payload: (...parts: unknown[]) => outputs.push(parts),
    message_writer: () => notingWriter().writer,
  });
  return outputs;
}
