import type { Message } from '../../../../engine/message/types.ts';
import type { TestSink } from '../harness.ts';

export const messagesOf = (sink: TestSink): Message[] =>
  sink.batches.flatMap(({ batch }) => Array.from({ length: batch.length }, (_, row) => batch.message(row)));
export const fieldsOf = ({ fields }: Message): [string, unknown][] => fields.map(({ name, values }) => [name, values[0]]);
