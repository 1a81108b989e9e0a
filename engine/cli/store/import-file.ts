import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ageOf, TextSource, type Age } from '../../inputs/shared/read.ts';
import type { ManifestFile, StoredSource } from '../../lake/manifest.ts';
import type { Store } from '../../lake/store.ts';
import type { StoreWriter } from '../../lake/store-writer.ts';
import { headOf, TextFile, TextSlices, wholeLines } from '../../lake/text-file.ts';
import type { CommandContext } from '../command.ts';
import type { DecodedSource, FileDecoders, KnownDecoder, StartedDecoder } from '../file-decoders.ts';
import type { InputChunk } from '../message-source.ts';
import type { StoreJob } from '../query/store-job.ts';
import { tableName } from '../../ask/table-names.ts';
import { decoderSplit } from '../../plugins/split.ts';
import type { StoredDecoders } from './stored-decoders.ts';
import { knownSource, type Known } from './known-source.ts';

export interface Importer {
  readonly store: Store;
  readonly writer: StoreWriter;
  readonly job: StoreJob;
  readonly decoders: FileDecoders;
  readonly context: CommandContext;
  /** The decoder as it is stored, when it is told and not recognised: files are decoded anew when they had another one, or other settings. */
  readonly decoder: KnownDecoder | null;
  readonly stored: StoredDecoders;
  /** Of a log that is followed; absent: its whole text is imported. */
  readonly live?: LiveDecoder;
  /** Lines after which what was read is entered; about 120,000 by default. */
  readonly sliceLines?: number;
}

/** The decoder of a log that is followed, which goes on from one piece of its text to the next. */
export class LiveDecoder {
  /** Nothing more is to be added to the log, so a last line without its end counts. */
  isFinal = false;
  started: StartedDecoder | null = null;

  /** Whether the log is read anew as a whole when it has grown. */
  get isWhole(): boolean {
    return this.started !== null && !isByLines(this.started.decoder);
  }
}

/**
 * Imports what a store does not have of a file. What was entered stays, whenever the process ends: a file whose records are lines goes on there, others are read
 * anew and replace what there was.
 * @throws {InputError} for a file that cannot be read; {EngineError} `store.unwritable`
 */
export async function importFile(path: string, importer: Importer): Promise<void> {
  await using file = await TextFile.open(path);
  await importOpened(file, path, importer);
}

/** The same for a file that is open. @returns the number of its source; null: nothing was entered */
export async function importOpened(file: TextFile, path: string, importer: Importer): Promise<number | null> {
  const { store, writer, job, context } = importer;
  const place = resolve(path);
  const table = tableName(path);
  const found = await knownSource(store.manifest, table, file, place);
  const known = otherDecoder(found, importer);
  if (known.kind === 'same') {
    await touch(store, known.source, file, place);
    return null;
  }
  if (known.kind === 'changed') context.complain(`${path}: ${whyAnew(found, importer)}, so it is read anew`);
  await writer.begin(store.columnsOf(table));
  try {
    return await new SourceImport(importer, file, {
      path,
      place,
      table,
      known,
      before: isAsBefore(found) ? knownDecoder(found.source) : null,
    }).run();
  } finally {
    if (!context.signal.aborted) job.tellRefused(path);
  }
}

/** A source whose decoder is another one now, was edited, or has other settings, is read anew. */
function otherDecoder(known: Known, importer: Importer): Known {
  if (known.kind === 'new' || changeOf(known.source, importer) === null) return known;
  return { kind: 'changed', source: known.source };
}

function whyAnew(found: Known, importer: Importer): string {
  const change = isAsBefore(found) ? changeOf(found.source, importer) : null;
  return change ?? 'it was changed since it was imported';
}

/** The change of a source's decoder since it was imported; null: none. When the importer names no decoder, only the script of the former one is compared. */
function changeOf(source: StoredSource, { decoder: told, stored }: Importer): string | null {
  const before = knownDecoder(source);
  if (told !== null && told.name !== before?.name) return 'it had another decoder';
  if (told !== null && !isDeepStrictEqual(told.config, before?.config)) return 'its decoder had other settings';
  if (before?.script === undefined || before.script === stored.hashOf(before.name)) return null;
  return 'its decoder was edited';
}

const knownDecoder = ({ decoder }: StoredSource): KnownDecoder | null => (decoder === null ? null : (JSON.parse(decoder) as KnownDecoder));

/** Notes that a file is the same under another name or time. */
async function touch(store: Store, source: StoredSource, { size, mtimeNs }: TextFile, path: string): Promise<void> {
  if (source.path === path && source.fileSize === size && source.fileMtimeNs === mtimeNs) return;
  await store.commit({ ...source, path, fileSize: size, fileMtimeNs: mtimeNs }, source.id, { added: [], removed: [] });
}

interface What {
  /** As it was named, and whole. */
  readonly path: string;
  readonly place: string;
  readonly table: string;
  readonly known: Known;
  /** The decoder that it had, which decodes the same text again unless another one is told. */
  readonly before: KnownDecoder | null;
}

