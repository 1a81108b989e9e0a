/**
 * Entries of slow query logs that are laid out like one before: the same names with the same text between them, and values of the same forms. A server
 * writes most of its entries so. They are read in place, in one pass, without anything being cut out; all others are read by `slow_query.ts`.
 */
import { injectWritten } from '../../base/inject.ts';
import { decimal, digits, integerIn, isLetter } from '../../base/scan.ts';
import type { LogField } from '../../modules/table_writer.ts';
import { ANY, type SlowQueryLog, type ValueForm } from './slow_query_forms.ts';
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
const [TAB, NEWLINE, BLANK, HASH, ZERO, COLON, SEMICOLON] = [9, 10, 32, 35, 48, 58, 59];
/** A point, from the digit 0 on. */
const POINT = -2;
const POWERS = Array.from({ length: LONGEST_NUMBER }, (_, i) => 10 ** i);

/** The layouts of a log's entries; the one that fitted last is tried first. */
export class EntryLayouts {
  readonly #log: SlowQueryLog;
  readonly #layouts: EntryLayout[] = [];
  readonly #user = new UserLine();
  #learnt = 0;

  constructor(log: SlowQueryLog) {
    this.#log = log;
  }

  /**
   * Injects the entry [start, end) if it has a layout that is known. Returns the status of `process_message`, or null.
   * @param payloadOf makes the payload of a statement; null: it is the statement
   */
  inject(text: string, start: number, end: number, payloadOf: ((sql: string) => string) | null): ProcessStatus | null {
    if (this.#layouts.length === 0) return null;
    const user = this.#user;
    const at = user.read(text, start, end);
    if (at < 0) return null;
    for (let i = 0; i < this.#layouts.length; i++) {
      const layout = this.#layouts[i] as EntryLayout;
      const status = layout.inject(user, text, at, end, payloadOf);
      if (status === null) continue;
      if (i > 0) [this.#layouts[0], this.#layouts[i]] = [layout, this.#layouts[0] as EntryLayout];
      return status;
    }
    return null;
  }

  /** Notes the layout of an entry that was read the slow way and has these fields. */
  learn(entry: string, fields: readonly LogField[]): void {
    if (this.#layouts.length >= MOST_LAYOUTS || this.#learnt++ >= MOST_LEARNT) return;
    const at = this.#user.read(entry, 0, entry.length);
    const places = at < 0 ? null : placesOf(entry, at, this.#log);
    if (places === null) return;
    const pairs = this.#user.hasConnection ? fields.slice(1) : fields;
    if (pairs.length === places.length && places.every(({ field }, i) => isSame(field, pairs[i] as LogField)))
      this.#layouts.push(new EntryLayout(this.#log.type, places, fields));
  }
}

/** The pairs of an entry from the end of its user's line on; null when they are no plain pairs. */
function placesOf(entry: string, at: number, { lines }: SlowQueryLog): (Place & { readonly field: LogField })[] | null {
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
    if (shape === null || (shape === WORD && wordEnd(value, 0, value.length, anyText) !== value.length)) return null;
    const form = forms.get(name) ?? ANY;
    places.push({ lead, shape, form: shape === WORD && form !== ANY ? form : null, anyText, field });
    from += whole.length;
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
  inject(user: UserLine, text: string, at: number, end: number, payloadOf: ((sql: string) => string) | null): ProcessStatus | null {
    if (user.hasConnection !== this.#hasConnection) return null;
    const writer = this.#writer;
    const set = this.#writePairs(text, at, end);
    const status = set < 0 ? null : this.#writeStatement(text, set + SET.length, end, payloadOf);
    if (status !== 0) {
      writer.discard();
      return null;
    }
    if (this.#hasConnection) writer.number(0, user.connection(text));
    const host = user.host(text);
    if (host !== '') writer.hostname(host);
    writer.type(this.#type);
    return injectWritten(writer);
  }

  /** Returns where the line of the settings begins, or -1 when the pairs are others. */
  #writePairs(text: string, at: number, end: number): number {
    const [places, writer] = [this.#places, this.#writer];
    let column = this.#hasConnection ? 1 : 0;
    for (let i = 0; i < places.length; i++, column++) {
      const { lead, shape, form, anyText } = places[i] as Place;
      const from = at + lead.length + 1;
      if (from > end || !text.startsWith(lead, at) || !isBlank(text.charCodeAt(from - 1))) return -1;
      at = from;
      if (shape === WORD) {
        at = wordEnd(text, at, end, anyText);
        if (at < 0 || (form !== null && !form(text.slice(from, at)))) return -1;
        writer.slice(column, from, at);
        continue;
      }
      let [code, value] = [0, 0];
      while (at < end && (code = text.charCodeAt(at) - ZERO) >= 0 && code <= 9) {
        value = value * 10 + code;
        at++;
      }
      const point = at;
      if (shape === DECIMAL && point > from && at < end && code === POINT) {
        at++;
        while (at < end && (code = text.charCodeAt(at) - ZERO) >= 0 && code <= 9) {
          value = value * 10 + code;
          at++;
        }
      }
      // Digits on both sides of a point, or digits alone, and no more than are exact.
      const fraction = at - point - 1;
      if (point === from || at - from > LONGEST_NUMBER || (shape === DECIMAL && fraction < 1)) return -1;
      writer.number(column, shape === WHOLE ? value : value / (POWERS[fraction] as number));
    }
    return at + SET.length < end && text.startsWith(SET, at) ? at : -1;
  }

  /** Writes the time and the statement. Returns null when they are of another form. */
  #writeStatement(text: string, at: number, end: number, payloadOf: ((sql: string) => string) | null): 0 | null {
    const to = digits(text, at, end);
    const from = to + 2;
    if (to < 0 || to - at > LONGEST_NUMBER || from >= end) return null;
    if (text.charCodeAt(to) !== SEMICOLON || text.charCodeAt(to + 1) !== NEWLINE || text.charCodeAt(from) === HASH) return null;
    const seconds = integerIn(text, at, to);
    const last = text.indexOf(';\n', from);
    let behind = last + 2;
    if (last < 0 || behind > end) {
      if (text.charCodeAt(end - 1) !== SEMICOLON) return null;
      behind = end;
    }
    const sql = text.slice(from, behind);
    // Line ends of Windows become others.
    if (seconds >= MOST_SECONDS || sql.includes('\r')) return null;
    this.#writer.timestamp(seconds * 1e9);
    if (payloadOf === null) this.#writer.payloadSlice(from, behind);
    else this.#writer.payload(payloadOf(sql));
    return 0;
  }
}

function columnOf({ name, value, representation }: LogField): WriterColumn {
  const kind = typeof value === 'number' ? 'number' : 'slice';
  return representation === undefined ? { name, kind } : { name, kind, representation };
}

/** The end of a value without blanks that is a text for sure, or -1. */
function wordEnd(text: string, at: number, end: number, anyText: boolean): number {
  const from = at;
  let code = 0;
  while (at < end && (code = text.charCodeAt(at)) > BLANK && code < 127) at++;
  if (at === from) return at;
  // A colon at the end would make it a name, and other characters may be blanks as well.
  if (text.charCodeAt(at - 1) === COLON || (at < end && code !== BLANK && code !== TAB && code !== NEWLINE)) return -1;
  return anyText || isLetter(text.charCodeAt(from)) ? at : -1;
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB;
}
