import { MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn } from '../message/batch/columns.ts';
import { ValueType } from '../message/types.ts';

/** Name of the service in the messages that it makes itself. */
export const SERVICE_NAME = 'svcd';

/** Headers of every message of the service. */
interface ServiceHead {
  readonly hostname: string;
  readonly pid: number;
  readonly timestamp: bigint;
}

export interface TerminatedMessage extends ServiceHead {
  /** The section of the plugin that ended, or a bundled plugin without one. */
  readonly plugin: string;
  /** Its name, where there are several of a section: each input has a decoder of its own, each output an encoder. */
  readonly instance?: string | undefined;
  readonly reason: string;
}

/** Figures of a filter that ended because it was slow. */
export interface SlowFigures {
  readonly ProcessMessageCount: number;
  readonly ProcessMessageFailures: number;
  readonly ProcessMessageSamples: number;
  /** Nanoseconds. */
  readonly ProcessMessageAvgDuration: number;
  /** Nanoseconds. */
  readonly MatchAvgDuration: number;
  readonly FilterChanLength: number;
  readonly MatchChanLength: number;
  readonly RouterChanLength: number;
}

/** The `svc.sandbox-terminated` message of a sandbox that ended, as a batch of one. Its Payload says whose it is, for readers that see no fields. */
export function sandboxTerminated(message: TerminatedMessage & { readonly slow?: SlowFigures | undefined }): MessageBatch {
  const figures = Object.entries(message.slow ?? {}) as [string, number][];
  const fields = figures.map(([name, value]) => integerField(name, name.endsWith('Duration') ? 'ns' : 'count', value));
  const payload = `${message.instance ?? message.plugin}: ${message.reason}`;
  return serviceMessage('svc.sandbox-terminated', message, payload, [textField('plugin', null, [message.plugin]), ...fields]);
}

/** The `svc.terminated` message of a plugin that ended, as a batch of one. @param type of its section */
export function pluginTerminated(message: TerminatedMessage & { readonly type: string }): MessageBatch {
  const payload = `${message.plugin} (type ${message.type}) terminated. Error: ${message.reason}`;
  return serviceMessage('svc.terminated', message, payload, [textField('plugin', null, [message.plugin])]);
}

/** The `svc.all-report` message with this payload, as a batch of one. */
export function allReport(message: ServiceHead & { readonly payload: string }): MessageBatch {
  return serviceMessage('svc.all-report', message, message.payload, []);
}

/** The `svc.memstat` message with these figures, as a batch of one. All are bytes, but for those that end in `Objects`. */
export function memoryStatistics(message: ServiceHead & { readonly fields: Readonly<Record<string, number>> }): MessageBatch {
  const fields = Object.entries(message.fields).map(([name, value]) => integerField(name, name.endsWith('Objects') ? 'count' : 'B', value));
  return serviceMessage('svc.memstat', message, null, fields);
}

function serviceMessage(type: string, head: ServiceHead, payload: string | null, fields: readonly FieldColumn[]): MessageBatch {
  return new MessageBatch({
    length: 1,
    timestamps: new BigInt64Array([head.timestamp]),
    type: { constant: type },
    logger: { constant: SERVICE_NAME },
    payload: payload === null ? null : { constant: payload },
    hostname: { constant: head.hostname },
    pid: { constant: head.pid },
    fields,
  });
}

/** A column with one integer in one row. */
function integerField(name: string, representation: string, value: number): FieldColumn {
  const values = new BigInt64Array([BigInt(Math.trunc(value))]);
  return { name, representation, valueType: ValueType.INTEGER, rows: null, offsets: null, values };
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
