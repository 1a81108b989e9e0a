import { readdir, type FileHandle } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import type { RecordQuery, WindowPart } from '../../api/types.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import { openFile } from '../../inputs/shared/open-file.ts';
import { exportPieces } from '../../store/export.ts';
import type { RecordStore } from '../../store/record-store.ts';
import { partOf, rawText } from '../../store/segment.ts';
import { fillView } from '../query/exports.ts';
import { parseWorkspace } from '../file/workspace-content.ts';
import type { WorkspaceFile } from '../file/workspace-file.ts';
import type { ListedSources } from '../opening/listed-sources.ts';
import type { Annotations } from '../marks/annotations.ts';
import type { OpenSources } from '../sources/open-sources.ts';
import type { Source } from '../sources/source.ts';
import type { Part } from './archive.ts';
import { requireSavable, SCRIPT_NAME, SCRIPTS, type Manifest, type ManifestFile } from './manifest.ts';
import { packedScript } from './packed-script.ts';
import { portableSections, scriptsOf } from './portable.ts';

/** Kinds of sources whose lines are records; the others tell of the machine. */
export const OF_LINES: readonly string[] = ['file', 'udp', 'tcp', 'stdin', 'command'];

export interface PackOptions {
  readonly store: RecordStore;
  readonly sources: OpenSources;
  readonly listed: ListedSources;
  readonly file: WorkspaceFile;
  readonly annotations: Annotations;
  /** Of the scripts of the workspace. */
  readonly scripts: string;
}

/** A workspace that is ready to be written. */
export interface Packed extends AsyncDisposable {
  readonly manifest: Manifest;
  readonly parts: readonly Part[];
}

/** The records of a source, with their number of bytes. */
interface Records {
  readonly bytes: number;
  readonly part: Part;
  readonly close: () => void | Promise<void>;
}

/**
 * Gathers what is open.
 * @param records which lines of the sources come along; then sources that are no files become files
 * @throws {EngineError} `workspace.invalid`, `workspace.too-large`, `script.unreadable`, `file.unreadable`
 */
