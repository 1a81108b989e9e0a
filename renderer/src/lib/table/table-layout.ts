import { columnVariable, isHeaderColumn } from '../../../../engine/api/columns.ts';
import type { SeverityShare } from '../../../../engine/api/view-types.ts';
import { ownEntry } from '../own-entry.ts';
import type { TimeForm } from '../../../../engine/api/time/time.ts';

/** A field that the table shows as a column. */
export interface FieldColumn {
  readonly name: string;
  readonly width: number;
}

/** The settings of the columns that every record has. */
export interface BaseLayout {
  /** Widths of the fixed columns by name; the text takes the rest unless it has one. */
  readonly widths: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
  /** Keys of columns to be shown even where they say nothing. */
  readonly kept?: readonly string[];
  /** Keys of columns in the order that someone gave them; the others follow the one that is usually before them. */
  readonly order?: readonly string[];
}

/** The columns of the table, as the user sets them. */
export interface TableLayout extends BaseLayout {
  readonly fields: readonly FieldColumn[];
  /** Whether the fields are all that the records say. */
  readonly tabular?: boolean;
  /** Whether the records are of several forms, which only their summaries tell in one column. */
  readonly mixed?: boolean;
}

export interface ShownLayout extends TableLayout {
  /** Whether the fields are the default ones, which are dropped when room is short. */
  readonly usual: boolean;
}

/** The columns that every record has. */
export type BaseColumn = 'time' | 'since' | 'severity' | 'source' | 'type' | 'summary' | 'text';

export interface Column {
  readonly key: string;
  readonly title: string;
  /** A description of its contents, where its title is short. */
  readonly about?: string;
  readonly base: BaseColumn | null;
  /** Pixels; null: takes what is left, but no less than `least`. */
  readonly width: number | null;
  readonly least?: number;
}

const BASE: readonly { readonly base: BaseColumn; readonly title: string; readonly about?: string; readonly width: number | null }[] = [
  { base: 'time', title: 'Time', width: 186 },
  { base: 'since', title: 'Since', about: 'Since the record before', width: 88 },
  { base: 'severity', title: 'Severity', width: 88 },
  { base: 'source', title: 'Source', width: 104 },
  { base: 'type', title: 'Type', width: 112 },
  { base: 'summary', title: 'Summary', width: null },
  { base: 'text', title: 'Text', width: null },
];

export const NARROWEST = 48;
export const WIDEST = 4000;
/** The text has at least this much, even if the table then scrolls sideways. */
export const TEXT_MIN = 216;
/** The least of a field in the place of the text: a little more than a method and the beginning of a path. */
const MAIN_MIN = 112;
/** The width that the main field should have: default fields behind it give way until it does. */
const MAIN_COMFORT = 288;
/** The least of the text, and the width of a severity, where time and severity would leave it no room otherwise. */
const TIGHT_MIN = 112;
const TIGHT_SEVERITY = 76;
/** Fields that say what a record is about: where messages have no text of their own, the first of them that is shown takes the place of the text. */
const MAIN_FIELDS = ['request', 'request_uri', 'requestURI', 'uri', 'short_message', 'message', 'msg'];
/** Fields that say where a record was logged. They give way while the text has less than this. */
const PLACE_FIELDS: readonly string[] = ['Logger', 'thread'];
const TEXT_BESIDE_PLACES = 320;
/** Pixels of a time, by what it tells of its date. */
const TIME_WIDTHS: Readonly<Record<TimeForm, number>> = { clock: 142, day: 150, full: 186 };
/** The same for times in whole seconds; that of a clock has the date in its head. */
const SECONDS_WIDTHS: Readonly<Record<TimeForm, number>> = { clock: 130, day: 122, full: 158 };
const NEW_FIELD_WIDTH = 128;
/** Fields whose values are known to be shorter or longer. */
const FIELD_WIDTHS: Readonly<Record<string, number>> = {
  status: 64,
  request: 288,
  request_method: 80,
  uri: 240,
  body_bytes_sent: 88,
  bytes_sent: 88,
  response_length: 88,
  request_time: 88,
  programname: 112,
  Hostname: 112,
  Logger: 144,
  thread: 104,
  short_message: 360,
};
const LONG = 200;

