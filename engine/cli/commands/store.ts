import { resolve } from 'node:path';
import { printableJson, printableLine } from '../../api/printable.ts';
import { lakeAt } from '../../catalogue/place.ts';
import { merge, runsThatFit } from '../../lake/compaction.ts';
import type { ListedFile, StoredSource } from '../../lake/manifest.ts';
import { Store } from '../../lake/store.ts';
import { StoreWriter } from '../../lake/store-writer.ts';
import { nowNs } from '../../message/timestamp.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { parseArguments, parseCount } from '../settings.ts';
import { STORE_ACTIONS } from '../store/actions.ts';
import type { Kept } from '../store/lake-actions.ts';
import { tellBroken } from '../store/complaints.ts';
import { damageIn, wordsOf } from '../store/unreadable-files.ts';

const help = `Usage: sluicebox store list --store DIR
       sluicebox store files --store DIR
       sluicebox store remove --store DIR FILE…
       sluicebox store expire --store DIR [--days N] [--size MIB]
       sluicebox store compact --store DIR
       sluicebox store check --store DIR

list prints the log files that were imported, one JSON object a line: their tables, rows, times and bytes. remove takes log files out of the store, with
all that came of them. expire removes Parquet files whose messages are all older than N days, and then the oldest ones until the others take no more
than MIB; what is removed is not imported again while its log only grows.

compact makes large Parquet files of the small ones that import --follow leaves. Queries see each message once all the while.

files prints the paths of the Parquet files, for other programs to read.

DIR can also be a lake, into which services write by a ParquetOutput: then list prints its types of messages, and there is no remove.

check reads all Parquet files and compares them with their checksums. Damaged ones are named, and the exit code is then 1.

      --store DIR           the folder of the store
      --days N              days that messages are kept
      --size MIB            what the Parquet files may take together
`;

const ACTIONS = `${STORE_ACTIONS.slice(0, -1).join(', ')} or ${STORE_ACTIONS.at(-1)}`;
const NS_PER_DAY = 86_400_000_000_000n;

export const store: Command = {
  help,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, { store: { type: 'string' }, days: { type: 'string' }, size: { type: 'string' } });
    const [action, ...files] = positionals;
    const folder = values.store;
    if (folder === undefined) throw new UsageError('store needs the folder: --store DIR');
    if (!isAction(action))
      throw new UsageError(action === undefined ? `store needs one of ${ACTIONS}` : `store has no ${action}: give one of ${ACTIONS}`);
    if (action !== 'expire' && (values.days ?? values.size) !== undefined) throw new UsageError('--days and --size are for store expire');
    if (action !== 'remove' && files.length > 0) throw new UsageError(`store ${action} takes no log files`);
    if (action === 'expire' && values.days === undefined && values.size === undefined)
      throw new UsageError('store expire needs --days or --size');
    const kept = { days: countOf('--days', values.days), mib: countOf('--size', values.size) };
    const lake = await lakeAt(folder);
    if (lake !== null) return (await import('../store/lake-actions.ts')).actInLake(lake, action, kept, context);
    switch (action) {
      case 'files':
        return paths(folder, context);
      case 'list':
        return list(folder, context);
      case 'remove':
        if (files.length === 0) throw new UsageError('store remove needs the log files, as store list names them');
        return remove(folder, files, context);
      case 'expire':
        return expire(folder, kept, context);
      case 'compact':
        return compact(folder, context);
      case 'check':
        return check(folder, context);
    }
  },
};

const isAction = (word: string | undefined): word is (typeof STORE_ACTIONS)[number] => STORE_ACTIONS.some((action) => action === word);

const countOf = (option: string, value: string | undefined): number | null => (value === undefined ? null : parseCount(option, value));

async function paths(folder: string, { out }: CommandContext): Promise<number> {
  using opened = Store.toRead(folder);
  for (const { files } of opened.tables())
    for (const { path } of files) {
      out.add(`${printableLine(path)}\n`);
      await out.room();
    }
  return Exit.ok;
}