export async function packWorkspace(options: PackOptions, records: PackedRecords, window: WindowPart): Promise<Packed> {
  const { sources, listed, file, annotations } = options;
  const scripts = await scriptsIn(options);
  const shown = sources.all().filter(({ kind }) => kind === 'file' || (records !== false && OF_LINES.includes(kind)));
  const packed: Records[] = [];
  const close = async (): Promise<void> => {
    for (const one of packed) await one.close();
  };
  try {
    const files: ManifestFile[] = [];
    for (const source of shown) {
      const lines = records === false ? null : await recordsOf(source, options.store, records);
      if (lines?.bytes === 0 && typeof records === 'object') {
        // No record of it is wanted.
        await lines.close();
        continue;
      }
      if (lines !== null) packed.push(lines);
      const section = listed.nameOf(source);
      // A file that the workspace file lists is among the sections, unless its records come along.
      if (lines === null && !section.startsWith('file:')) continue;
      files.push(fileOf(source, section, lines, scripts));
    }
    const manifest: Manifest = {
      sluicebox: 'workspace',
      version: 1,
      savedAt: Date.now(),
      files,
      sections: portableSections(await file.text(), file.path, records === false, (script) => nameIn(scripts, script)),
      scripts: [...scripts.values()],
      highlighters: annotations.highlighters,
      filterSets: annotations.filterSets,
      recordGraphs: annotations.recordGraphs,
      incident: annotations.incident,
      leftOut: 0,
      marks: annotations.marks.keptOf(new Set(shown.map(({ location }) => location))),
      window: window as Manifest['window'],
    };
    requireSavable(manifest);
    return { manifest, parts: packed.map(({ part }) => part), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Scripts = ReadonlyMap<string, { readonly name: string; readonly text: string }>;

/** The scripts of the workspace's folder, and those that its file and decoders name elsewhere, by path. Two of one name get different ones. */
async function scriptsIn({ scripts: folder, file, sources }: PackOptions): Promise<Scripts> {
  const own = (await readdir(folder).catch(() => [])).filter((name) => SCRIPT_NAME.test(name) && !name.endsWith('.d.ts'));
  const named = scriptsOf(parseWorkspace(await file.text(), file.path));
  const decoders = sources.all().flatMap(({ decoder }) => (decoder !== null && isAbsolute(decoder.name) ? [decoder.name] : []));
  const found = new Map<string, { name: string; text: string }>();
  const taken = new Set<string>();
  for (const path of [...own.sort().map((name) => join(folder, name)), ...named, ...decoders]) {
    if (found.has(path)) continue;
    const name = freeName(plainScript(basename(path)), (candidate) => taken.has(candidate));
    taken.add(name);
    found.set(path, { name, text: await textOf(path) });
  }
  return found;
}

/** A name that a script may have in a workspace, as like the given one as can be. */
function plainScript(name: string): string {
  const plain = name
    .replaceAll(/[^\w.-]/g, '_')
    .slice(-190)
    .replace(/^[.-]/, '_');
  return SCRIPT_NAME.test(plain) ? plain : `${plain}.js`;
}

async function textOf(path: string): Promise<string> {
  try {
    return await packedScript(path);
  } catch (cause) {
    throw new EngineError('script.unreadable', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** The name that a script gets where `taken` others have it, `mine.ts` or `mine_2.ts`. */
export function nameBeside(name: string, taken: number): string {
  const [, stem = name, ending = ''] = /^(.*)(\.\w+)$/.exec(name) ?? [];
  return taken === 0 ? name : `${stem}_${taken + 1}${ending}`;
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  let taken = 0;
  while (isTaken(nameBeside(name, taken))) taken++;
  return nameBeside(name, taken);
}

function nameIn(scripts: Scripts, path: string): string {
  return scripts.get(path)?.name ?? basename(path);
}

function fileOf(source: Source, section: string, records: Records | null, scripts: Scripts): ManifestFile {
  const { location, label, decoder } = source;
  // One that was detected is detected again, where the source is the same.
  const isChosen = decoder !== null && (decoder.by !== 'detected' || records !== null);
  const name = decoder === null ? '' : isAbsolute(decoder.name) ? SCRIPTS + nameIn(scripts, decoder.name) : decoder.name;
  return {
    path: location,
    section,
    label,
    decoder: isChosen ? { name, config: { ...decoder.config } } : null,
    timeOffset: source.info().timeOffset,
    records: records?.bytes ?? null,
  };
}

/** Records by their numbers, ascending, and the text in which each of their lines is written. */
interface PickedRecords {
  readonly ids: readonly number[];
  readonly text: (line: string) => string;
}

/** Which records come along: all lines of the sources, those of the records that a query selects, those that were picked, or none. */
export type PackedRecords = boolean | RecordQuery | PickedRecords;

/** Records that come along where a query selects them, and their bytes. */
export async function packedSize({ sources, store }: PackOptions, query: RecordQuery): Promise<{ records: number; bytes: number }> {
  const size = { records: 0, bytes: 0 };
  for (const source of sources.all().filter(({ kind }) => OF_LINES.includes(kind))) {
    const { count, bytes, close } = await ofStore(source, store, query);
    await close();
    size.records += count;
    size.bytes += bytes;
  }
  return size;
}

/** The records of a source: the bytes of a file as it is now, else the lines that were read; of some of them, with the head of their file. */
async function recordsOf(source: Source, store: RecordStore, records: Exclude<PackedRecords, false>): Promise<Records> {
  if (typeof records === 'object' && 'ids' in records) return ofPicked(source, store, records);
  if (records !== true) return ofStore(source, store, records);
  const file = source.kind === 'file' ? await openFile(source.location).catch(() => null) : null;
  return file === null ? ofStore(source, store) : ofFile(file, source.location, (await file.stat()).size);
}

function ofFile(file: FileHandle, path: string, bytes: number): Records {
  async function* part(): AsyncGenerator<Uint8Array> {
    let left = bytes;
    const stream = file.createReadStream({ start: 0, end: Math.max(0, bytes - 1), autoClose: false });
    if (bytes > 0) {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        left -= piece.length;
        yield piece;
      }
    }
    if (left > 0) throw new EngineError('file.unreadable', `${path} became shorter while it was read. Save the workspace again.`);
  }
  return { bytes, part: { [Symbol.asyncIterator]: part }, close: () => file.close() };
}

async function ofStore({ id }: Source, store: RecordStore, query: RecordQuery = {}): Promise<Records & { readonly count: number }> {
  const isLeftOut = query.sources !== undefined && query.sources.length > 0 && !query.sources.includes(id);
  const { view, filled } = fillView(store, { ...query, sources: [id] });
  await filled;
  view.freeze();
  const count = isLeftOut ? 0 : view.total;
  const head = count === 0 ? '' : await headOf(id, store, async (record) => (await view.locate(record)) !== null);
  const form = { format: 'raw', columns: [], labelOf: () => '', notes: new Map<number, string>() } as const;
  async function* part(): AsyncGenerator<Uint8Array> {
    if (head !== '') yield Buffer.from(head);
    if (count > 0) for await (const { text } of exportPieces(view, form)) if (text !== '') yield Buffer.from(text);
  }
  let bytes = 0;
  for await (const piece of part()) bytes += piece.length;
  return { bytes, count, part: { [Symbol.asyncIterator]: part }, close: () => view.close() };
}

async function ofPicked({ id }: Source, store: RecordStore, { ids, text }: PickedRecords): Promise<Records> {
  const picked = new Set(ids);
  const own = ids.filter((record) => {
    const place = store.find(record);
    return place !== undefined && partOf(place.segment, place.row).source === id;
  });
  const head = own.length === 0 ? '' : text(await headOf(id, store, (record) => Promise.resolve(picked.has(record))));
  async function* part(): AsyncGenerator<Uint8Array> {
    if (head !== '') yield Buffer.from(head);
    for (const record of own) {
      const place = store.find(record);
      if (place !== undefined) yield Buffer.from(`${text(rawText(await store.load(place.segment)).at(place.row))}\n`);
    }
  }
  let bytes = 0;
  for await (const piece of part()) bytes += piece.length;
  return { bytes, part: { [Symbol.asyncIterator]: part }, close: () => undefined };
}

/** Lines in front of the records of a file by which its decoder reads them, such as the names of columns, unless they come along anyway. */
async function headOf(source: number, store: RecordStore, isThere: (record: number) => Promise<boolean>): Promise<string> {
  let text = '';
  for (const segment of store.segments) {
    const rows = segment.comments.filter((row) => partOf(segment, row).source === source);
    if (rows.length === 0) continue;
    const raw = rawText(await store.load(segment));
    for (const row of rows) if (!(await isThere(segment.firstId + row))) text += `${raw.at(row)}\n`;
  }
  return text;
}