const widthOf = (name: string): number => ownEntry(FIELD_WIDTHS, name) ?? NEW_FIELD_WIDTH;

/** Pixels of a character of a value, and of one of a title. */
const VALUE_CHARACTER = 7.3;
const TITLE_CHARACTER = 7;
/** Pixels of a column beside its text. */
const CELL_PADDING = 18;
const SOURCE_MIN = 72;
const SOURCE_MAX = 168;
const FITTED_MIN = 56;
const FITTED_MAX = 240;
/** Characters of a title that a column has room for, though its values are shorter. */
const TITLE_ROOM = 12;
/** Pixels of the arrow that says how a column sorts. */
const SORT_ARROW = 12;

/** Characters of the longest values of fields, as far as they are known. */
export type Lengths = Readonly<Record<string, number>>;

/** The greatest of each field. */
export function longest(sources: readonly Lengths[]): Lengths {
  const all = new Map<string, number>();
  for (const [name, length] of sources.flatMap((lengths) => Object.entries(lengths))) all.set(name, Math.max(all.get(name) ?? 0, length));
  return Object.fromEntries(all);
}

/** Columns for fields, each as wide as its values are, or as is usual. */
export function usualFields(names: readonly string[], lengths: Lengths = {}): FieldColumn[] {
  return names.map((name) => ({ name, width: fittedWidth(name, ownEntry(lengths, name) ?? 0) }));
}

function fittedWidth(name: string, length: number): number {
  if (length === 0) return widthOf(name);
  const known = ownEntry(FIELD_WIDTHS, name) ?? Infinity;
  const title = Math.min(known, Math.min(name.length, TITLE_ROOM) * TITLE_CHARACTER + CELL_PADDING + SORT_ARROW);
  const most = known === Infinity ? FITTED_MAX : Math.max(FITTED_MAX, known);
  return Math.round(Math.min(most, Math.max(FITTED_MIN, title, length * VALUE_CHARACTER + CELL_PADDING)));
}

/** Properties of the records that decide which columns are of use. */
export interface TableFacts {
  readonly sources: number;
  /** Characters of the longest name of a source; absent: it is not known. */
  readonly nameLength?: number | undefined;
  /** The share of the records that has a severity. */
  readonly severities: SeverityShare;
  /** Form of their times: how much of the date they have to show. */
  readonly time: TimeForm;
  /** The type of all records; null: they have several. */
  readonly type: string | null;
  /** Whether records have texts of their own. */
  readonly texts: boolean;
  /** Whether any of their times has a fraction of a second; absent: it is not known. */
  readonly fractions?: boolean;
  /** Fields that say the same in all records, with what they say. */
  readonly alike?: Readonly<Record<string, string>>;
}

/** A column that says nothing about these records, and why. */
export interface Folded {
  readonly key: string;
  readonly title: string;
  readonly reason: string;
}

/**
 * The columns that are folded away: the only source, severities that no record has, the only type, fields that always say the same, a text that
 * other columns repeat.
 */
export function foldedColumns(layout: TableLayout, facts: TableFacts): Folded[] {
  const alike = alikeFields(layout, facts);
  const fields = layout.fields.filter(({ name }) => !alike.some(({ title }) => title === name));
  return [...foldedBase({ ...layout, fields }, facts), ...alike];
}

/** Fields that say the same in all records; what the records are about stays in any case. */
function alikeFields(layout: TableLayout, { alike = {} }: TableFacts): Folded[] {
  const main = mainField(layout);
  return layout.fields.flatMap(({ name }) => {
    const key = columnVariable(name);
    // The column of a header shows no field, though one may have its name.
    if (isHeaderColumn(name) || name === main || !Object.hasOwn(alike, name) || layout.kept?.includes(key) === true) return [];
    const value = alike[name] as string;
    return [{ key, title: name, reason: value === '' ? 'always empty' : `always ${shortened(value)}` }];
  });
}

/** Characters of a value that the reason of a folded column quotes. */
const QUOTED = 40;
const shortened = (value: string): string => (value.length > QUOTED ? `${value.slice(0, QUOTED)}…` : value);

