import type { LogField, LogMessage } from '../../plugins/modules/table_writer.ts';
import { addHead, originOf as lineOrigin, type Origin as LineOrigin } from '../../plugins/lib/otlp/otlp_origin.ts';
import type { ExactObject } from '../../plugins/modules/json.ts';
import { randomUuid } from '../message/random-uuid.ts';
import { ValueType, type Field, type Message } from '../message/types.ts';
import { parseUuid } from '../message/uuid.ts';

/** Headers and fields that all messages of one resource and scope share, made once. */
export interface Origin {
  readonly head: LineOrigin['head'];
  readonly fields: readonly Field[];
}

/** @param ofResource an item of the signal's list of resources. @param ofScope one of its scopes */
export function originOf(ofResource: ExactObject, ofScope: ExactObject): Origin {
  const { head, fields } = lineOrigin(ofResource, ofScope);
  return { head, fields: fields.map(fieldOf) };
}

/**
 * The message that the decoder of OTLP in JSON would inject.
 * @param receivedNs time of an item that has none
 */
export function messageOf(injected: LogMessage, { head, fields }: Origin, receivedNs: bigint): Message {
  addHead(injected, head);
  const { Uuid, Timestamp, Type, Logger, Severity, Payload, EnvVersion, Pid, Hostname, Fields = [] } = injected;
  return {
    uuid: (typeof Uuid === 'string' ? parseUuid(Uuid) : null) ?? randomUuid(),
    timestamp: typeof Timestamp === 'bigint' ? Timestamp : receivedNs,
    type: Type,
    logger: Logger,
    severity: Severity,
    payload: Payload,
    envVersion: EnvVersion,
    pid: Pid,
    hostname: Hostname,
    fields: [...Fields.map(fieldOf), ...fields],
  };
}

function fieldOf({ name, value, representation }: LogField): Field {
  if (value instanceof Uint8Array) return { name, valueType: ValueType.BYTES, representation, values: [value] };
  const values = typeof value === 'object' ? value : [value];
  switch (typeof values[0]) {
    case 'bigint':
      return { name, valueType: ValueType.INTEGER, representation, values: values as bigint[] };
    case 'number':
      return { name, valueType: ValueType.DOUBLE, representation, values: values as number[] };
    case 'boolean':
      return { name, valueType: ValueType.BOOL, representation, values: values as boolean[] };
    default:
      return { name, valueType: ValueType.STRING, representation, values: values as string[] };
  }
}
