import type { Mark } from '../../api/mark-types.ts';
import type { SourceKind } from '../../api/types.ts';
import { EngineError } from '../../base/errors.ts';
import type { RecordStore, StoreListener } from '../../store/record-store.ts';
import { partOf, partRange, rawText, type Segment } from '../../store/segment.ts';
import { milliseconds } from '../../store/times.ts';
import { Throttle } from '../../base/time/throttle.ts';
import { LIMITS, tooMany } from '../common/limits.ts';
import { contentOf, isOn, type KeptMark } from './marks-file.ts';

const TELL_MS = 60;
/** Characters of a record that the window gets. */
const SHOWN = 500;

/** The properties of a source that marks use. */
export interface MarkedSource {
  readonly kind: SourceKind;
  readonly location: string;
  readonly label: string;
}

interface MarkHooks {
  /** undefined: it was closed. */
  readonly sourceOf: (id: number) => MarkedSource | undefined;
  readonly openSources: () => readonly MarkedSource[];
  readonly changed: (marks: Mark[]) => void;
  /** Called when marks have changed and are to be kept. */
  readonly keep: (marks: KeptMark[]) => void;
  /** Called the first time that marks of files that are not open had to give way. */
  readonly dropped: (text: string) => void;
}

interface Entry extends KeptMark {
  readonly key: number;
  readonly note: string;
  /** Number of its record, and how many records it is from where it was; null: not found. */
  readonly found: { readonly record: number; readonly distance: number } | null;
}

/**
 * The marked records. A mark belongs to a file and to the text of its record: when the file is read again, it is found by them, the nearest to its
 * old place where several records have that text. Marks of live sources outlive a crash of the engine, as their records do, and end with their source.
 */
export class MarkBook implements StoreListener {
  readonly #store: RecordStore;
  readonly #hooks: MarkHooks;
  readonly #unsubscribe: () => void;
  readonly #tell: Throttle;
  #entries: Entry[];
  #nextKey = 1;
  /** Records of each source that were read. */
  readonly #counts = new Map<number, number>();
  /** Numbers of the marked records, ascending. */
  #records: number[] | null = null;
  #toldDropped = false;

  constructor(store: RecordStore, kept: readonly KeptMark[], hooks: MarkHooks) {
    this.#store = store;
    this.#hooks = hooks;
    this.#entries = this.#fresh(kept, LIMITS.keptMarks);
    this.#tell = new Throttle(() => hooks.changed(this.list()), TELL_MS);
    this.#unsubscribe = store.subscribe(this);
  }