const isAsBefore = (found: Known): found is Extract<Known, { kind: 'same' | 'grown' }> => found.kind === 'same' || found.kind === 'grown';

/** The import of one file, slice by slice. */
class SourceImport {
  readonly #importer: Importer;
  readonly #file: TextFile;
  readonly #what: What;
  #id: number | null;
  #isEntered = false;
  /** Files that the next commit replaces. */
  #replaced: readonly string[];

  constructor(importer: Importer, file: TextFile, what: What) {
    const { known } = what;
    this.#importer = importer;
    this.#file = file;
    this.#what = what;
    this.#id = known.kind === 'new' ? null : known.source.id;
    const isOld = (last: boolean): boolean => known.kind === 'changed' || last;
    this.#replaced = importer.store.manifest
      .files()
      .flatMap(({ name, source, last }) => (source === this.#id && isOld(last) ? [name] : []));
  }

  /** @returns the number of the source; null: nothing was entered */
  async run(): Promise<number | null> {
    const { decoders, context, job, writer, live } = this.#importer;
    const { path, table, known, before } = this.#what;
    const from = known.kind === 'grown' ? { end: known.source.settled, lines: known.source.settledLines } : { end: 0, lines: 0 };
    const text = this.#file.text(from.end);
    const slices = new TextSlices(this.#waitsForLines ? wholeLines(text) : text, from, this.#importer.sliceLines);
    const age = await ageOf(path, this.#file.isPlain ? from.end : 0);
    let source = this.#slice(slices, age);
    const started = await this.#decoder(() => decoders.start(source, before));
    const { sandbox, decoder, second } = started;
    slices.byLines = isByLines(decoder);
    job.into(table, started);
    try {
      for (;;) {
        const isWhole = await job.run(numbered(decoders.read(source, decoder), slices));
        await source.close();
        if (!isWhole) {
          await writer.drop();
          if (live !== undefined) live.started = null;
          break;
        }
        if (slices.end > from.end || !this.#waitsForLines) await this.#enter(await writer.seal(), slices, decoder);
        if (slices.isAtEnd) break;
        source = this.#slice(slices, age);
      }
    } finally {
      await slices.close();
      if (!context.signal.aborted && (live === undefined || live.isWhole)) {
        await sandbox.stop();
        await second?.stop();
      }
    }
    return this.#isEntered ? this.#id : null;
  }

  /** Whether a last line without its end is left for later. */
  get #waitsForLines(): boolean {
    const { live } = this.#importer;
    return live !== undefined && !live.isFinal;
  }

  /** The decoder of a log that is followed by lines stays, others are new. */
  async #decoder(start: () => Promise<StartedDecoder>): Promise<StartedDecoder> {
    const { live } = this.#importer;
    if (live?.started && !live.isWhole) return live.started;
    const started = await start();
    if (live !== undefined) live.started = started;
    return started;
  }

  #slice(slices: TextSlices, age: Age | null): TextSource {
    return new TextSource({ name: this.#what.path, chunks: slices.slice(), isText: true, age });
  }

  async #enter(files: readonly ManifestFile[], slices: TextSlices, decoder: DecodedSource['decoder']): Promise<void> {
    const { store, stored } = this.#importer;
    const { table, place } = this.#what;
    const isSettled = slices.byLines && (!slices.isAtEnd || this.#waitsForLines);
    const { size: fileSize, mtimeNs } = this.#file;
    const settled = isSettled ? { end: slices.end, lines: slices.lines } : slices.begin;
    this.#id = await store.commit(
      {
        table,
        path: place,
        decoder: decoder === null ? null : JSON.stringify(stored.of(...decoder)),
        // A file that is not read to its end is looked at again.
        fileSize: slices.isAtEnd && !this.#waitsForLines ? fileSize : -1,
        fileMtimeNs: mtimeNs,
        size: slices.end,
        head: await headOf(this.#file, slices.end),
        tail: slices.tail,
        settled: slices.byLines ? settled.end : 0,
        settledLines: slices.byLines ? settled.lines : 0,
      },
      this.#id,
      { added: files.map((file) => ({ file, last: !isSettled })), removed: this.#replaced },
    );
    this.#replaced = [];
    this.#isEntered = true;
  }
}

/** Whether a file can be read on from any line: each line is a record, and none needs those before. */
const isByLines = (decoder: DecodedSource['decoder']): boolean =>
  decoder === null || (decoder[0].meta?.stateless === true && decoderSplit(...decoder).kind === 'line');

/** The records of a slice with their line numbers in the file. */
async function* numbered(chunks: AsyncIterable<InputChunk>, { begin }: TextSlices): AsyncGenerator<InputChunk> {
  for await (const chunk of chunks) yield { ...chunk, lineOf: (row) => begin.lines + chunk.lineOf(row) };
}
