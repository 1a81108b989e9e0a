import { statSync } from 'node:fs';
import { fieldAt, type MessageBatch } from '../../message/batch/batch.ts';
import { UNTOLD } from '../../message/summary/record-summary.ts';
import type { CommandContext } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { decodeChunk } from '../decoded.ts';
import { FileDecoders } from '../file-decoders.ts';

/** Records of a file that are looked at, and values of a field that are offered. */
const [MOST_RECORDS, MOST_VALUES] = [2000, 20];
const PLAIN = /^[\w./@+-]+$/;

/**
 * Values of an option for the file that the command line names: names of fields, in a list or before a colon, and behind that their values.
 * @param typed of the value so far
 * @param words of the command line, of which some are files
 */
export async function fileWords(option: string, typed: string, words: readonly string[], context: CommandContext): Promise<string[]> {
  const file = words.find((word) => statSync(word, { throwIfNoEntry: false })?.isFile() === true);
  if (file === undefined) return [];
  const fields = await fieldsOf(file, context);
  const names = [...fields.keys()].sort();
  switch (option) {
    case '--fields':
    case '--hide': {
      const before = typed.slice(0, typed.lastIndexOf(',') + 1);
      return names.map((name) => before + name).filter((word) => word.startsWith(typed));
    }
    case '--sort':
      return names.flatMap((name) => [name, `${name}:desc`]).filter((word) => word.startsWith(typed));
    default: {
      const [, before = '', name = ''] = /^((?:.*[\s(])?-?([^\s:(]+):)/.exec(typed) ?? [];
      if (name === '') return names.map((one) => `${one}:`).filter((word) => word.startsWith(typed));
      const values = [...(fields.get(name) ?? [])].toSorted(([, a], [, b]) => b - a).slice(0, MOST_VALUES);
      return values
        .map(([value]) => before + (PLAIN.test(value) ? value : `"${value.replaceAll('"', '\\"')}"`))
        .filter((word) => word.startsWith(typed));
    }
  }
}

/** The fields of the first records with their values and how often these come. */
async function fieldsOf(file: string, context: CommandContext): Promise<Map<string, Map<string, number>>> {
  const quiet = { ...context, complain: (): void => undefined };
  const decoding = { name: null, settings: {}, scripts: null, quiet: true, onlyDecoded: false, strict: false };
  const fields = new Map<string, Map<string, number>>();
  await new FileDecoders(commandSandboxes(), decoding, quiet).with(file, async ({ sandbox, chunks }) => {
    let left = MOST_RECORDS;
    for await (const chunk of chunks) {
      const { result } = await decodeChunk(sandbox, chunk, null);
      if (result.injected !== null) count(result.injected, fields);
      left -= chunk.batch.length;
      if (left <= 0) return;
    }
  });
  return fields;
}

function count(batch: MessageBatch, fields: Map<string, Map<string, number>>): void {
  for (const column of batch.fields) {
    if (UNTOLD.test(column.name)) continue;
    const values = fields.get(column.name) ?? new Map<string, number>();
    fields.set(column.name, values);
    for (let row = 0; row < Math.min(batch.length, MOST_RECORDS); row++) {
      const value = fieldAt(column, row)?.values[0];
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
        const text = String(value);
        if (!text.includes('\n')) values.set(text, (values.get(text) ?? 0) + 1);
      }
    }
  }
}
