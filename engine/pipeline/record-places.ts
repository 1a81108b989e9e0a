import { formatAddress, REMOTE_PORT } from '../inputs/net/address.ts';
import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import { ValueType } from '../message/types.ts';
import type { DecodedRecords } from './decode-stage.ts';

/**
 * Names the place of a record that was refused: its file and line, or who sent it.
 * @param name stands for records that have neither; null: they have a sender
 */
export function placesOf({ input, origins }: DecodedRecords, name: string | null): (row: number) => string {
  const { firstLine, source, batch } = input;
  return (row) => {
    const origin = origins === null ? row : (origins[row] as number);
    const who = source ?? name ?? senderOf(batch, origin) ?? 'an unknown sender';
    return firstLine === 0 ? who : `${who}:${firstLine + origin}`;
  };
}

/** The address of a record's sender, with the port of its connection; undefined: it has none. */
function senderOf(batch: MessageBatch, row: number): string | undefined {
  const host = textAt(batch.hostname, row) ?? undefined;
  const ports = batch.fields.find(({ name, rows }) => name === REMOTE_PORT && rows === null);
  const port = ports?.valueType === ValueType.INTEGER ? Number(ports.values[row] ?? 0n) : 0;
  return host === undefined || port === 0 ? host : formatAddress({ host, port });
}
