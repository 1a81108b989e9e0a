import type { Difference as Answer } from '../../api/difference-types.ts';
import type { RecordQuery } from '../../api/types.ts';
import { tellProgress } from '../../base/process/terminal.ts';
import { Difference } from '../../store/difference/difference.ts';
import { RecordStore } from '../../store/record-store.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import type { CommandContext } from '../command.ts';
import type { Config } from '../../plugins/parameters.ts';
import type { PluginScript } from '../../plugins/types.ts';
import { scriptReference } from '../../plugins/catalog.ts';
import { FileDecoders, type Decoding, type KnownDecoder } from '../file-decoders.ts';
import { namedFiles } from '../named-files.ts';
import { StoreJob } from './store-job.ts';

/** Files whose records are compared. */
export interface ComparedFiles {
  /** Files that the arguments name, by the number of their side (1: A, 2: B), or all of both. */
  readonly sources: readonly { readonly source: 1 | 2; readonly paths: readonly string[] }[];
  readonly decoding: Decoding;
  /** A folder for the records while they are compared. */
  readonly folder: string;
  readonly without: readonly string[];
  /** Selects the sides. */
  readonly sides: { readonly a: RecordQuery; readonly b: RecordQuery };
}

/** Milliseconds after which an interrupt is looked for. */
const TURN_MS = 200;

/** Decodes files, and compares two sides of their records. */
export async function compareFiles(
  { sources, decoding, folder, without, sides }: ComparedFiles,
  context: CommandContext,
): Promise<{ readonly answer: Answer; readonly code: number }> {
  const { signal, complain } = context;
  const sandboxes = commandSandboxes();
  const store = new RecordStore({ folder, onProblem: (text) => text !== null && complain(text) });
  let [rows, source, stream] = [0, 1, 0];
  const progress = tellProgress(() => `${rows.toLocaleString('en')} messages`);
  const sink = {
    table: () => undefined,
    add: (_: string, batch: Parameters<RecordStore['append']>[0]['batch']) =>
      store.append({ batch, raw: null, source, stream, decoder: null }),
  };
  const job = new StoreJob(sink, context, (more) => (rows += more), { isStrict: decoding.strict, onlyDecoded: decoding.onlyDecoded });
  const decoders = new FileDecoders(sandboxes, decoding, context);
  const files: { readonly side: 1 | 2; readonly file: string; readonly problem?: Error | undefined }[] = [];
  let known: KnownDecoder | null = null;
  try {
    for (const { source: side, paths } of sources)
      for await (const { file, problem } of namedFiles(paths, complain)) files.push({ side, file, problem });
    // Two files are read by one decoder: more than one may fit, and their messages would differ.
    const isPair = files.length === 2 && files[0]?.side !== files[1]?.side;
    const decode = (file: string): Promise<void> =>
      decoders.with(
        file,
        async (started) => {
          if (isPair && started.decoder !== null) known ??= knownOf(...started.decoder);
          job.into(file, started);
          await job.run(started.chunks);
        },
        known,
      );
    for (const { side, file, problem } of files) {
      if (signal.aborted) break;
      source = side;
      stream++;
      await job.try(() => (problem === undefined ? decode(file) : Promise.reject(problem)));
    }
    await store.flushed();
    const difference = new Difference(store, { ...sides, without });
    while (!difference.complete && !signal.aborted) await difference.advance(TURN_MS);
    return { answer: difference.answer(), code: job.exitCode() };
  } finally {
    progress.end();
    await store.close();
    await sandboxes.close();
  }
}

const knownOf = (plugin: PluginScript, config: Readonly<Config>): KnownDecoder => ({
  name: scriptReference(plugin),
  config: Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)])),
});
