import { hostname } from 'node:os';
import type { DecoderChoice, EngineRequests, UnreadPage, UnreadRecord } from '../../api/types.ts';
import { Serial } from '../../base/time/serial.ts';
import type { DecoderDetector } from '../../detect/detect.ts';
import { openFile } from '../../inputs/shared/open-file.ts';
import { ageOf, type Age } from '../../inputs/shared/read.ts';
import { makeSplitter, type SplitOptions } from '../../inputs/splitters/index.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import type { PluginScript } from '../../plugins/types.ts';
import type { Sandbox } from '../../sandbox/contract/types.ts';
import { summaryPlan } from '../../plugins/summary-plan.ts';
import type { PluginMeta } from '../../plugins/types.ts';
import { RecordSummaries } from '../../store/record-summaries.ts';
import { columnReader, rowContent, withDistances } from '../../store/rows.ts';
import { SourceRefusedReader } from './refused-reader.ts';
import { startDecoder } from './running-decoder.ts';
import { compileUnread, UnreadRecords, type UnreadChunk, type UnreadRow } from './unread-records.ts';
import { WholeRecordsFile } from './whole-records.ts';

/** A place in a file, how many records to show there, and which. */
export type UnreadPlace = Omit<EngineRequests['source.unread']['in'], 'id'>;

/** Bytes that one request looks through in each direction for records that its query selects. */
const MOST_SEARCHED = 4 << 20;
/** Bytes within which a time is looked for record by record. */
const NEAR_BYTES = 256 << 10;
/** Ways of cutting of which any record shows where it begins. */
const CUT_ANYWHERE: ReadonlySet<SplitOptions['kind']> = new Set(['line', 'regex']);

interface UnreadFileOptions {
  readonly source: { readonly id: number; readonly label: string; readonly location: string };
  /** The name of its input. */
  readonly name: string;
  readonly context: { readonly starter: SandboxStarter; readonly detector: DecoderDetector };
  /** The decoder of the source, as it is then. */
  readonly decoders: { readonly choice: DecoderChoice | null; readonly script: PluginScript | null; readonly split: SplitOptions };
  readonly timeOffset: () => bigint;
}

/** A decoder of its own, and what reads the records that it refuses. */
interface Running {
  readonly of: DecoderChoice | null;
  readonly decoder: Sandbox | null;
  readonly refused: SourceRefusedReader;
}

/** Shows the records of any place of a file before those in front of it are read: by a decoder of its own, so that nothing is counted twice. */
export class UnreadFile {
  readonly #options: UnreadFileOptions;
  readonly #turns = new Serial();
  #running: Running | null = null;
  #aged: { readonly version: string; readonly age: Age | null } | null = null;

  constructor(options: UnreadFileOptions) {
    this.#options = options;
  }

  /**
   * The records of a place.
   * @returns null where they cannot be told without those in front of them, for what cannot be read by bytes, and for what is gone
   * @throws {EngineError} `query.matcher`, `query.regex`
   */
  page(place: UnreadPlace): Promise<UnreadPage | null> {
    return this.#turns.run(() => this.#page(place));
  }

  /** Ends its decoder, until another page is wanted. */
  rest(): Promise<void> {
    return this.#turns.run(() => this.#rest());
  }