function foldedBase(layout: TableLayout, facts: TableFacts): Folded[] {
  const reasons: Partial<Record<BaseColumn, string>> = {
    ...(facts.sources > 1 ? {} : { source: 'there is only one' }),
    ...(facts.severities === 'many' ? {} : { severity: facts.severities === 'few' ? 'few records have one' : 'no record has one' }),
    ...typeReason(layout, facts),
    ...textReason(layout, facts),
  };
  return BASE.flatMap(({ base, title }) => {
    const reason = reasons[base];
    const wanted = layout.hidden.includes(base) || (layout.kept ?? []).includes(base);
    return reason === undefined || wanted ? [] : [{ key: base, title, reason }];
  });
}

function typeReason(layout: TableLayout, { type }: TableFacts): Partial<Record<BaseColumn, string>> {
  if (type !== null) return { type: type === '' ? 'no record has one' : `always ${type}` };
  return layout.mixed === true && showsSummary(layout) ? { type: 'the summary tells it' } : {};
}

function textReason(layout: TableLayout, { texts }: TableFacts): Partial<Record<BaseColumn, string>> {
  if (layout.mixed === true) return showsSummary(layout) ? { text: 'the summary tells it' } : {};
  return texts || !isRepeated(layout) ? {} : { text: 'the other columns repeat it' };
}

/** Whether a column stays away until someone wants it. */
const isExtra = (layout: TableLayout, base: BaseColumn): boolean => base === 'since' || (base === 'summary' && layout.mixed !== true);

/** Whether a column that every record has is shown, unless it is folded away. */
export function showsBase(layout: TableLayout, base: BaseColumn): boolean {
  return layout.kept?.includes(base) === true || !(isExtra(layout, base) || layout.hidden.includes(base));
}

const showsSummary = (layout: TableLayout): boolean => showsBase(layout, 'summary');

/** Pixels of the names of sources: a long path is cut. */
function sourceWidth({ nameLength = 0 }: TableFacts): number | null {
  if (nameLength === 0) return null;
  return Math.round(Math.min(SOURCE_MAX, Math.max(SOURCE_MIN, nameLength * VALUE_CHARACTER + CELL_PADDING)));
}

const timeWidth = ({ time, fractions = true }: TableFacts): number => (fractions ? TIME_WIDTHS : SECONDS_WIDTHS)[time];

/** Pixels of a column whose width these records decide. */
const ownWidth = (base: BaseColumn, facts: TableFacts): number | null =>
  base === 'time' ? timeWidth(facts) : base === 'source' ? sourceWidth(facts) : null;

/** Whether the fields say what the records say, where these have no texts of their own. */
const isRepeated = (layout: TableLayout): boolean =>
  (layout.tabular === true && layout.fields.length > 0) || mainField(layout) !== undefined;

const mainField = ({ fields }: TableLayout): string | undefined => MAIN_FIELDS.find((main) => fields.some(({ name }) => name === main));

/** Columns in order: time, severity, source, type, the chosen fields, summary and text; without the hidden ones and those that are folded away. */
export function columnsOf(layout: TableLayout, facts: TableFacts): Column[] {
  const folded = foldedColumns(layout, facts).map(({ key }) => key);
  const base = BASE.filter(({ base: key }) => showsBase(layout, key) && !folded.includes(key)).map(
    ({ base: key, title, about, width }) => ({
      key,
      title,
      ...(about === undefined ? {} : { about }),
      base: key,
      width: layout.widths[key] ?? ownWidth(key, facts) ?? width,
    }),
  );
  const main = folded.includes('text') ? mainField(layout) : undefined;
  const fields = layout.fields.flatMap(({ name, width }): Column[] => {
    const column = { key: columnVariable(name), title: name, base: null };
    if (folded.includes(column.key)) return [];
    return [name === main && layout.widths[column.key] === undefined ? { ...column, width: null, least: MAIN_MIN } : { ...column, width }];
  });
  const text = base.findIndex((column) => column.base === 'summary' || column.base === 'text');
  const usual = text === -1 ? [...base, ...fields] : [...base.slice(0, text), ...fields, ...base.slice(text)];
  return inOrder(usual, layout.order ?? []);
}

function inOrder(usual: readonly Column[], order: readonly string[]): Column[] {
  const columns = order.flatMap((key) => usual.find((column) => column.key === key) ?? []);
  for (const [at, column] of usual.entries()) {
    if (columns.includes(column)) continue;
    const before = usual[at - 1];
    columns.splice(before === undefined ? 0 : columns.indexOf(before) + 1, 0, column);
  }
  return columns;
}

