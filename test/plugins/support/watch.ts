import { expect } from 'vitest';
import { plainMessage } from './message.ts';
import type { RunningPlugin } from './sandbox.ts';

export function feed(plugin: RunningPlugin, second: number, message: InjectMessage): number {
  return plugin.process(plainMessage({ ...message, Timestamp: second * 1e9 })).rc;
}

/** The payloads of a tick by type. */
export function tick(plugin: RunningPlugin, second: number): Record<string, string> {
  const { rc, reason, injected } = plugin.timer(BigInt(second) * 1_000_000_000n);
  expect({ rc, reason }).toEqual({ rc: 0, reason: '' });
  return Object.fromEntries(injected.map(({ Payload, Fields }) => [String(Fields[0]?.value[0]), Payload ?? '']));
}

/** The rows of a table, without its header. */
export function table(payloads: Record<string, string>): string[] {
  return (payloads['tsv'] ?? '').split('\n').slice(1, -1);
}

/** Rows of the graph among the payloads. */
export function rows(payloads: Record<string, string>): string[] {
  return (payloads['cbuf'] ?? '').split('\n').slice(1, -1);
}
