import { logsRequest, readRequest, type Encoding, type Signal } from '../../../engine/otlp/request.ts';
import { checkBatch } from '../../../engine/message/check.ts';
import { messagesOf } from '../../../engine/message/batch/row-index.ts';
import type { Message } from '../../../engine/message/types.ts';
import { shapeOf, type Target } from '../campaign.ts';

const LIMITS = { records: 64, bytes: 65_536 };

const message: Message = {
  uuid: new Uint8Array(16),
  timestamp: 5n,
  payload: 'text',
  hostname: 'web1',
  fields: [
    { name: 'trace_id', valueType: 0, values: ['0af7651916cd43dd8448eb211c80319c'] },
    { name: 'n', valueType: 2, values: [1n, 2n] },
    { name: 'b', valueType: 1, values: [new Uint8Array([1])] },
    { name: 'm', valueType: 0, representation: 'json', values: ['[1,{"a":1.5}]'] },
  ],
};
const logs = JSON.stringify({
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'host.name', value: { stringValue: 'a' } }] },
      scopeLogs: [{ scope: { name: 'x' }, logRecords: [{ timeUnixNano: '5', traceId: '0af7', body: { arrayValue: { values: [{}] } } }] }],
    },
  ],
});
const metrics = JSON.stringify({
  resourceMetrics: [
    { scopeMetrics: [{ metrics: [{ name: 'm', sum: { dataPoints: [{ asInt: '5', timeUnixNano: 7, attributes: [] }] } }] }] },
  ],
});

/** A request is refused by an error, or makes batches that are in order and can be sent on. */
const target = (name: string, signal: Signal, encoding: Encoding, seeds: readonly Uint8Array[]): Target => ({
  name,
  seeds,
  run(bytes) {
    let taken: ReturnType<typeof readRequest>;
    try {
      taken = readRequest(signal, encoding, Buffer.from(bytes), 1n, LIMITS);
    } catch (error) {
      return error instanceof Error ? shapeOf(error.message) : 'thrown';
    }
    for (const batch of taken.batches) {
      checkBatch(batch);
      readRequest('logs', 'protobuf', Buffer.from(logsRequest([...messagesOf(batch, null)])), 1n, LIMITS);
    }
    return `${taken.batches.length} ${taken.rejected} ${taken.batches[0]?.fields.length ?? 0}`;
  },
});

const asBytes = (text: string): Uint8Array => Buffer.from(text);

export const otlpLogs = target('otlp logs', 'logs', 'protobuf', [logsRequest([message]), logsRequest([message, message])]);
export const otlpJson = target('otlp logs in JSON', 'logs', 'json', [asBytes(logs)]);
export const otlpMetrics = target('otlp metrics in JSON', 'metrics', 'json', [asBytes(metrics)]);