/** Moves a column to another place among those that are shown: before the one that is there, or to the end. */
export function moveColumn(layout: TableLayout, shown: readonly Column[], key: string, place: number): TableLayout {
  const keys = shown.map((column) => column.key);
  const from = keys.indexOf(key);
  if (from === -1) return layout;
  const others = keys.filter((other) => other !== key);
  others.splice(place > from ? place - 1 : place, 0, key);
  const order = [...others];
  // Columns that are hidden or folded away keep their places: behind the one that was before them.
  for (const [at, hidden] of (layout.order ?? []).entries()) {
    const before = layout.order?.[at - 1];
    if (!keys.includes(hidden)) order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, hidden);
  }
  return { ...layout, order };
}

/** Width that a text should have: with less, the column of the type is left out, which says less of a record than the end of its line. */
const TEXT_COMFORT = 440;

/** Columns that give way to the text, in this order. */
const YIELDING: readonly BaseColumn[] = ['source', 'type'];

/**
 * Drops columns in a narrow window so that the text can be read: source and type go, then the last of the default fields. Columns with a width of the user, and chosen fields, stay: then the table scrolls sideways.
 * If not even the remaining columns have room, the severity and the text get less.
 */
export function fitColumns(columns: readonly Column[], layout: ShownLayout, available: number): readonly Column[] {
  let fitting = columns;
  const tooWide = (): boolean => available > 0 && rowWidth(fitting) > available;
  const free = (base: BaseColumn | null): boolean => base !== null && layout.widths[base] === undefined;
  const roomOfText = available - fixedWidth(columns);
  const isTight = available > 0 && roomOfText < TEXT_COMFORT && columns.some(({ width }) => width === null);
  if (isTight && free('type') && layout.kept?.includes('type') !== true) fitting = fitting.filter(({ base }) => base !== 'type');
  // Of records of several forms the source says most.
  for (const base of layout.mixed === true ? (['type'] as const) : YIELDING) {
    if (tooWide()) fitting = fitting.filter((column) => column.base !== base || !free(base));
  }
  if (layout.usual) fitting = withoutFields(fitting, layout, available);
  fitting = stretched(fitting, layout);
  const tight = fitting.map((column) => tightened(column, layout));
  return available > 0 && rowWidth(fitting) > available && rowWidth(tight) <= available ? tight : fitting;
}

/** Drops default fields, the last first, until the others have room. */
function withoutFields(columns: readonly Column[], layout: ShownLayout, available: number): readonly Column[] {
  if (available <= 0) return columns;
  let fitting = columns;
  const hasRoom = (name: string): boolean =>
    rowWidth(fitting) <= available && available - fixedWidth(fitting) >= comfortBeside(name, fitting, layout);
  // The host of a record says less of it than its fields.
  const dropping = layout.fields
    .filter(({ name }) => layout.kept?.includes(columnVariable(name)) !== true)
    .reverse()
    .sort((a, b) => Number(b.name === 'Hostname') - Number(a.name === 'Hostname'));
  // A field with long values is cut before it gives way.
  if (dropping.some(({ name }) => !hasRoom(name))) fitting = narrowed(fitting, widthOf);
  if (rowWidth(fitting) > available) fitting = narrowed(fitting, () => LONG);
  for (const { name } of dropping) {
    if (!hasRoom(name)) fitting = fitting.filter(({ base, title, width }) => base !== null || width === null || title !== name);
  }
  return fitting;
}

/** Fields that are no wider than this. */
const narrowed = (columns: readonly Column[], most: (name: string) => number): Column[] =>
  columns.map((column) =>
    column.base === null && column.width !== null ? { ...column, width: Math.min(most(column.title), column.width) } : column,
  );

/** The width that the stretched column needs beside this field; with less, the field gives way. */
function comfortBeside(name: string, columns: readonly Column[], { fields }: TableLayout): number {
  const main = columns.find(({ width }) => width === null);
  if (main === undefined) return 0;
  if (main.base !== null) return PLACE_FIELDS.includes(name) ? TEXT_BESIDE_PLACES : 0;
  const placeOf = (wanted: string): number => fields.findIndex((field) => field.name === wanted);
  return name === 'Hostname' || placeOf(name) > placeOf(main.title) ? MAIN_COMFORT : 0;
}

