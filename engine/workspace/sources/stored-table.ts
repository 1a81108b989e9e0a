import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DecoderChoice } from '../../api/types.ts';
import { isLocked, Manifest, MANIFEST, type StoredSource } from '../../lake/manifest.ts';
import { withoutWaiting } from '../../lake/patience.ts';
import { memberAt } from '../../inputs/archive/archive.ts';
import { lakeParts } from './lake-parts.ts';
import { isFileThere } from '../common/moved-files.ts';

/**
 * A table of a store or of a lake, which the window opens as it opens a file. Its place is the folder of the store with the name of the table behind it, where there need not be
 * a file: `/var/lib/logs/access`.
 */
export interface StoredTable {
  readonly folder: string;
  readonly table: string;
  /** The decoder of its logs; null: they had several, or none. */
  readonly decoder: DecoderChoice | null;
}

/** The places of the tables of a store; null: the folder is no store. @throws {EngineError} `store.unreadable` */
export async function storedPlaces(folder: string): Promise<string[] | null> {
  const list = await listOf(folder);
  if (list === null) return null;
  const tables = new Map(list.files.map(({ table }) => [table.toLowerCase(), table]));
  return [...tables.values()].sort().map((table) => join(folder, table));
}

/** The table of a place; null: it is the place of something else. @throws {EngineError} `store.unreadable` */
export async function storedTableAt(place: string): Promise<StoredTable | null> {
  const folder = dirname(place);
  const list = await listOf(folder);
  if (list === null) return null;
  const name = basename(place).toLowerCase();
  // SQL does not tell cases apart.
  const isOfTable = ({ table }: { readonly table: string }): boolean => table.toLowerCase() === name;
  const logs = list.sources.filter(isOfTable);
  const first = logs[0] ?? list.files.find(isOfTable);
  return first === undefined ? null : { folder, table: first.table, decoder: decoderOf(logs) };
}

interface StoreList {
  readonly sources: readonly StoredSource[];
  readonly files: readonly { readonly table: string }[];
}

/** Those that are asked for now, by the folders of their stores; for a while also those that were locked all the time, so that nobody else waits in vain. */
const lists = new Map<string, Promise<StoreList | null>>();
const LOCKED_MS = 5000;

/** The tables of a store or of a lake; null: the folder is neither. Several callers at the same time share the answer. @throws {EngineError} `store.unreadable` */
function listOf(folder: string): Promise<StoreList | null> {
  const known = lists.get(folder);
  if (known !== undefined) return known;
  const asked = askedList(folder);
  lists.set(folder, asked);
  const forget = (): void => void lists.delete(folder);
  asked.then(forget, (error: unknown) => (isLocked(error) ? void setTimeout(forget, LOCKED_MS).unref() : forget()));
  return asked;
}

async function askedList(folder: string): Promise<StoreList | null> {
  if (!(await isStore(folder))) {
    const lake = await lakeParts(folder);
    return lake === null ? null : { sources: [], files: lake.files };
  }
  return withoutWaiting((patienceMs) => {
    using manifest = Manifest.open(folder, { create: false, patienceMs });
    return { sources: manifest.sources(), files: manifest.files() };
  });
}

/** Whether there is a file in a place, or one that fits a pattern, or the table of a store. */
export async function isLogThere(place: string): Promise<boolean> {
  if ((await isFileThere(place)) || (await storedTableAt(place).catch(() => null)) !== null) return true;
  return (await memberAt(place).catch(() => null)) !== null;
}

function decoderOf(logs: readonly StoredSource[]): DecoderChoice | null {
  const [decoder, ...others] = new Set(logs.map((log) => log.decoder));
  if (typeof decoder !== 'string' || others.length > 0) return null;
  const { name, config } = JSON.parse(decoder) as Pick<DecoderChoice, 'name' | 'config'>;
  return { name, config, by: 'configuration', confidence: 1 };
}

const isStore = async (folder: string): Promise<boolean> => (await stat(join(folder, MANIFEST)).catch(() => null))?.isFile() === true;
