/** Imports a file into a store in small slices, and tells each entry: `STORE FILE byLines|whole|follow`. A test kills it. */
import { writeSync } from 'node:fs';
import type { CommandContext } from '../../../../engine/cli/command.ts';
import { FileDecoders } from '../../../../engine/cli/file-decoders.ts';
import { Output } from '../../../../engine/cli/output.ts';
import { StoreJob } from '../../../../engine/cli/query/store-job.ts';
import { followFiles } from '../../../../engine/cli/store/follow-files.ts';
import { importFile } from '../../../../engine/cli/store/import-file.ts';
import { StoredDecoders } from '../../../../engine/cli/store/stored-decoders.ts';
import { LateDecoder } from '../../../../engine/detect/late-decoder.ts';
import { Store } from '../../../../engine/lake/store.ts';
import { StoreWriter } from '../../../../engine/lake/store-writer.ts';
import type { Sandboxes } from '../../../../engine/plugins/starter.ts';

const [folder = '', file = '', mode = ''] = process.argv.slice(2);
const context: CommandContext = {
  out: new Output(process.stderr),
  complain: (line) => writeSync(1, `${line}\n`),
  signal: new AbortController().signal,
};
const decoders = new FileDecoders(
  {} as Sandboxes,
  { name: null, settings: {}, scripts: null, quiet: true, onlyDecoded: false, strict: false },
  context,
);
const meta = { name: 'whole', kind: 'decoder', summary: '', stateless: false, parameters: {} } as const;
decoders.start = () =>
  Promise.resolve({
    sandbox: new LateDecoder(() => undefined),
    second: null,
    decoder: mode === 'whole' ? ([{ name: 'whole', path: '', meta }, {}] as const) : null,
  });

const store = await Store.toWrite(folder, { create: true });
for (const { name } of store.broken) writeSync(1, `broken ${name}\n`);
const commit = store.commit.bind(store);
store.commit = async (source, id, change) => {
  const kept = await commit(source, id, change);
  writeSync(1, `entered ${source.size}\n`);
  return kept;
};
const writer = new StoreWriter(store.filesFolder);
const job = new StoreJob({ table: () => undefined, add: (_, batch) => writer.add(batch) }, context, () => undefined);
const importer = { store, writer, job, decoders, context, decoder: null, stored: new StoredDecoders(), sliceLines: 50 };
if (mode === 'follow') {
  store.graceMs = 60_000;
  const replace = store.replace.bind(store);
  store.replace = async (names, by) => {
    await replace(names, by);
    writeSync(1, `merged ${names.length}\n`);
  };
  await followFiles([file], importer, 2);
} else await importFile(file, importer);
await writer.close();
store[Symbol.dispose]();
process.exit(0);