/** The column that takes the rest of the width when none is made for it: the widest field, of several the last, but none that had it and was given a width. */
function stretched(columns: readonly Column[], { widths }: TableLayout): readonly Column[] {
  const fields = columns.filter(({ base, key }) => base === null && widths[key] === undefined);
  const most = Math.max(...fields.map(({ width }) => width ?? 0));
  const widest = fields.findLast(({ width }) => width === most);
  if (widest === undefined || columns.some(({ width }) => width === null)) return columns;
  return columns.map((column) => (column === widest ? { ...column, width: null, least: column.width ?? MAIN_MIN } : column));
}

function tightened(column: Column, layout: ShownLayout): Column {
  if (column.width === null) return { ...column, least: TIGHT_MIN };
  return column.base === 'severity' && layout.widths.severity === undefined ? { ...column, width: TIGHT_SEVERITY } : column;
}

/** The columns as a value of `grid-template-columns`. */
export function gridTemplate(columns: readonly Column[]): string {
  return columns.map(({ width, least = TEXT_MIN }) => (width === null ? `minmax(${least}px, 1fr)` : `${width}px`)).join(' ');
}

const fixedWidth = (columns: readonly Column[]): number => columns.reduce((sum, { width }) => sum + (width ?? 0), 0);

/** The least width of a row. */
export function rowWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, { width, least = TEXT_MIN }) => sum + (width ?? least), 0);
}

/** Adds a field as a column, and shows it also where it says the same in all records. */
export function putField(layout: TableLayout, name: string, lengths: Lengths = {}): TableLayout {
  const isThere = layout.fields.some((field) => field.name === name);
  const fields = isThere ? layout.fields : [...layout.fields, ...usualFields([name], lengths)];
  return keepColumn({ ...layout, fields }, columnVariable(name));
}

export function dropField(layout: TableLayout, name: string): TableLayout {
  const fields = layout.fields.filter((field) => field.name !== name);
  return { ...layout, fields, kept: (layout.kept ?? []).filter((key) => key !== columnVariable(name)) };
}

/** Gives a column a width, within bounds. */
export function resize(layout: TableLayout, column: Column, width: number): TableLayout {
  const bounded = Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
  if (column.base !== null) return { ...layout, widths: { ...layout.widths, [column.base]: bounded } };
  const fields = layout.fields.map((field) => (field.name === column.title ? { ...field, width: bounded } : field));
  // One that takes the rest does so no longer.
  return column.width === null ? { ...layout, fields, widths: { ...layout.widths, [column.key]: bounded } } : { ...layout, fields };
}

/** Gives a column its default width. */
export function resetWidth(layout: TableLayout, column: Column, lengths: Lengths = {}): TableLayout {
  const widths = Object.fromEntries(Object.entries(layout.widths).filter(([name]) => name !== column.key));
  if (column.base !== null) return { ...layout, widths };
  const width = fittedWidth(column.title, ownEntry(lengths, column.title) ?? 0);
  return resize({ ...layout, widths }, { ...column, width }, width);
}

/** Shows a column although it says nothing about the records. */
export function keepColumn(layout: TableLayout, column: string): TableLayout {
  return { ...layout, hidden: layout.hidden.filter((key) => key !== column), kept: [...new Set([...(layout.kept ?? []), column])] };
}

/** Hides a column that every record has, or shows it again. The text is folded away instead, where other columns repeat it. */
export function toggleBase(layout: TableLayout, base: BaseColumn): TableLayout {
  if (layout.kept?.includes(base) === true) return { ...layout, kept: layout.kept.filter((key) => key !== base) };
  if (isExtra(layout, base)) return keepColumn(layout, base);
  const hidden = layout.hidden.includes(base) ? layout.hidden.filter((key) => key !== base) : [...layout.hidden, base];
  return { ...layout, hidden };
}

export const BASE_COLUMNS = BASE.map(({ base, title, about = title }) => ({ base, title, about }));

/** Columns that rows cannot be sorted by. */
export const UNSORTED: readonly (BaseColumn | null)[] = ['since'];
