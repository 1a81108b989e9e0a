import { OVERVIEW_PARTS, VIEWS, type OverviewPart, type ViewName } from '../../../engine/api/views.ts';
import type { TimeZone } from '../../../engine/api/time/time.ts';
import { isArrayOf, isBoolean, isNumber, isOneOf, isShape, isString, readSaved, writeSaved, type TextStore } from '../lib/sources/saved.ts';
import type { BaseLayout, FieldColumn } from '../lib/table/table-layout.ts';
import type { Contrast, Theme } from '../lib/theme.ts';

/** A side pane: pixels, and whether it is open. */
export interface Pane {
  readonly size: number;
  readonly open: boolean;
}

const isView = isOneOf(...VIEWS.map(({ name }) => name));
const isPart = isOneOf(...OVERVIEW_PARTS);
/** Views that are parts of the overview now, as the saved form of a workspace may name them. */
const isOldPart = isOneOf<OverviewPart>('schema', 'items', 'patterns');
/** Names that views had before. */
const OLD_NAMES: ReadonlyMap<unknown, ViewName> = new Map([
  ['graphs', 'charts'],
  ['plugins', 'scripts'],
  ['timeline', 'charts'],
]);
const isZone = isOneOf<TimeZone>('local', 'utc');
const isPane = isShape<Pane>({ size: isNumber, open: isBoolean });
const isWidths = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isNumber);
const isNames = isArrayOf(isString);
const areNames = (value: unknown): value is readonly string[] | undefined => value === undefined || isNames(value);
const isTable = isShape<BaseLayout>({ widths: isWidths, hidden: isNames, kept: areNames, order: areNames });
const isTables = (value: unknown): value is Record<string, BaseLayout> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isTable);
const isFields = isArrayOf(isShape<FieldColumn>({ name: isString, width: isNumber }));
const isColumns = (value: unknown): value is Record<string, readonly FieldColumn[]> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isFields);

/** Preferences of the user, each saved by itself. */
export class Prefs {
  view = $state<ViewName>('logs');
  overview = $state<OverviewPart>('fields');
  theme = $state<Theme>('system');
  contrast = $state<Contrast>('system');
  zone = $state<TimeZone>('local');
  sources = $state.raw<Pane>({ size: 248, open: true });
  inspector = $state.raw<Pane>({ size: 320, open: true });
  /** The inspector lies below the records, and how high it is there. */
  inspectorBelow = $state(false);
  belowSize = $state(240);
  /** Height of a second place in the records; 0: the half. */
  secondSize = $state(0);
  histogram = $state(true);
  follow = $state(true);
  /** The text of a record takes up to three lines. */
  wrap = $state(false);
  /** The variable of the histogram's layers, `severity`, or `auto`. */
  stackBy = $state('auto');
  /** Alerts are told to the desktop, too. */
  notify = $state(false);
  /** Closing the window keeps Sluicebox running. */
  background = $state(false);
  /** The Scripts view shows the pipeline as a graph, and in it filters that wait for their first message. */
  pipeline = $state(true);
  waiting = $state(false);
  /** The settings of the columns that every record has, where none were made for a kind of records. */
  readonly table: BaseLayout;
  /** The same for each kind of records. */
  tables = $state.raw<Readonly<Record<string, BaseLayout>>>({});
  /** Fields that someone chose as columns, for each kind of records. */
  columns = $state.raw<Readonly<Record<string, readonly FieldColumn[]>>>({});

