import { MessageBatch } from '../message/batch.ts';
import type { FieldColumn } from '../message/columns.ts';
import { ValueType } from '../message/types.ts';

/** Name of the service in the messages that it makes itself. */
const SERVICE = 'svcd';

/** Milliseconds to the nanoseconds of a message. */
const nanosecondsOf = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1e3)) * 1000n;

/** Now, in nanoseconds since 1970. */
export const nowNs = (): bigint => nanosecondsOf(performance.timeOrigin + performance.now());

export interface TerminatedMessage {
  /** The filter that ended. */
  readonly plugin: string;
  readonly reason: string;
  readonly hostname: string;
  readonly pid: number;
  readonly timestamp: bigint;
}

/** The `svc.sandbox-terminated` message of a filter that ended, as a batch of one. */
export function sandboxTerminated(message: TerminatedMessage): MessageBatch {
  return new MessageBatch({
    length: 1,
    timestamps: new BigInt64Array([message.timestamp]),
    type: { constant: 'svc.sandbox-terminated' },
    logger: { constant: SERVICE },
    payload: { constant: message.reason },
    hostname: { constant: message.hostname },
    pid: { constant: message.pid },
    fields: [textField('plugin', null, [message.plugin])],
  });
}

/** A column with one text for each row. */
function textField(name: string, rows: Uint32Array | null, values: readonly string[]): FieldColumn {
  const starts = new Uint32Array(values.length);
  const ends = new Uint32Array(values.length);
  let at = 0;
  for (const [i, value] of values.entries()) {
    starts[i] = at;
    ends[i] = at += value.length;
  }
  return { name, representation: null, valueType: ValueType.STRING, rows, offsets: null, values: { text: values.join(''), starts, ends } };
}
