import { firstIndex } from '../message/binary-search.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn, TextColumn } from '../message/batch/columns.ts';
import { concatBatches } from '../message/batch/gather.ts';
import { hasHeldTexts, holdTexts, releaseTexts, withMadeTexts } from '../message/batch/held-texts.ts';
import { byteLengthOf, decodeBatch, encodeBatch, hasWideTexts, type TakeMemory, type WantedColumns } from '../message/batch/wire.ts';
import { alarmsOf } from './alarms.ts';
import { BufferPool } from './buffers.ts';
import { WeightedCache } from './cache.ts';
import { SegmentFile, type ReadableFile } from './segment-file.ts';
import { alikeInBoth, type AlikeFields } from './alike-fields.ts';
import { NO_RANGES, numberRanges } from './number-ranges.ts';
import { WholeRecords, type LaterColumns } from './later-columns.ts';
import { kindOf, sharedType } from './record-kind.ts';
import { SmallArrays } from './small-arrays.ts';
import { aliveRows, SEALED, withRaw, type FilePlace, type Segment, type SegmentPart } from './segment.ts';
import { StoredColumns } from './stored-columns.ts';
import { summarise, type TimeSummary } from './summary.ts';
import { millisecondsOf } from './times.ts';

interface RecordStoreOptions {
  /** Folder of the temporary file. */
  readonly folder: string;
  /** Bytes of decoded segments that are kept in memory. */
  readonly cacheBytes?: number;
  /** Condition on which searches ask ripgrep. */
  readonly scouting?: ScoutLimits;
  /** Told once why the file cannot be written, and with null that it can be again. Meanwhile `append` waits. */
  readonly onProblem?: (text: string | null) => void;
}

/** A batch of new records. */
export interface AppendedRecords {
  readonly batch: MessageBatch;
  /** The records as they were read; null when the messages are the records. */
  readonly raw: TextColumn | null;
  readonly source: number;
  /** Number of the stream within the source, whose records are in order; 0 by default. */
  readonly stream?: number;
  readonly decoder: string | null;
  /** They came while their source was watched; absent: they were there before, and were only read now. */
  readonly fresh?: boolean;
  /** Rows that are of another form than their source (ascending); absent: none. */
  readonly others?: readonly number[] | undefined;
  /** Rows that are the header or comments of their file (ascending); absent: none. */
  readonly comments?: Uint32Array | undefined;
}

/** The changes of the store that views are told of. Segments are given by their index in `segments`. */
export interface StoreListener {
  appended(index: number, fresh: boolean): void;
  /** `count` segments from `index` on became one that holds the same records. */
  merged(index: number, count: number): void;
  /** Records were removed: all segments are to be read again. */
  reset(): void;
  /** Records in the segments from `index` on have other later columns. */
  altered?(index: number): void;
}

/** Segments of fewer rows stay in memory until they are merged. */
const SMALL_ROWS = 512;
/** Number of small segments of one level that are merged. */
const FAN_IN = 16;
/** Merged segments of this size are written. */
const SEAL_ROWS = 4096;
/** Bytes that may wait to be written before `append` waits. */
const MAX_UNWRITTEN = 12 * 2 ** 20;
const NO_ROWS = new Uint32Array(0);
const DEFAULT_CACHE = 12 * 2 ** 20;
const DEFAULT_SCOUTING: ScoutLimits = { afterMs: 40, leastBytes: 16 * 2 ** 20, leastSegments: 16 };

/** Condition on which a search asks ripgrep, which takes some milliseconds to start and brings nothing where most segments have hits. */
export interface ScoutLimits {
  /** Milliseconds that the search has taken. */
  readonly afterMs: number;
  /** Bytes in the file of the segments. */
  readonly leastBytes: number;
  /** Segments from which on the share of those with hits says something. */
  readonly leastSegments: number;
}

/**
 * All records of a workspace in order of arrival, as segments in a temporary file with a small index in memory. Numbers of
 * records are never used again. Small batches are merged in memory before they are written, so that live input makes no endless index.
 */
