import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type * as AlertModule from '../../../plugins/modules/alert.ts';

const S = 1e9;

describe('alerts', () => {
  const T0 = 1_400_000_000 * S;

  /** A fresh module, and what it injects. */
  async function alerts(): Promise<{ alert: typeof AlertModule; sent: unknown[][] }> {
    const sent: unknown[][] = [];
    vi.stubGlobal('inject_payload', (...args: unknown[]) => sent.push(args));
    const file = `../../../plugins/modules/alert.ts?${randomUUID()}`;
    return { alert: (await import(file)) as typeof AlertModule, sent };
  }

  test('one an hour', async () => {
    const { alert, sent } = await alerts();
    expect(alert.send(T0, 'a')).toBe(true);
    expect(alert.send(T0 + 3600 * S, 'b')).toBe(false);
    expect(alert.send(T0 + 3600.001 * S, 'c')).toBe(true);
    expect(alert.send(0, 'd')).toBe(true);
    expect(globalThis._LAST_ALERT).toBe(T0 + 3600.001 * S);
    expect(alert.send(T0, 'older')).toBe(false);
    expect(alert.queue(T0 + 7200 * S, 'e')).toBe(false);
    expect([alert.queue(T0 + 8000 * S, 'f'), alert.queue(T0 + 8000 * S, 'g'), alert.send_queue(T0 + 8000 * S)]).toEqual([true, true, true]);
    expect(alert.send_queue(T0 + 20_000 * S)).toBe(false);
    expect([alert.send(T0 + 20_000 * S, ''), alert.send(T0 + 20_000 * S, null), alert.queue(T0 + 20_000 * S, undefined)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(sent).toEqual(['a', 'c', 'd', 'f\ng'].map((text) => ['alert', '', text]));
  });

  test('a throttled queue is lost', async () => {
    const { alert, sent } = await alerts();
    alert.set_throttle(0);
    expect(alert.queue(T0, 'a')).toBe(true);
    expect(alert.send(T0, 'b')).toBe(true);
    expect([alert.throttled(T0), alert.throttled(T0 + 256), alert.throttled(0)]).toEqual([true, false, false]);
    expect(alert.send_queue(T0)).toBe(false);
    expect(alert.send_queue(T0 + S)).toBe(false);
    expect(sent).toEqual([['alert', '', 'b']]);
  });

  test('too many in the queue', async () => {
    const { alert, sent } = await alerts();
    for (let i = 0; i < 2000; i++) alert.queue(0, `${i} ${'x'.repeat(95)}`);
    expect(alert.send_queue(0)).toBe(true);
    const lines = String(sent[0]?.[2]).split('\n');
    expect([lines.length > 500, lines.length < 620, lines[0]?.slice(0, 3)]).toEqual([true, true, '0 x']);
    alert.queue(0, 'x'.repeat(70_000));
    expect(alert.send_queue(0)).toBe(false);
  });

  test('of a kind are throttled by themselves', async () => {
    const { alert, sent } = await alerts();
    expect([alert.send(T0, 'a', 'A'), alert.send(T0 + S, 'again', 'A'), alert.send(T0 + S, 'b', 'B')]).toEqual([true, false, true]);
    expect([alert.throttled(T0 + 3600 * S, 'A'), alert.throttled(T0 + 3600 * S + 256, 'A')]).toEqual([true, false]);
    expect([alert.throttled(T0 + S, 'C'), alert.throttled(T0 + S)]).toEqual([false, false]);
    expect(globalThis._LAST_ALERT).toBe(0);
    expect([alert.send(T0 + 2 * S, 'plain'), alert.send(T0 + 2 * S, 'c', 'C'), alert.send(T0 + 3 * S, 'plain')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([alert.send(0, 'any', 'A'), alert.send(T0, 'older', 'C'), alert.send(T0, '', 'D')]).toEqual([true, false, false]);
    expect([alert.send(T0 + 4 * S, 'no name', ''), alert.send(T0 + 5 * S, 'no name', '')]).toEqual([true, false]);
    expect([alert.send(T0 + 4 * S, 'plain', null), alert.throttled(T0 + 4 * S, undefined)]).toEqual([false, true]);
    expect(sent.map(([, , text]) => text)).toEqual(['a', 'b', 'plain', 'c', 'any', 'no name']);
  });

  test('of several kinds are sent together', async () => {
    const { alert, sent } = await alerts();
    expect([alert.queue(T0, 'a', 'A'), alert.queue(T0, 'b', 'B'), alert.send_queue(T0)]).toEqual([true, true, true]);
    expect([alert.queue(T0 + S, 'a', 'A'), alert.queue(T0 + S, 'c', 'C'), alert.queue(T0 + S, 'plain')]).toEqual([false, true, true]);
    expect([alert.send_queue(T0 + S), globalThis._LAST_ALERT]).toEqual([true, T0 + S]);
    expect([alert.throttled(T0 + S, 'A'), alert.throttled(T0 + S, 'B'), alert.throttled(T0 + S, 'C')]).toEqual([true, true, true]);
    // An alert that was sent after another was queued holds back only alerts of its own kind.
    expect([alert.queue(T0 + 4000 * S, 'a', 'A'), alert.queue(T0 + 4000 * S, 'b', 'B'), alert.send(T0 + 4000 * S, 'first', 'A')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([alert.send_queue(T0 + 4001 * S), alert.send_queue(T0 + 9000 * S)]).toEqual([true, false]);
    expect(sent.map(([, , text]) => text)).toEqual(['a\nb', 'c\nplain', 'first', 'b']);
  });

  test('that find no room among the others of a queue are not throttled', async () => {
    const { alert, sent } = await alerts();
    for (const kind of ['A', 'B', 'C']) alert.queue(T0, kind.repeat(25_000), kind);
    expect(alert.send_queue(T0)).toBe(true);
    expect(String(sent[0]?.[2])).toHaveLength(50_001);
    expect(['A', 'B', 'C'].map((kind) => alert.throttled(T0, kind))).toEqual([true, true, false]);
  });

  test('of very many kinds leave the times of the newest', async () => {
    const { alert } = await alerts();
    for (let i = 0; i < 1500; i++) alert.send(T0 + (i === 0 ? 5000 : i) * S, 'x', `kind ${i}`);
    expect(globalThis._LAST_ALERTS.size).toBe(1000);
    expect([0, 500, 501, 1499].map((i) => alert.throttled(T0 + 5000 * S, `kind ${i}`))).toEqual([true, false, false, true]);
    expect([...globalThis._LAST_ALERTS.keys()]).not.toContain('kind 500');
    expect([...globalThis._LAST_ALERTS.keys()]).toContain('kind 501');
  });

  test('near 1970 are throttled', async () => {
    const { alert } = await alerts();
    expect([alert.send(3600 * S, 'a'), alert.send(3601 * S, 'a')]).toEqual([false, true]);
  });
});
