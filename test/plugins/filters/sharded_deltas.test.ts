/** A graph over all messages, and graphs over parts of them whose changes are merged: they are the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CircularBuffer } from '../../../plugins/modules/circular_buffer.ts';
import { plainMessage } from '../support/message.ts';
import { parseGraph } from '../support/payloads.ts';
import { startPlugin, type RunningPlugin } from '../support/sandbox.ts';

const SHARDS = 3;
const ROWS = 5;
const SECONDS = 60;
const BEGIN = 1_400_000_400;
const NS_PER_SECOND = 1_000_000_000n;

/** Events in one of the parts: a count, a smallest and a largest value; or their changes are sent. */
const events = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ shard: fc.nat(SHARDS - 1), second: fc.nat(ROWS * SECONDS * 2), value: fc.integer({ min: 0, max: 500 }) }),
    },
    { weight: 1, arbitrary: fc.record({ sends: fc.nat(SHARDS - 1) }) },
  ),
  { maxLength: 120 },
);

function graph(): CircularBuffer {
  const made = new CircularBuffer(ROWS, 3, SECONDS, true);
  made.set_header(1, 'Requests', 'count', 'sum');
  made.set_header(2, 'Least', 'ms', 'min');
  made.set_header(3, 'Most', 'ms', 'max');
  return made;
}

function count(to: CircularBuffer, second: number, value: number): void {
  const ns = BigInt(BEGIN + second) * NS_PER_SECOND;
  to.add(ns, 1, 1 + (value % 4));
  to.set(ns, 2, value);
  to.set(ns, 3, value);
}

function send(from: CircularBuffer, host: string, to: RunningPlugin): void {
  const Payload = from.format('cbufd').toPayload();
  if (!/\n\d/.test(Payload)) return;
  const message = plainMessage({ Hostname: host, Timestamp: BEGIN * 1e9, Payload, Fields: { payload_type: 'cbufd', payload_name: 'G' } });
  expect(to.process(message)).toMatchObject({ rc: 0 });
}

const rowsOf = (payload: string): readonly (readonly string[])[] => parseGraph(payload).rows;

/** The graphs of a tick. */
const payloadsOf = (plugin: RunningPlugin): string[] =>
  plugin.timer(BigInt(BEGIN) * NS_PER_SECOND).injected.map(({ Payload = '' }) => Payload);

test('the sum, the smallest and the largest are those of one graph over all', () => {
  fc.assert(
    fc.property(events, (list) => {
      const whole = graph();
      const shards = Array.from({ length: SHARDS }, graph);
      const aggregated = startPlugin('filters/cbufd_aggregator.ts');
      // The window of all must not move ahead of a part that still has changes of older rows: nobody is late by more than the window.
      const isLate = newestSeen();
      for (const event of list) {
        if ('sends' in event) send(shards[event.sends] as CircularBuffer, `h${event.sends}`, aggregated);
        else if (!isLate(event.second)) {
          count(whole, event.second, event.value);
          count(shards[event.shard] as CircularBuffer, event.second, event.value);
        }
      }
      for (const [i, shard] of shards.entries()) send(shard, `h${i}`, aggregated);
      const [payload] = payloadsOf(aggregated);
      const expected = rowsOf(whole.format('cbuf').toPayload());
      if (payload === undefined) expect(expected.flat().every((cell) => cell === 'nan')).toBe(true);
      else expect(rowsOf(payload)).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test('each host has a column of what it counted, and together they are the graph over all', () => {
  fc.assert(
    fc.property(events, (list) => {
      const whole = graph();
      const shards = Array.from({ length: SHARDS }, graph);
      const byHost = startPlugin('filters/cbufd_host_aggregator.ts', { max_hosts: SHARDS, rows: ROWS, host_expiration: 1_000_000 });
      const isLate = newestSeen();
      for (const event of list) {
        if ('sends' in event) send(shards[event.sends] as CircularBuffer, `h${event.sends}`, byHost);
        else if (!isLate(event.second)) {
          count(whole, event.second, event.value);
          count(shards[event.shard] as CircularBuffer, event.second, event.value);
        }
      }
      for (const [i, shard] of shards.entries()) send(shard, `h${i}`, byHost);
      const [requests, least, most] = payloadsOf(byHost).map((payload) => rowsOf(payload));
      const expected = rowsOf(whole.format('cbuf').toPayload());
      if (requests === undefined || least === undefined || most === undefined) return;
      const merged = requests.map((row, i) => [
        joined(row, (sum, value) => sum + value),
        joined(least[i] ?? [], (a, b) => Math.min(a, b)),
        joined(most[i] ?? [], (a, b) => Math.max(a, b)),
      ]);
      expect(merged).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

/** Tells of a second whether its row is out of the window of what came before. */
function newestSeen(): (second: number) => boolean {
  let newest = 0;
  return (second) => {
    const row = Math.floor((BEGIN + second) / SECONDS);
    newest = Math.max(newest, row);
    return row <= newest - ROWS;
  };
}

function joined(cells: readonly string[], join: (a: number, b: number) => number): string {
  const values = cells.filter((cell) => cell !== 'nan').map(Number);
  return values.length === 0 ? 'nan' : String(values.reduce(join));
}