export class RecordStore {
  readonly segments: Segment[] = [];
  readonly scouting: ScoutLimits;
  readonly #later = new WholeRecords();
  readonly #file: SegmentFile;
  readonly #columns: StoredColumns;
  readonly #cache: WeightedCache<Segment, MessageBatch>;
  /** Segments whose records were handed out before they were written: nobody knows how long these are read. */
  readonly #lent = new WeakSet<Segment>();
  readonly #loading = new Map<Segment, Promise<MessageBatch>>();
  readonly #listeners = new Set<StoreListener>();
  readonly #buffers = new BufferPool();
  readonly #arrays = new SmallArrays();
  #nextId = 0;
  #alive = 0;
  #unwritten = 0;
  #writes: Promise<void> = Promise.resolve();
  /** Sources whose records do not wait for room. */
  readonly #passing = new Set<number>();
  #passes = Promise.withResolvers<void>();

  constructor(options: RecordStoreOptions) {
    this.#file = new SegmentFile(options.folder, options.onProblem);
    this.#columns = new StoredColumns(this.#file);
    this.#cache = new WeightedCache(options.cacheBytes ?? DEFAULT_CACHE);
    this.scouting = options.scouting ?? DEFAULT_SCOUTING;
  }

  /** Records that can be seen. */
  get records(): number {
    return this.#alive;
  }

  /** Number of the record that came last; null: none did. */
  get lastId(): number | null {
    return this.#nextId === 0 ? null : this.#nextId - 1;
  }

  /** Bytes of the temporary file. */
  get bytes(): number {
    return this.#file.size;
  }

  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Gives records later columns, or takes them away. */
  setLater(later: LaterColumns | null): void {
    this.#later.set(later);
    this.altered(0);
  }

