import type { Field, PlainMessage, Value } from './message.ts';
import { startPlugin, type RunningPlugin } from './sandbox.ts';

/** When messages are read in these tests: 2021-03-05T14:00:00Z. */
export const READ_AT = 1_614_952_800_000_000_000n;

/** A message with its fields by name: `value`, or `[value, representation]`; arrays stay arrays. */
export type Decoded = Record<string, unknown>;

/** A decoder as a function from records to messages; a refused record becomes the reason, as `refused: …`. */
export function decoder(name: string, config: Record<string, Value> = {}): (payload: string, fields?: Field[]) => Decoded | string {
  const plugin = startPlugin(`decoders/${name}.ts`, config);
  return (payload, fields = []) => decodeWith(plugin, payload, fields);
}

export function decodeWith(plugin: RunningPlugin, payload: string, fields: Field[] = []): Decoded | string {
  const { rc, reason, injected } = plugin.process({ Timestamp: READ_AT, Payload: payload, Fields: fields });
  if (rc === -1 && injected.length === 0) return `refused: ${reason}`;
  if (rc !== 0) return `rc ${rc}: ${reason}`;
  return injected.length === 0 ? 'passed on' : plain(injected[0] as PlainMessage);
}

/** All messages that a decoder makes of a record. */
export function decodeAll(plugin: RunningPlugin, payload: string): Decoded[] {
  return plugin.process({ Timestamp: READ_AT, Payload: payload, Fields: [] }).injected.map((message) => plain(message));
}

function plain({ Timestamp, Fields, ...headers }: PlainMessage): Decoded {
  const result: Decoded = { ...headers };
  if (Timestamp !== undefined) result['Timestamp'] = String(Timestamp);
  for (const { name, value, representation } of Fields) {
    const single = value.length === 1 ? value[0] : value;
    const shown = representation === undefined ? single : [single, representation];
    result[name] = Object.hasOwn(result, name) ? { first: result[name], then: shown } : shown;
  }
  return result;
}
