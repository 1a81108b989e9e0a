import { textAt } from '../message/batch/batch.ts';
import type { DecodedRecords } from './decode-stage.ts';

/**
 * Names the place of a record that was refused: its file and line, or who sent it.
 * @param name stands for records that have neither; null: they have a sender
 */
export function placesOf({ input, origins }: DecodedRecords, name: string | null): (row: number) => string {
  const { firstLine, source, batch } = input;
  return (row) => {
    const origin = origins === null ? row : (origins[row] as number);
    const who = source ?? name ?? textAt(batch.hostname, origin) ?? 'an unknown sender';
    return firstLine === 0 ? who : `${who}:${firstLine + origin}`;
  };
}
