import { isStandardInput } from '../../inputs/shared/standard-input.ts';
import { Store } from '../../lake/store.ts';
import { StoreWriter } from '../../lake/store-writer.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { parseParameters } from '../../plugins/parameters.ts';
import { tellProgress } from '../../base/process/terminal.ts';
import { Exit, UsageError, type Command } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { parseArguments } from '../settings.ts';
import { DECODING_HELP, DECODING_OPTIONS } from '../decoding-options.ts';
import { FileDecoders, parseDecoding } from '../file-decoders.ts';
import { keepHeapSmall } from '../heap.ts';
import { namedFiles } from '../named-files.ts';
import { StoreJob } from '../query/store-job.ts';
import { tellBroken } from '../store/complaints.ts';
import { followFiles } from '../store/follow-files.ts';
import { importFile, type Importer } from '../store/import-file.ts';
import { StoredDecoders } from '../store/stored-decoders.ts';

const help = `Usage: sluicebox import --store DIR [OPTIONS] FILE…

Decodes log files and keeps their messages in a store: a folder of Parquet files, which "sluicebox query --store DIR" and other programs
read. The folder is made when it is missing. Tables are named after files, as query names them.
A folder stands for the files in it, an archive (tar, zip) for the logs in it.

A file that was imported before is known by what it holds, also when it was rotated, packed or copied since: one that is unchanged costs
nothing, of one that has grown only what is new is decoded, or all of it when its records are not lines. With another --decoder, other
settings of it, or a script of yours that was edited since, a file is read anew. What no decoder takes is stored with its
text, decode_error and the time and level that are found in it; standard error says how much that is. The window opens a store as it opens a folder.

      --store DIR           the folder of the store
      --follow              goes on with what is added to the files, until it is interrupted: queries see it within a second. Lines count when
                            they have their ends. Files that come into folders, fit patterns or take the place of others are read, too
      --raw                 keeps the lines as they were written, too, in the column RawLine
${DECODING_HELP}`;

/** Milliseconds that files stay which were merged into larger ones while logs are followed, for queries that began before. */
const GRACE_MS = 60_000;

export const importFiles: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    keepHeapSmall();
    const { values, positionals } = parseArguments(args, {
      store: { type: 'string' },
      raw: { type: 'boolean', default: false },
      follow: { type: 'boolean', default: false },
      ...DECODING_OPTIONS,
    });
    const { complain, signal } = context;
    if (values.store === undefined || positionals.length === 0) throw new UsageError('import needs a store and a file: --store DIR FILE…');
    if (positionals.some(isStandardInput))
      throw new UsageError('import knows files again by their names and needs some; standard input has none');
    const decoding = parseDecoding(values, complain);
    const stored = new StoredDecoders();
    const decoder = decoding.name === null ? null : toldDecoder(decoding.name, decoding.settings, stored);
    const sandboxes = commandSandboxes();
    let rows = 0;
    const progress = tellProgress(() => `${rows.toLocaleString('en')} messages`);
    try {
      using store = await Store.toWrite(values.store, { create: true });
      const wasBroken = tellBroken(store, complain, { areSetAside: true });
      const writer = new StoreWriter(store.filesFolder);
      const job = new StoreJob(
        { table: () => undefined, add: (_, batch, raw) => writer.add(batch, raw) },
        context,
        (more) => (rows += more),
        { keepsRaw: values.raw, isStrict: decoding.strict, onlyDecoded: decoding.onlyDecoded },
      );
      const importer = { store, writer, job, decoders: new FileDecoders(sandboxes, decoding, context), context, decoder, stored };
      try {
        if (values.follow) {
          store.graceMs = GRACE_MS;
          await followFiles(positionals, importer);
        } else
          for await (const { file, problem } of namedFiles(positionals, complain)) {
            if (signal.aborted) break;
            await job.try(() => (problem === undefined ? importFile(file, importer) : Promise.reject(problem)));
          }
      } finally {
        await writer.close();
      }
      const code = job.exitCode();
      return code === Exit.ok && wasBroken ? Exit.failed : code;
    } finally {
      progress.end();
      await sandboxes.close();
    }
  },
};

function toldDecoder(name: string, settings: Readonly<Record<string, string>>, stored: StoredDecoders): Importer['decoder'] {
  const plugin = findPlugin('decoder', name);
  return stored.of(plugin, parseParameters(plugin, settings));
}
