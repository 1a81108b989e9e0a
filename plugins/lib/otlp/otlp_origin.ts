/** Resources and scopes of OTLP: what many messages have in common. */
import type { ExactObject } from '../../modules/json.ts';
import type { LogField, LogMessage } from '../../modules/table_writer.ts';
import { addAttributes, addInteger, addText } from './otlp_fields.ts';
import { takeHeader } from './otlp_headers.ts';
import { int32Of, objectOf, objectsOf, textOf } from './otlp_values.ts';

/** The headers and fields that all messages of one resource and scope share. */
export interface Origin {
  readonly head: Pick<LogMessage, 'Logger' | 'Hostname' | 'Pid'>;
  readonly fields: readonly LogField[];
}

/** @param ofResource an item of the signal's list of resources. @param ofScope one of its scopes */
export function originOf(ofResource: ExactObject, ofScope: ExactObject): Origin {
  const resource = objectOf(ofResource['resource']);
  const scope = objectOf(ofScope['scope'], ofScope['instrumentationLibrary']);
  const head: LogMessage = {};
  const logger = textOf(scope['name']);
  if (logger !== null) head.Logger = logger;
  const fields: LogField[] = [];
  addText(fields, 'scope.version', scope['version']);
  addAttributes(fields, objectsOf(scope['attributes']), 'scope');
  addInteger(fields, 'scope.dropped_attributes_count', scope['droppedAttributesCount']);
  addText(fields, 'scope.schema_url', ofScope['schemaUrl']);
  const others = objectsOf(resource['attributes']).filter((pair) => !takeOfResource(head, pair));
  addAttributes(fields, others, 'resource');
  addInteger(fields, 'resource.dropped_attributes_count', resource['droppedAttributesCount']);
  addText(fields, 'resource.schema_url', ofResource['schemaUrl']);
  return { head, fields };
}

/** Whether an attribute of a resource is a header of the messages. */
function takeOfResource(head: LogMessage, { key, value }: ExactObject): boolean {
  if (key === 'host.name') {
    const { stringValue } = objectOf(value);
    return takeHeader(head, 'Hostname', typeof stringValue === 'string' ? stringValue : null);
  }
  return key === 'process.pid' && takeHeader(head, 'Pid', int32Of(objectOf(value)['intValue']));
}

/** Adds the headers of the origin to a message of one of its items. Its fields are left to add. */
export function addHead(message: LogMessage, { Logger, Hostname, Pid }: Origin['head']): void {
  if (Logger !== undefined) message.Logger = Logger;
  if (Hostname !== undefined) message.Hostname = Hostname;
  if (Pid !== undefined) message.Pid = Pid;
}
