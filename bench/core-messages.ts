import { batchOf } from '../engine/message/batch/builder.ts';
import type { MessageBatch } from '../engine/message/batch/batch.ts';
import type { Message } from '../engine/message/types.ts';

const PATHS = ['/', '/index.html', '/api/items?page=2', '/login', '/static/app.js', '/images/logo.png'];
const STATUS = [200, 200, 200, 200, 200, 304, 404, 500];

/** A decoded line of an access log: five headers and ten fields of all types. */
export function accessMessage(i: number): Message {
  const uuid = new Uint8Array(16).map((_, at) => (i * 31 + at * 7) & 255);
  return {
    uuid,
    timestamp: 1_795_168_800_000_000_000n + BigInt(i) * 1_000_000n,
    type: 'nginx.access',
    logger: 'edge',
    severity: 6,
    hostname: `edge${i % 3}.example.org`,
    payload: `192.0.2.${i % 250} - - [20/Nov/2026:10:00:00 +0000] "GET ${PATHS[i % 6] ?? ''} HTTP/1.1" ${STATUS[i % 8] ?? 0} 5120`,
    fields: [
      { name: 'remote_addr', valueType: 0, representation: 'ipv4', values: [`192.0.2.${i % 250}`] },
      { name: 'request', valueType: 0, values: [`GET ${PATHS[i % 6] ?? ''} HTTP/1.1`] },
      { name: 'status', valueType: 3, values: [STATUS[i % 8] ?? 0] },
      { name: 'body_bytes_sent', valueType: 3, representation: 'B', values: [(i * 7919) % 65_536] },
      { name: 'request_time', valueType: 3, representation: 's', values: [(i % 1000) / 1000] },
      { name: 'connection', valueType: 2, values: [BigInt(i) * 1000n] },
      { name: 'sizes', valueType: 2, representation: 'B', values: [BigInt(i), 300n, 70_000n] },
      { name: 'user_agent', valueType: 0, values: ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'] },
      { name: 'cached', valueType: 4, values: [i % 2 === 0] },
      { name: 'digest', valueType: 1, values: [uuid] },
    ],
  };
}

export const ROWS = 4096;

export const accessBatch = (): MessageBatch => batchOf(Array.from({ length: ROWS }, (_, i) => accessMessage(i)));

const WARM_MS = 200;
const RUN_MS = 300;
const RUNS = 5;

/**
 * Measures the rate of a function: calls per second, as the median of several short runs.
 * @param each the number of units in one call
 */
export async function rate(work: () => unknown, each = 1): Promise<number> {
  const rates: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const started = performance.now();
    const end = started + (run === 0 ? WARM_MS : RUN_MS);
    let calls = 0;
    while (performance.now() < end) {
      const result = work();
      if (result instanceof Promise) await result;
      calls++;
    }
    if (run > 0) rates.push((calls * each * 1000) / (performance.now() - started));
  }
  return rates.sort((a, b) => a - b)[RUNS >> 1] as number;
}
