import { printableJson, printableLine } from '../../api/printable.ts';
import { readableSnapshot, type Lake } from '../../catalogue/lake.ts';
import type { LakeFile } from '../../catalogue/commit.ts';
import { clean, compact, enterOlder, expire } from '../../catalogue/maintain.ts';
import { Exit, UsageError, type CommandContext } from '../command.ts';
import type { STORE_ACTIONS } from './actions.ts';
import { damageIn, wordsOf } from './unreadable-files.ts';

/** Bounds of `store expire`; null: none. */
export interface Kept {
  readonly days: number | null;
  readonly mib: number | null;
}

const MS_PER_DAY = 86_400_000;

/** Does an action of `sluicebox store` in a lake. */
export async function actInLake(lake: Lake, action: (typeof STORE_ACTIONS)[number], kept: Kept, context: CommandContext): Promise<number> {
  const { out, signal } = context;
  const tell = (told: Readonly<Record<string, unknown>>): void => out.add(`${printableJson(JSON.stringify(told))}\n`);
  switch (action) {
    case 'files':
      for (const path of (await readableSnapshot(lake)).files.keys()) {
        out.add(`${printableLine(await lake.files.local(path))}\n`);
        await out.room();
      }
      return Exit.ok;
    case 'list':
      for (const [type, files] of Map.groupBy((await readableSnapshot(lake)).files.values(), (file) => file.type))
        tell(entryOf(type, files));
      return Exit.ok;
    case 'expire': {
      await lake.adopt();
      const removed = await expire(lake, {
        ageMs: kept.days === null ? null : kept.days * MS_PER_DAY,
        bytes: kept.mib === null ? null : kept.mib * 2 ** 20,
      });
      await clean(lake);
      const { files } = await lake.snapshot();
      tell({ removed, left: files.size, bytes: sumOf([...files.values()], ({ bytes }) => bytes) });
      return Exit.ok;
    }
    case 'compact': {
      await lake.adopt();
      await enterOlder(lake);
      const merged = await compact(lake, true, signal);
      await clean(lake);
      tell({ merged, files: (await lake.snapshot()).files.size });
      return signal.aborted ? Exit.interrupted : Exit.ok;
    }
    case 'check':
      return check(lake, tell, context);
    case 'remove':
      throw new UsageError('store remove is for logs that were imported: a lake has none');
  }
}

const sumOf = (files: readonly LakeFile[], of: (file: LakeFile) => number): number => files.reduce((sum, file) => sum + of(file), 0);
const timeOf = (ns: bigint): string => new Date(Number(ns / 1_000_000n)).toISOString();

const entryOf = (type: string | null, files: readonly LakeFile[]): Readonly<Record<string, unknown>> => ({
  type,
  rows: sumOf(files, ({ rows }) => rows),
  from: timeOf(files.reduce((least, file) => (file.least < least ? file.least : least), files[0]?.least ?? 0n)),
  to: timeOf(files.reduce((most, file) => (file.most > most ? file.most : most), files[0]?.most ?? 0n)),
  files: files.length,
  bytes: sumOf(files, ({ bytes }) => bytes),
});

async function check(
  lake: Lake,
  tell: (told: Readonly<Record<string, unknown>>) => void,
  { complain, signal }: CommandContext,
): Promise<number> {
  const { files } = await readableSnapshot(lake);
  let damaged = 0;
  for (const { path: name, type } of files.values()) {
    if (signal.aborted) return Exit.interrupted;
    const path = await lake.files.local(name);
    const reason = await damageIn(path);
    if (reason === null) continue;
    damaged++;
    complain(wordsOf({ path, table: type ?? '', reason }));
  }
  tell({ files: files.size, damaged });
  return damaged > 0 ? Exit.failed : Exit.ok;
}