  async #page(place: UnreadPlace): Promise<UnreadPage | null> {
    const select = compileUnread(place.query);
    const { source, decoders, name, timeOffset } = this.#options;
    const { id, location: path } = source;
    const { choice, script, split } = decoders;
    if (!CUT_ANYWHERE.has(split.kind) || (choice !== null && script?.meta?.stateless !== true)) return null;
    const handle = await openFile(path).catch(() => null);
    if (handle === null) return null;
    try {
      // Side by side: while the file is read, each step waits for its turn.
      const looking = WholeRecordsFile.of(handle);
      const aging = looking.then((file) => (file === null ? null : this.#ageOf(file)));
      const [file, age, running] = await Promise.all([looking, aging, this.#start(choice)]);
      if (file === null) return null;
      const headers = { type: 'logfile', logger: name, hostname: hostname() };
      const form = { splitter: makeSplitter(split), ...running, headers, path, age, timeOffset };
      return await new PageReader(new UnreadRecords(file, form), file, select, { id, meta: script?.meta ?? null }).read(place);
    } finally {
      await handle.close();
      if (this.#running?.decoder?.state === 'terminated') await this.#rest();
    }
  }

  /** The times of the file, which are looked for anew when it has changed. */
  async #ageOf({ version }: WholeRecordsFile): Promise<Age | null> {
    if (this.#aged?.version !== version) this.#aged = { version, age: await ageOf(this.#options.source.location) };
    return this.#aged.age;
  }

  async #start(choice: DecoderChoice | null): Promise<Running> {
    if (this.#running !== null && this.#running.of === choice) return this.#running;
    await this.#rest();
    const { source, context } = this.#options;
    const { starter, detector } = context;
    const decoder = choice === null ? null : await startDecoder(starter, choice, source.label);
    const refused = new SourceRefusedReader({ starter, detector, choice: () => choice });
    return (this.#running = { of: choice, decoder, refused });
  }

  async #rest(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.decoder?.stop();
    await running?.refused.stop();
  }
}

/** A source and the meta of its decoder. */
interface UnreadSource {
  readonly id: number;
  readonly meta: PluginMeta | null;
}

/** Reads one page. */
class PageReader {
  readonly #records: UnreadRecords;
  readonly #file: WholeRecordsFile;
  readonly #select: (rows: readonly UnreadRow[]) => readonly UnreadRow[];
  readonly #source: UnreadSource;

  constructor(
    records: UnreadRecords,
    file: WholeRecordsFile,
    select: (rows: readonly UnreadRow[]) => readonly UnreadRow[],
    source: UnreadSource,
  ) {
    this.#records = records;
    this.#file = file;
    this.#select = select;
    this.#source = source;
  }

  async read({ at: place, before, count, columns, more = [] }: UnreadPlace): Promise<UnreadPage | null> {
    const at = typeof place === 'number' ? place : await this.#atTime(place.time);
    const around = at === null ? null : await this.#records.around(at);
    if (at === null || around === null) return null;
    const isEnd = at >= this.#file.size;
    const start = isEnd ? around.to : (around.rows.findLast((row) => row.at <= at)?.at ?? around.from);
    let size = isEnd ? around.to : this.#file.size;
    let rows = [...this.#select(around.rows)];
    let { from, to } = around;
    /** Number of the first one that is not in front of the place. */
    let middle = rows.filter((row) => row.at < start).length;
    while (middle < before && from > this.#file.first && start - from < MOST_SEARCHED) {
      const chunk = await this.#records.before(from);
      if (chunk === null) return null;
      const more = this.#select(chunk.rows);
      rows = [...more, ...rows];
      middle += more.length;
      from = chunk.from;
    }
    const first = Math.max(0, middle - before);
    while (rows.length - first < count && to < size && to - start < MOST_SEARCHED) {
      const chunk = await this.#records.behind(to);
      if (chunk === null) return null;
      rows.push(...this.#select(chunk.rows));
      // The rest of the file is a record that is being written.
      if (chunk.to === to) size = to;
      to = chunk.to;
    }
    const shown = rows.slice(first, first + count);
    const next = rows[first + count]?.at ?? to;
    // One record that makes more messages than there is room for cannot be moved in by bytes.
    if (shown.length > 0 && next === shown[0]?.at) return null;
    return { records: this.#shown(shown, columns, more), first: middle < before ? from : (shown[0]?.at ?? start), end: next, size };
  }

  #shown(rows: readonly UnreadRow[], columns: readonly string[], more: readonly ('summary' | 'since')[]): UnreadRecord[] {
    const readers = columns.map(columnReader);
    const { id: source, meta } = this.#source;
    const summaries = more.includes('summary') ? new RecordSummaries(() => summaryPlan(meta)) : undefined;
    const shown = rows.map((row) => ({ ...rowContent({ ...row, source, decoder: null }, readers, summaries), at: row.at }));
    return more.includes('since') ? withDistances(shown, null) : shown;
  }

  /** The first record at or after a time, if the records are in order of time; null: that cannot be told. */
  async #atTime(time: number): Promise<number | null> {
    const ns = BigInt(Math.ceil(time * 1e6));
    const isAt = ({ stored, row }: UnreadRow): boolean => (stored.timestamps[row] as bigint) >= ns;
    let [from, to] = [this.#file.first, this.#file.size];
    while (to - from > NEAR_BYTES) {
      const middle = Math.floor((from + to) / 2);
      const chunk: UnreadChunk | null = await this.#records.around(middle);
      const row = chunk?.rows.findLast((one) => one.at <= middle);
      if (row === undefined) return null;
      if (isAt(row)) to = middle;
      else from = middle;
    }
    for (let chunk = await this.#records.around(from); chunk !== null; chunk = await this.#records.behind(chunk.to)) {
      const found = chunk.rows.find(isAt);
      if (found !== undefined) return found.at;
      if (chunk.to >= this.#file.size || chunk.rows.length === 0) return this.#file.size;
    }
    return null;
  }
}