  constructor(store: TextStore) {
    this.overview = readSaved(store, 'overview', this.overview, isPart);
    const view = readSaved(store, 'view', this.view as string, isString);
    // A new start shows records, not the settings that were open last.
    if (view !== 'settings') this.#showSaved(view);
    this.theme = readSaved(store, 'theme', this.theme, isOneOf('system', 'light', 'dark'));
    this.contrast = readSaved(store, 'contrast', this.contrast, isOneOf('system', 'normal', 'more'));
    this.zone = readSaved(store, 'zone', this.zone, isZone);
    this.sources = readSaved(store, 'pane.sources', this.sources, isPane);
    this.inspector = readSaved(store, 'pane.inspector', this.inspector, isPane);
    this.inspectorBelow = readSaved(store, 'inspector.below', this.inspectorBelow, isBoolean);
    this.belowSize = readSaved(store, 'inspector.height', this.belowSize, isNumber);
    this.secondSize = readSaved(store, 'second.height', this.secondSize, isNumber);
    this.histogram = readSaved(store, 'histogram', this.histogram, isBoolean);
    this.stackBy = readSaved(store, 'stackBy', this.stackBy, isString);
    this.wrap = readSaved(store, 'wrap', this.wrap, isBoolean);
    this.follow = readSaved(store, 'follow', this.follow, isBoolean);
    this.notify = readSaved(store, 'notify', this.notify, isBoolean);
    this.background = readSaved(store, 'background', this.background, isBoolean);
    this.pipeline = readSaved(store, 'pipeline', this.pipeline, isBoolean);
    this.waiting = readSaved(store, 'waiting', this.waiting, isBoolean);
    this.table = readSaved(store, 'table', { widths: {}, hidden: [] }, isTable);
    this.tables = readSaved(store, 'tables', this.tables, isTables);
    this.columns = readSaved(store, 'columns', this.columns, isColumns);
  }

  /** Preferences that belong to a saved workspace, as opposed to the user and the screen. */
  ofWorkspace(): Readonly<Record<string, unknown>> {
    const { view, overview, zone, inspectorBelow, histogram, stackBy, wrap, tables, columns } = this;
    return { view, overview, zone, inspectorBelow, histogram, stackBy, wrap, tables, columns };
  }

  /** Takes up what a workspace was left with. What is not of the right form is left out: the file may come from anywhere. */
  adopt({ view, overview, zone, inspectorBelow, histogram, stackBy, wrap, tables, columns }: Readonly<Record<string, unknown>>): void {
    if (isPart(overview)) this.overview = overview;
    this.#showSaved(view);
    if (isZone(zone)) this.zone = zone;
    if (isBoolean(inspectorBelow)) this.inspectorBelow = inspectorBelow;
    if (isBoolean(histogram)) this.histogram = histogram;
    if (isString(stackBy)) this.stackBy = stackBy;
    if (isBoolean(wrap)) this.wrap = wrap;
    if (isTables(tables)) this.tables = { ...this.tables, ...tables };
    if (isColumns(columns)) this.columns = { ...this.columns, ...columns };
  }

  #showSaved(view: unknown): void {
    if (isView(view)) this.view = view;
    else if (isOldPart(view)) [this.view, this.overview] = ['overview', view];
    else this.view = OLD_NAMES.get(view) ?? this.view;
  }

  /** Writes every change from now on; to be called where effects may run. */
  keep(store: TextStore): void {
    $effect(() => writeSaved(store, 'view', this.view));
    $effect(() => writeSaved(store, 'overview', this.overview));
    $effect(() => writeSaved(store, 'theme', this.theme));
    $effect(() => writeSaved(store, 'contrast', this.contrast));
    $effect(() => writeSaved(store, 'zone', this.zone));
    $effect(() => writeSaved(store, 'pane.sources', this.sources));
    $effect(() => writeSaved(store, 'pane.inspector', this.inspector));
    $effect(() => writeSaved(store, 'inspector.below', this.inspectorBelow));
    $effect(() => writeSaved(store, 'inspector.height', this.belowSize));
    $effect(() => writeSaved(store, 'second.height', this.secondSize));
    $effect(() => writeSaved(store, 'histogram', this.histogram));
    $effect(() => writeSaved(store, 'follow', this.follow));
    $effect(() => writeSaved(store, 'wrap', this.wrap));
    $effect(() => writeSaved(store, 'stackBy', this.stackBy));
    $effect(() => writeSaved(store, 'notify', this.notify));
    $effect(() => writeSaved(store, 'background', this.background));
    $effect(() => writeSaved(store, 'pipeline', this.pipeline));
    $effect(() => writeSaved(store, 'waiting', this.waiting));
    $effect(() => writeSaved(store, 'tables', this.tables));
    $effect(() => writeSaved(store, 'columns', this.columns));
  }
}
