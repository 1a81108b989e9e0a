import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import { SchemaCounts, type CountedLogger } from '../../../engine/outputs/schema-counts.ts';

export const text = (name: string, value: string): Field => ({ name, valueType: 0, values: [value] });
export const number = (name: string): Field => ({ name, valueType: 3, values: [1] });
export const message = (logger: string, type: string, version: string, ...fields: Field[]): Message => ({
  uuid: new Uint8Array(16),
  timestamp: 0n,
  fields,
  ...(logger === '' ? {} : { logger }),
  ...(type === '' ? {} : { type }),
  ...(version === '' ? {} : { envVersion: version }),
});

export function counted(...batches: (readonly Message[])[]): CountedLogger[] {
  const counts = new SchemaCounts();
  for (const messages of batches) counts.observe(batchOf(messages));
  return counts.loggers();
}