  /** Says that records in the segments from an index on have other later columns. */
  altered(index: number): void {
    for (const listener of this.#listeners) listener.altered?.(index);
  }

  /** The later columns of a segment. */
  laterOf = (segment: Segment): readonly FieldColumn[] => this.#later.of(segment);

  /** Records of a segment with their later columns. */
  whole = (segment: Segment, batch: MessageBatch): MessageBatch => this.#later.whole(segment, batch);

  /** Adds records. They can be seen at once; resolves when there is room for more, which takes as long as the disk is full. */
  async append(records: AppendedRecords): Promise<void> {
    const { length } = records.batch;
    if (length === 0) return;
    const { source, stream = 0, decoder, comments = NO_ROWS } = records;
    const isSmall = length < SMALL_ROWS;
    const read = withRaw(records.batch, records.raw);
    // Small ones may wait for long until they are merged.
    const batch = isSmall ? withMadeTexts(read) : read;
    const summary = summaryOf(batch);
    const { minTime, maxTime } = summary;
    const kind = kindOf(records);
    const part: SegmentPart = {
      firstRow: 0,
      source,
      stream,
      decoder,
      removed: false,
      minTime,
      maxTime,
      ...kind,
      alike: this.#sameAlike(kind.alike),
    };
    const segment = this.#makeSegment(this.#nextId, batch, { parts: [part], comments, summary }, isSmall ? 0 : SEALED);
    this.#nextId += length;
    this.#alive += length;
    this.segments.push(segment);
    for (const listener of this.#listeners) listener.appended(this.segments.length - 1, records.fresh ?? false);
    if (segment.level === SEALED) {
      this.#seal(segment);
      this.#mergeTail(this.segments.length - 1, Infinity);
    } else this.#mergeLevels();
    while (this.#unwritten > MAX_UNWRITTEN && !this.#passing.has(source)) await Promise.race([this.#writes, this.#passes.promise]);
  }

  /** Lets the records of a source wait for no room during this work: it is being closed, and a full disk must not hold that up. */
  async passing(source: number, work: () => Promise<void>): Promise<void> {
    this.#passing.add(source);
    this.#passes.resolve();
    this.#passes = Promise.withResolvers();
    try {
      await work();
    } finally {
      this.#passing.delete(source);
    }
  }

  /** Removes a source's records from sight. Their numbers are not used again. */
  remove(source: number): void {
    let kept = 0;
    for (const segment of this.segments) {
      if (segment.parts.some((part) => part.source === source && !part.removed)) {
        segment.parts = segment.parts.map((part) => (part.source === source ? { ...part, removed: true } : part));
        segment.alive = aliveRows(segment);
      }
      // A small one stays, so that its neighbours can still be merged without a gap in their numbers.
      if (segment.alive > 0 || segment.level !== SEALED) this.segments[kept++] = segment;
      else this.#cache.delete(segment);
    }
    this.segments.length = kept;
    this.#alive = this.segments.reduce((sum, segment) => sum + segment.alive, 0);
    for (const listener of this.#listeners) listener.reset();
  }

  /** The records of a segment with their raw column, from memory if they are there, to be looked at at once; undefined: `load` gets them. */
  peek(segment: Segment): MessageBatch | undefined {
    const batch = this.#there(segment);
    return batch === undefined ? undefined : this.whole(segment, batch);
  }

  /** The records of a segment with their raw column. */
  async load(segment: Segment): Promise<MessageBatch> {
    return this.whole(segment, await this.#bare(segment));
  }

  #there(segment: Segment): MessageBatch | undefined {
    return segment.batch ?? this.#cache.get(segment);
  }

  async #bare(segment: Segment): Promise<MessageBatch> {
    if (segment.batch !== null) this.#lent.add(segment);
    return this.#there(segment) ?? (await this.#load(segment));
  }

  /**
   * Some columns of the records of a segment, and their timestamps; all of them where they are in memory.
   * @param wanted null: all
   */
  async columns(segment: Segment, wanted: WantedColumns | null): Promise<MessageBatch> {
    if (wanted === null || segment.place === null || this.#there(segment) !== undefined) return this.load(segment);
    const read = await this.#columns.read(segment.place, wanted);
    return read === null ? this.load(segment) : this.whole(segment, read);
  }

  /** The same without later columns, in memory of the caller, who may use it again when the batch is not needed any more. */
  async readInto(segment: Segment, wanted: WantedColumns | null, memory: TakeMemory): Promise<MessageBatch> {
    const { place } = segment;
    if (place === null || this.#there(segment) !== undefined) return this.#bare(segment);
    return wanted === null ? decodeBatch(await this.#file.read(place, memory)) : this.#columns.readInto(place, wanted, memory);
  }

  #load(segment: Segment): Promise<MessageBatch> {
    let loading = this.#loading.get(segment);
    if (loading === undefined) {
      loading = this.#read(segment, segment.place as FilePlace).finally(() => this.#loading.delete(segment));
      this.#loading.set(segment, loading);
    }
    return loading;
  }

  /** The records of a segment with their raw column in the form of the file, for another thread: the memory is the caller's. */
  async encoded(segment: Segment): Promise<Uint8Array<ArrayBuffer>> {
    const { place, batch } = segment;
    if (place !== null) return this.#file.read(place);
    const pieces = encodeBatch(batch as MessageBatch);
    const bytes = new Uint8Array(byteLengthOf(pieces));
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /** The file of the written segments for a child process; null: there is no way to it. */
  readable(): Promise<ReadableFile | null> {
    return this.#file.readable();
  }

  /** The segment that holds a record and the record's row there; undefined when it was removed or never was. */
  find(id: number): { readonly segment: Segment; readonly row: number } | undefined {
    const behind = firstIndex(this.segments.length, (i) => (this.segments[i] as Segment).firstId > id);
    const segment = this.segments[behind - 1];
    if (segment === undefined || id < segment.firstId || id >= segment.firstId + segment.length) return undefined;
    return { segment, row: id - segment.firstId };
  }

  /** Resolves when all that waits has been written. */
  async flushed(): Promise<void> {
    await this.#writes;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#file.close();
    await this.#writes;
    this.#cache.clear();
    this.#buffers.clear();
  }

  async #read(segment: Segment, place: FilePlace): Promise<MessageBatch> {
    const batch = decodeBatch(await this.#file.read(place));
    this.#cache.set(segment, batch, place.length);
    return batch;
  }

  /** Merges the last segments while enough of one level stand in a row. */
  #mergeLevels(): void {
    for (;;) {
      const level = this.segments.at(-1)?.level ?? SEALED;
      if (level === SEALED) return;
      let first = this.segments.length;
      while (first > 0 && (this.segments[first - 1] as Segment).level === level) first--;
      const count = this.segments.length - first;
      if (count < FAN_IN) return;
      this.#merge(first, count, level + 1);
    }
  }

  /** A run of small segments before `end` gets no further neighbours: makes one written segment of it. */
  #mergeTail(end: number, level: number): void {
    let first = end;
    while (first > 0 && (this.segments[first - 1] as Segment).level !== SEALED) first--;
    if (first < end) this.#merge(first, end - first, level);
  }

  #merge(first: number, count: number, level: number): void {
    const old = this.segments.slice(first, first + count);
    const batch = concatBatches(old.map((segment) => segment.batch as MessageBatch));
    const sealed = batch.length >= SEAL_ROWS ? SEALED : level;
    const { firstId } = old[0] as Segment;
    const about = { parts: joinParts(old), comments: joinComments(old), summary: summaryOf(batch) };
    const merged = this.#makeSegment(firstId, batch, about, sealed);
    this.segments.splice(first, count, merged);
    if (merged.level === SEALED) this.#seal(merged);
    for (const listener of this.#listeners) listener.merged(first, count);
  }

  #makeSegment(firstId: number, batch: MessageBatch, { parts, comments, summary }: About, level: number): Segment {
    const { length } = batch;
    const { minTime, maxTime } = summary;
    const alarms = alarmsOf(batch, null);
    // Those that are merged soon are not kept.
    const isKept = level === SEALED;
    return {
      firstId,
      length,
      parts,
      comments,
      batch,
      level,
      place: null,
      isNarrow: false,
      minTime,
      maxTime,
      summary: isKept ? { ...summary, cells: this.#arrays.words(summary.cells) } : summary,
      alarms: isKept ? { error: this.#arrays.bytes(alarms.error), warning: this.#arrays.bytes(alarms.warning) } : alarms,
      numbers: isKept ? numberRanges(batch) : NO_RANGES,
      alive: aliveRows({ parts, length }),
    };
  }

  /** Fields that are alike, as the segment before has them when they are the same: there may be tens of thousands. */
  #sameAlike(alike: AlikeFields): AlikeFields {
    const before = this.segments.at(-1)?.parts.at(-1)?.alike;
    const isSame = alike !== undefined && before?.size === alike.size && [...alike].every(([name, value]) => before.get(name) === value);
    return isSame ? before : alike;
  }

  #buffer(size: number, used: Buffer[]): Buffer {
    const buffer = this.#buffers.take(size);
    used.push(buffer);
    return buffer;
  }

  /** Writes a segment, then lets its records go from memory. */
  #seal(segment: Segment): void {
    const batch = segment.batch as MessageBatch;
    const used: Buffer[] = [];
    const pieces = encodeBatch(batch, { allocate: (size) => this.#buffer(size, used) });
    const bytes = byteLengthOf(pieces);
    const isNarrow = !hasWideTexts(pieces);
    const isHeld = hasHeldTexts(batch);
    holdTexts(batch);
    this.#unwritten += bytes;
    this.#writes = Promise.all([this.#file.append(pieces), this.#writes])
      .then(([place]) => {
        segment.place = place;
        segment.isNarrow = isNarrow;
        segment.batch = null;
        // Memory of texts is used again for those that are read next.
        if (isHeld && !this.#lent.has(segment)) releaseTexts(batch);
        else this.#cache.set(segment, batch, bytes);
      })
      // It is closed: what is in memory alone goes with it.
      .catch(() => undefined)
      .finally(() => {
        this.#unwritten -= bytes;
        this.#buffers.give(used);
      });
  }
}

const summaryOf = ({ timestamps, severity }: MessageBatch): TimeSummary => summarise(millisecondsOf(timestamps), severity, null);

type About = Pick<Segment, 'parts' | 'comments' | 'summary'>;

/** The rows of headers and comments in consecutive segments as those of one. */
function joinComments(segments: readonly Segment[]): Uint32Array {
  const [first] = segments;
  if (first === undefined || segments.every(({ comments }) => comments.length === 0)) return NO_ROWS;
  return Uint32Array.from(segments.flatMap(({ comments, firstId }) => Array.from(comments, (row) => row + firstId - first.firstId)));
}

/** The parts of consecutive segments as those of one; neighbours from the same source and decoder become one. */
function joinParts(segments: readonly Segment[]): SegmentPart[] {
  const parts: SegmentPart[] = [];
  let base = 0;
  for (const segment of segments) {
    for (const part of segment.parts) {
      const last = parts.at(-1);
      if (last === undefined || !sameOrigin(last, part)) parts.push({ ...part, firstRow: part.firstRow + base });
      else {
        const minTime = Math.min(last.minTime, part.minTime);
        const type = sharedType(last.type, part.type);
        const maxTime = Math.max(last.maxTime, part.maxTime);
        const [texts, severities, fractions] = [
          last.texts || part.texts,
          last.severities || part.severities,
          last.fractions || part.fractions,
        ];
        const alike = alikeInBoth(last.alike, part.alike);
        parts[parts.length - 1] = { ...last, minTime, maxTime, type, texts, severities, fractions, alike };
      }
    }
    base += segment.length;
  }
  return parts;
}

function sameOrigin(a: SegmentPart, b: SegmentPart): boolean {
  return a.source === b.source && a.stream === b.stream && a.decoder === b.decoder && a.removed === b.removed;
}