  /** Numbers of the marked records, ascending. */
  get records(): readonly number[] {
    return (this.#records ??= this.#entries.flatMap(({ found }) => (found === null ? [] : [found.record])).sort((a, b) => a - b));
  }

  /** The notes of the marked records, by their numbers. */
  notes(): Map<number, string> {
    return new Map(this.#entries.flatMap(({ found, note }) => (found === null ? [] : [[found.record, note] as const])));
  }

  /** The marks of the open sources, by time. */
  list(): Mark[] {
    const labels = new Map(this.#hooks.openSources().map(({ location, label }) => [location, label]));
    return this.#entries
      .filter(({ location }) => labels.has(location))
      .map(({ key, found, location, time, text, note }) => {
        return { key, record: found?.record ?? null, label: labels.get(location) ?? '', time, text: text.slice(0, SHOWN), note };
      })
      .sort((a, b) => a.time - b.time || a.key - b.key);
  }

  /**
   * Marks a record, or takes its mark away.
   * @throws {EngineError} `record.unknown`, `limit.reached`
   */
  async set(record: number, on: boolean): Promise<void> {
    const place = this.#store.find(record);
    const source = place === undefined ? undefined : this.#hooks.sourceOf(partOf(place.segment, place.row).source);
    if (place === undefined || source === undefined) throw new EngineError('record.unknown', `There is no record ${record}.`);
    if (!on) return this.#change(this.#entries.filter(({ found }) => found?.record !== record));
    const places = this.#openPlaces();
    if (this.#entries.filter(({ location }) => places.has(location)).length >= LIMITS.marks)
      throw tooMany('marks', 'Take some away in the list of marks.');
    const stored = await this.#store.load(place.segment);
    // While it was read back, its source may have been closed or decoded anew.
    if (!this.#isThere(record)) throw new EngineError('record.unknown', `There is no record ${record}.`);
    if (this.records.includes(record)) return;
    const entry: Entry = {
      location: source.location,
      ordinal: this.#ordinalOf(place.segment, place.row),
      time: milliseconds(stored.timestamps[place.row] as bigint),
      ...contentOf(rawText(stored).at(place.row)),
      note: '',
      key: this.#nextKey++,
      ...(source.kind === 'file' ? {} : { live: true as const }),
      found: { record, distance: 0 },
    };
    this.#change([...this.#entries, entry]);
  }

  /** Writes the note of a mark; one that is gone by now is left alone. */
  note(key: number, note: string): void {
    this.#change(this.#entries.map((entry) => (entry.key === key ? { ...entry, note } : entry)));
  }

  remove(key: number): void {
    this.#change(this.#entries.filter((entry) => entry.key !== key));
  }

  /** The marks of these places, as they are kept. */
  keptOf(locations: ReadonlySet<string>): KeptMark[] {
    return this.#entries.filter(({ location }) => locations.has(location)).map(keptForm);
  }

  /** Moves the marks of a file that is to be opened in another place. */
  move(location: string, place: string): void {
    if (this.#entries.some((entry) => entry.location === location))
      this.#change(this.#entries.map((entry) => (entry.location === location ? { ...entry, location: place, found: null } : entry)));
  }

  /** Takes away the marks of files that are not open, and will not be again. */
  forget(isGone: (location: string) => boolean): void {
    if (this.#entries.some(({ location }) => isGone(location))) this.#change(this.#entries.filter(({ location }) => !isGone(location)));
  }

  /** Takes marks of files that are not open yet; one that is there already gets the new note. */
  adopt(marks: readonly KeptMark[]): void {
    const nameOf = ({ location, ordinal, length, text }: KeptMark): string => JSON.stringify([location, ordinal, length, text]);
    const names = new Set(marks.map(nameOf));
    const others = this.#entries.filter((entry) => !names.has(nameOf(entry)));
    this.#change([...others, ...this.#fresh(marks, LIMITS.marks)]);
  }

  /** Marks whose records are not found yet: of more than `most` the first ones. */
  #fresh(marks: readonly KeptMark[], most: number): Entry[] {
    if (marks.length > most)
      this.#hooks.dropped(`Of ${marks.length.toLocaleString('en-US')} marks, the first ${most.toLocaleString('en-US')} are kept.`);
    return marks.slice(0, most).map((mark) => ({ ...mark, key: this.#nextKey++, found: null }));
  }

  /** Says that sources were opened or closed. */
  sourcesChanged(): void {
    if (this.#entries.length > 0) this.#tell.request();
  }

  /** @param keepLive leaves the marks of live sources to the next process */
  close({ keepLive = false } = {}): void {
    this.#unsubscribe();
    this.#tell.stop();
    if (!keepLive && this.#entries.some(({ live }) => live)) this.#keep(this.#entries.filter(({ live }) => live === undefined));
  }

  appended(index: number): void {
    const segment = this.#store.segments[index] as Segment;
    for (const [i, { source }] of segment.parts.entries()) {
      const [from, to] = partRange(segment, i);
      const before = this.#counts.get(source) ?? 0;
      this.#counts.set(source, before + to - from);
      if (this.#entries.length > 0) this.#find(segment, from, to, before, this.#hooks.sourceOf(source)?.location);
    }
  }

  merged(): void {
    // Records keep their numbers.
  }

  reset(): void {
    const alive = new Set(this.#store.segments.flatMap(({ parts }) => parts.filter(({ removed }) => !removed).map(({ source }) => source)));
    for (const source of this.#counts.keys()) if (!alive.has(source)) this.#counts.delete(source);
    const there = (entry: Entry): boolean => entry.found === null || this.#isThere(entry.found.record);
    if (this.#entries.every(there)) return;
    const left = this.#entries.filter((entry) => entry.live === undefined || there(entry));
    if (left.length < this.#entries.length) this.#keep(left);
    this.#set(left.map((entry) => (there(entry) ? entry : { ...entry, found: null })));
  }

  #isThere(record: number): boolean {
    const place = this.#store.find(record);
    return place !== undefined && !partOf(place.segment, place.row).removed;
  }

  /** Looks for marked records among the rows [from, to) of a segment, which follow `before` others of their source. */
  #find(segment: Segment, from: number, to: number, before: number, location: string | undefined): void {
    const wanted = this.#entries.filter((entry) => entry.location === location && entry.found?.distance !== 0);
    const stored = wanted.length === 0 ? undefined : this.#store.peek(segment);
    if (stored === undefined) return;
    const lengths = new Set(wanted.map(({ length }) => length));
    const text = rawText(stored);
    const found = new Map<number, Pick<Entry, 'found' | 'time'>>();
    for (let row = from; row < to; row++) {
      const raw = text.at(row);
      if (!lengths.has(raw.length)) continue;
      for (const entry of wanted) {
        const distance = Math.abs(before + row - from - entry.ordinal);
        const known = found.get(entry.key)?.found ?? entry.found;
        if ((known === null || distance < known.distance) && isOn(entry, raw)) {
          // Its time may be another one than before: by another decoder, or shifted.
          const time = milliseconds(stored.timestamps[row] as bigint);
          found.set(entry.key, { found: { record: segment.firstId + row, distance }, time });
        }
      }
    }
    if (found.size > 0) this.#set(this.#entries.map((entry) => ({ ...entry, ...found.get(entry.key) })));
  }

  /** Records of its source before a row. */
  #ordinalOf(segment: Segment, row: number): number {
    const { source } = partOf(segment, row);
    let ordinal = 0;
    for (const candidate of this.#store.segments) {
      for (const [i, part] of candidate.parts.entries()) {
        const [from, to] = partRange(candidate, i);
        if (part.source !== source || part.removed) continue;
        if (candidate === segment && row < to) return ordinal + row - from;
        ordinal += to - from;
      }
    }
    return ordinal;
  }

  /** Tells that someone changed the marks. */
  #change(changed: Entry[]): void {
    const entries = this.#withinLimit(changed);
    this.#set(entries);
    this.#keep(entries);
  }

  #keep(entries: readonly Entry[]): void {
    this.#hooks.keep(entries.map(keptForm));
  }

  #openPlaces(): ReadonlySet<string> {
    return new Set(this.#hooks.openSources().map(({ location }) => location));
  }

  /** Of too many, the oldest ones of files that are not open are left out, those without a note first. */
  #withinLimit(entries: Entry[]): Entry[] {
    const over = entries.length - LIMITS.keptMarks;
    if (over <= 0) return entries;
    const places = this.#openPlaces();
    const closed = entries.filter(({ location }) => !places.has(location));
    const gone = new Set([...closed.filter(({ note }) => note === ''), ...closed.filter(({ note }) => note !== '')].slice(0, over));
    if (!this.#toldDropped)
      this.#hooks.dropped(
        `${LIMITS.keptMarks.toLocaleString('en-US')} marks are kept: from now on, the oldest ones of files that are not open give way to new ones.`,
      );
    this.#toldDropped = true;
    return entries.filter((entry) => !gone.has(entry));
  }

  #set(entries: Entry[]): void {
    this.#entries = entries;
    this.#records = null;
    this.#tell.request();
  }
}

const keptForm = ({ location, ordinal, time, text, length, hash, note, live }: KeptMark): KeptMark => ({
  location,
  ordinal,
  time,
  text,
  length,
  hash,
  note,
  live,
});
