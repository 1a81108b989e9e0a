import type { Field, PlainMessage, Value } from './message.ts';
import type { RunningPlugin } from './sandbox.ts';

const S = 1_000_000_000n;

export function message(seconds: number, fields: Record<string, Value | Value[]>, headers: Partial<PlainMessage> = {}): PlainMessage {
  const Fields: Field[] = Object.entries(fields).map(([name, value]) => ({ name, value: Array.isArray(value) ? value : [value] }));
  return { Timestamp: BigInt(seconds) * S, Fields, ...headers };
}

/** Messages that a tick injects: payload type, payload name, payload. */
export function tick(plugin: RunningPlugin, seconds = 0): [type: unknown, name: unknown, payload: string][] {
  return plugin.timer(BigInt(seconds) * S).injected.map(({ Payload = '', Fields }) => [Fields[0]?.value[0], Fields[1]?.value[0], Payload]);
}

/** The rows of a graph without what stands before them. */
export function rowsOf(payload: string): string[] {
  const lines = payload.trimEnd().split('\n');
  return lines.slice(lines.findLastIndex((line) => line.startsWith('{')) + 1);
}
