/**
 * Entries of slow query logs that are laid out like one before: the same names with the same text between them, and values of the same forms. A server
 * writes most of its entries so. They are read in place, in one pass, without anything being cut out; all others are read by `slow_query.ts`.
 */
import { injectWritten } from '../../base/inject.ts';
import { KnownTexts } from '../../base/known_texts.ts';
import { decimal, digits, isDigit, isLetter } from '../../base/scan.ts';
import type { LogField } from '../../modules/table_writer.ts';
import { ANY, type SlowQueryLog, type ValueForm } from './slow_query_forms.ts';
import { RecordUnits, stands, type Units } from '../record_units.ts';
import { pairField, TEXTS } from './slow_query_pairs.ts';
import { UserLine } from './slow_query_user.ts';

/** The form of a value: digits, digits with a point, or a word that cannot be a number. */
type Shape = typeof WHOLE | typeof DECIMAL | typeof WORD;

/** A pair of an entry. */
interface Place {
  /** The text from the end of the value before, with the name and its colon. */
  readonly lead: string;
  readonly shape: Shape;
  /** Further condition on the value. */
  readonly form: ValueForm | null;
  /** Whether a word may be a number as well. */
  readonly anyText: boolean;
}

const [WHOLE, DECIMAL, WORD] = [0, 1, 2] as const;
/** Longer numbers are left to the slow way, and so are layouts with more pairs. */
const [LONGEST_NUMBER, MOST_PLACES, MOST_LAYOUTS] = [15, 64, 6];
/** Most entries that are searched for layouts. */
const MOST_LEARNT = 200;
const PAIR = /((?:\n?#)?[ \t]*(\w+):)[ \t](\S*)/y;
const SET = '\nSET timestamp=';
/** The end of a name of two words. */
const LONG_NAME_END = 'routine';
const MOST_SECONDS = 4e9;
const [TAB, NEWLINE, CARRIAGE_RETURN, BLANK, HASH, ZERO, COLON, SEMICOLON] = [9, 10, 13, 32, 35, 48, 58, 59];
/** A point, from the digit 0 on. */
const POINT = -2;
const POWERS = Array.from({ length: LONGEST_NUMBER }, (_, i) => 10 ** i);

/** The layouts of a log's entries; the one that fitted last is tried first. */
export class EntryLayouts {
  readonly #log: SlowQueryLog;
  readonly #layouts: EntryLayout[] = [];
  readonly #user = new UserLine();
  readonly #record = new RecordUnits();
  #learnt = 0;

  constructor(log: SlowQueryLog) {
    this.#log = log;
  }

  /**
   * Injects the current record if it is an entry that has a layout that is known. Returns the status of `process_message`, or null.
   * @param payloadOf makes the payload of a statement; null: it is the statement
   */
  inject(span: PayloadSpan, payloadOf: ((sql: string) => string) | null): ProcessStatus | null {
    if (this.#layouts.length === 0) return null;
    const [user, record] = [this.#user, this.#record];
    record.take(span);
    const at = user.read(record.units, record.start, record.end);
    if (at < 0) return null;
    for (let i = 0; i < this.#layouts.length; i++) {
      const layout = this.#layouts[i] as EntryLayout;
      const status = layout.inject(user, { record, span, at, payloadOf });
      if (status === null) continue;
      if (i > 0) [this.#layouts[0], this.#layouts[i]] = [layout, this.#layouts[0] as EntryLayout];
      return status;
    }
    return null;
  }

  /** Notes the layout of an entry that was read the slow way and has these fields. */
  learn(entry: string, fields: readonly LogField[]): void {
    if (this.#layouts.length >= MOST_LAYOUTS || this.#learnt++ >= MOST_LEARNT) return;
    this.#record.takeText(entry);
    const { units, end } = this.#record;
    const at = this.#user.read(units, 0, end);
    const places = at < 0 ? null : placesOf(entry, units, at, this.#log);
    if (places === null) return;
    const pairs = this.#user.hasConnection ? fields.slice(1) : fields;
    if (pairs.length === places.length && places.every(({ field }, i) => isSame(field, pairs[i] as LogField)))
      this.#layouts.push(new EntryLayout(this.#log.type, places, fields));
  }
}

/** The pairs of an entry from the end of its user's line on; null when they are no plain pairs. */
function placesOf(entry: string, units: Units, at: number, { lines }: SlowQueryLog): (Place & { readonly field: LogField })[] | null {
  const forms = new Map(lines.flat().map(([name, form]) => [name, form]));
  const places: (Place & { readonly field: LogField })[] = [];
  let from = at;
  while (!entry.startsWith(SET, from)) {
    PAIR.lastIndex = from;
    const [whole, lead, name, value] = PAIR.exec(entry) ?? [];
    if (whole === undefined || lead === undefined || name === undefined || value === undefined) return null;
    if (name === LONG_NAME_END || places.length === MOST_PLACES) return null;
    const field = pairField(name, value);
    const shape = typeof field.value === 'number' ? shapeOf(value) : WORD;
    const anyText = TEXTS.has(field.name);
    const to = from + whole.length;
    if (shape === null || (shape === WORD && wordEnd(units, to - value.length, to, anyText) !== to)) return null;
    const form = forms.get(name) ?? ANY;
    places.push({ lead, shape, form: shape === WORD && form !== ANY ? form : null, anyText, field });
    from = to;
  }
  return places;
}

function shapeOf(value: string): Shape | null {
  if (value.length > LONGEST_NUMBER) return null;
  if (digits(value, 0, value.length) === value.length) return WHOLE;
  return decimal(value, 0, value.length) === value.length ? DECIMAL : null;
}

function isSame(one: LogField, other: LogField): boolean {
  return one.name === other.name && one.value === other.value && one.representation === other.representation;
}

/** An entry, behind its user's line. */
interface Entry {
  readonly record: RecordUnits;
  readonly span: PayloadSpan;
  readonly at: number;
  readonly payloadOf: ((sql: string) => string) | null;
}

const [hosts, words] = [new KnownTexts(), new KnownTexts()];

class EntryLayout {
  readonly #places: readonly Place[];
  readonly #writer: MessageWriter;
  readonly #hasConnection: boolean;
  readonly #type: string;

  constructor(type: string, places: readonly (Place & { readonly field: LogField })[], fields: readonly LogField[]) {
    this.#type = type;
    this.#places = places;
    this.#hasConnection = fields.length > places.length;
    this.#writer = message_writer(fields.map(columnOf));
  }

  /** As `EntryLayouts.inject`, behind the user's line. */
  inject(user: UserLine, entry: Entry): ProcessStatus | null {
    if (user.hasConnection !== this.#hasConnection) return null;
    const writer = this.#writer;
    const set = this.#writePairs(entry);
    const status = set < 0 ? null : this.#writeStatement(entry, set + SET.length);
    if (status !== 0) {
      writer.discard();
      return null;
    }
    if (this.#hasConnection) writer.number(0, user.connection);
    const { hostFrom, hostTo } = user;
    if (hostTo > hostFrom) writer.hostname(hosts.piece(entry.span, hostFrom + entry.record.shift, hostTo + entry.record.shift));
    writer.type(this.#type);
    return injectWritten(writer);
  }

  /** Returns where the line of the settings begins, or -1 when the pairs are others. */
  #writePairs({ record: { units, end, shift }, span, at: begin }: Entry): number {
    let at = begin;
    const [places, writer] = [this.#places, this.#writer];
    let column = this.#hasConnection ? 1 : 0;
    for (let i = 0; i < places.length; i++, column++) {
      const { lead, shape, form, anyText } = places[i] as Place;
      const from = at + lead.length + 1;
      if (from > end || !stands(lead, units, at) || !isBlank(units[from - 1] as number)) return -1;
      at = from;
      if (shape === WORD) {
        at = wordEnd(units, at, end, anyText);
        if (at < 0 || (form !== null && !form(words.piece(span, from + shift, at + shift)))) return -1;
        writer.slice(column, from + shift, at + shift);
        continue;
      }
      let [code, value] = [0, 0];
      while (at < end && (code = (units[at] as number) - ZERO) >= 0 && code <= 9) {
        value = value * 10 + code;
        at++;
      }
      const point = at;
      if (shape === DECIMAL && point > from && at < end && code === POINT) {
        at++;
        while (at < end && (code = (units[at] as number) - ZERO) >= 0 && code <= 9) {
          value = value * 10 + code;
          at++;
        }
      }
      // Digits on both sides of a point, or digits alone, and no more than are exact.
      const fraction = at - point - 1;
      if (point === from || at - from > LONGEST_NUMBER || (shape === DECIMAL && fraction < 1)) return -1;
      writer.number(column, shape === WHOLE ? value : value / (POWERS[fraction] as number));
    }
    return at + SET.length < end && stands(SET, units, at) ? at : -1;
  }

  /** Writes the time and the statement. Returns null when they are of another form. */
  #writeStatement({ record: { units, end, shift }, span, payloadOf }: Entry, at: number): 0 | null {
    let [to, seconds] = [at, 0];
    for (; to < end && isDigit(units[to] as number); to++) seconds = seconds * 10 + (units[to] as number) - ZERO;
    const from = to + 2;
    if (to === at || to - at > LONGEST_NUMBER || from >= end || seconds >= MOST_SECONDS) return null;
    if (units[to] !== SEMICOLON || units[to + 1] !== NEWLINE || units[from] === HASH) return null;
    const behind = statementEnd(units, from, end);
    if (behind < 0) return null;
    this.#writer.timestamp(seconds * 1e9);
    if (payloadOf === null) this.#writer.payloadSlice(from + shift, behind + shift);
    else this.#writer.payload(payloadOf(span.text.slice(from + shift, behind + shift)));
    return 0;
  }
}

function columnOf({ name, value, representation }: LogField): WriterColumn {
  const kind = typeof value === 'number' ? 'number' : 'slice';
  return representation === undefined ? { name, kind } : { name, kind, representation };
}

/** The position behind a semicolon at a line end, or at the end; -1 without one, and where there are line ends of Windows, which become others. */
function statementEnd(units: Units, at: number, end: number): number {
  for (; at < end; at++) {
    const code = units[at];
    if (code === CARRIAGE_RETURN) return -1;
    if (code === SEMICOLON && at + 2 <= end && units[at + 1] === NEWLINE) return at + 2;
  }
  return units[end - 1] === SEMICOLON ? end : -1;
}

/** The end of a value without blanks that is a text for sure, or -1. */
function wordEnd(units: Units, at: number, end: number, anyText: boolean): number {
  const from = at;
  let code = 0;
  while (at < end && (code = units[at] as number) > BLANK && code < 127) at++;
  if (at === from) return at;
  // A colon at the end would make it a name, and other characters may be blanks as well.
  if (units[at - 1] === COLON || (at < end && code !== BLANK && code !== TAB && code !== NEWLINE)) return -1;
  return anyText || isLetter(units[from] as number) ? at : -1;
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB;
}
