import { namedWords } from '../../ask/named-words.ts';
import { tableName } from '../../ask/table-names.ts';
import { ALL } from '../../ask/tables.ts';
import type { Matcher } from '../../matcher/matcher.ts';
import { takeRows } from '../../message/batch/gather.ts';
import { tellProgress } from '../../base/process/terminal.ts';
import type { CommandContext } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { FileDecoders, type Decoding } from '../file-decoders.ts';
import { namedFiles, type NamedFile } from '../named-files.ts';
import type { Tables } from './answer.ts';
import { FileStore } from './file-store.ts';
import { StoreJob, type RowSink } from './store-job.ts';

/** Decodes files and stores of their messages what the query may need in a folder. */
export async function storeFiles(
  paths: readonly string[],
  sql: string,
  {
    decoding,
    folder,
    where,
  }: {
    readonly decoding: Decoding;
    readonly folder: string;
    /** Selects the messages; null: all. */ readonly where: Pick<Matcher, 'select'> | null;
  },
  context: CommandContext,
): Promise<Tables> {
  const { signal, complain } = context;
  const sandboxes = commandSandboxes();
  const files: NamedFile[] = [];
  for await (const file of namedFiles(paths, complain)) files.push(file);
  const stored = new FileStore(folder, namedWords(sql, [ALL, ...files.map(({ file }) => tableName(file))]));
  let rows = 0;
  const progress = tellProgress(() => `${rows.toLocaleString('en')} messages`);
  const job = new StoreJob(where === null ? stored : selected(stored, where), context, (more) => (rows += more), {
    isStrict: decoding.strict,
    onlyDecoded: decoding.onlyDecoded,
  });
  const decoders = new FileDecoders(sandboxes, decoding, context);
  const decodeFile = (file: string): Promise<void> =>
    decoders.with(file, async (source) => {
      job.into(tableName(file), source);
      await job.run(source.chunks);
    });
  try {
    for (const { file, problem } of files) {
      if (signal.aborted) break;
      await job.try(() => (problem === undefined ? decodeFile(file) : Promise.reject(problem)));
      job.tellRefused(file);
    }
    const tables = signal.aborted ? [] : await stored.end();
    const code = job.exitCode();
    if (tables.length === 0 && !signal.aborted) complain('no file could be read, so there is no table');
    return { tables, code };
  } finally {
    progress.end();
    await sandboxes.close();
  }
}

/** Stores only the messages that an expression selects; records are not kept. */
const selected = (stored: FileStore, where: Pick<Matcher, 'select'>): RowSink => ({
  table: (name) => stored.table(name),
  add: (name, batch) => {
    const rows = where.select(batch);
    return stored.add(name, rows === null ? batch : takeRows(batch, rows));
  },
});