async function list(folder: string, { out, complain }: CommandContext): Promise<number> {
  using opened = Store.toRead(folder);
  const isBroken = tellBroken(opened, complain, { areSetAside: false });
  const files = opened.manifest.files();
  for (const source of opened.manifest.sources()) {
    const own = files.filter((file) => file.source === source.id);
    out.add(`${printableJson(JSON.stringify(entryOf(source, own)))}\n`);
    await out.room();
  }
  return isBroken ? Exit.failed : Exit.ok;
}

function entryOf({ table, path, decoder }: StoredSource, files: readonly ListedFile[]): Readonly<Record<string, unknown>> {
  const sum = (of: (file: ListedFile) => number): number => files.reduce((total, file) => total + of(file), 0);
  const times = files.flatMap(({ least, most }) => [least, most]).sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const time = (ns: bigint | undefined): string | null => (ns === undefined ? null : new Date(Number(ns / 1_000_000n)).toISOString());
  return {
    file: path,
    table,
    decoder: decoder === null ? null : (JSON.parse(decoder) as { name: string }).name,
    rows: sum(({ rows }) => rows),
    from: time(times[0]),
    to: time(times.at(-1)),
    files: files.length,
    bytes: sum(({ bytes }) => bytes),
  };
}

async function remove(folder: string, paths: readonly string[], { complain }: CommandContext): Promise<number> {
  using opened = await Store.toWrite(folder, { create: false });
  tellBroken(opened, complain, { areSetAside: true });
  let missing = 0;
  for (const path of paths) {
    const sources = opened.manifest.sources().filter((source) => source.path === resolve(path));
    if (sources.length === 0) {
      complain(`${printableLine(path)} is not in the store`);
      missing++;
    }
    for (const source of sources) await opened.remove(source);
  }
  return missing > 0 ? Exit.failed : Exit.ok;
}

async function expire(folder: string, { days, mib }: Kept, { out, complain }: CommandContext): Promise<number> {
  using opened = await Store.toWrite(folder, { create: false });
  tellBroken(opened, complain, { areSetAside: true });
  const files = opened.manifest.files().sort((one, other) => (one.most < other.most ? -1 : one.most > other.most ? 1 : 0));
  const before = days === null ? null : nowNs() - BigInt(days) * NS_PER_DAY;
  let left = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: string[] = [];
  for (const { name, most, bytes } of files) {
    if (!((before !== null && most < before) || (mib !== null && left > mib * 2 ** 20))) continue;
    removed.push(name);
    left -= bytes;
  }
  await opened.removeFiles(removed);
  out.add(`${JSON.stringify({ removed: removed.length, left: files.length - removed.length, bytes: left })}\n`);
  return Exit.ok;
}

async function compact(folder: string, { out, complain, signal }: CommandContext): Promise<number> {
  using opened = await Store.toWrite(folder, { create: false });
  const isBroken = tellBroken(opened, complain, { areSetAside: true });
  const writer = new StoreWriter(opened.filesFolder);
  let merged = 0;
  try {
    const runs = opened.manifest.sources().flatMap(({ id }) => runsThatFit(opened.filesOf(id)));
    for (const run of runs) {
      if (signal.aborted) return Exit.interrupted;
      await merge(opened, writer, run);
      merged += run.length;
    }
  } finally {
    await writer.close();
  }
  out.add(`${JSON.stringify({ merged, files: opened.manifest.files().length })}\n`);
  return isBroken ? Exit.failed : Exit.ok;
}

async function check(folder: string, { out, complain, signal }: CommandContext): Promise<number> {
  using opened = Store.toRead(folder);
  let damaged = opened.broken.length;
  tellBroken(opened, complain, { areSetAside: false });
  const tables = opened.tables();
  for (const { name: table, files } of tables)
    for (const { path } of files) {
      if (signal.aborted) return Exit.interrupted;
      const reason = await damageIn(path);
      if (reason === null) continue;
      damaged++;
      complain(wordsOf({ path, table, reason }));
    }
  out.add(`${JSON.stringify({ files: opened.manifest.files().length, damaged })}\n`);
  return damaged > 0 ? Exit.failed : Exit.ok;
}
