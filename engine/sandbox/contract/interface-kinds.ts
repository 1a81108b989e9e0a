import type { SandboxKind } from './types.ts';

/** The functions of the scripts' interface that only some kinds of scripts have, with those kinds. */
const KINDS_OF: Readonly<Record<string, readonly SandboxKind[]>> = {
  read_message: ['decoder', 'filter', 'encoder', 'output'],
  read_integer: ['decoder', 'filter', 'encoder', 'output'],
  read_next_field: ['decoder', 'filter', 'encoder', 'output'],
  payload_span: ['decoder', 'filter', 'encoder', 'output'],
  add_to_payload: ['decoder', 'filter', 'encoder'],
  inject_payload: ['decoder', 'filter', 'encoder'],
  inject_message: ['input', 'decoder', 'filter', 'encoder'],
  write_message: ['decoder', 'encoder'],
  message_writer: ['decoder'],
  write_output: ['output'],
  read_input: ['input'],
  read_bytes: ['input'],
  input_source: ['input'],
};

/** Names of the functions that not all kinds have. */
export const LIMITED_FUNCTIONS: readonly string[] = Object.keys(KINDS_OF);

export const hasFunction = (kind: SandboxKind, name: string): boolean => KINDS_OF[name]?.includes(kind) ?? true;

/**
 * Completes the words of V8 for a call of a function that a script of this kind does not have: `ReferenceError: write_message is not defined`
 * gets ` (write_message is for decoders and encoders only)` behind it.
 */
export function withKinds(said: string, kind: SandboxKind): string {
  const [, name = ''] = /^ReferenceError: (\w+) is not defined$/.exec(said) ?? [];
  if (!Object.hasOwn(KINDS_OF, name) || hasFunction(kind, name)) return said;
  const kinds = (KINDS_OF[name] as readonly SandboxKind[]).map((each) => `${each}s`);
  const list = kinds.length === 1 ? kinds.join('') : `${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1) ?? ''}`;
  return `${said} (${name} is for ${list} only)`;
}
