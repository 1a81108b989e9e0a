import { matches, type KeyPress, type Platform } from '../keys.ts';

/**
 * Keys of a part of the window while it has the focus. Each part looks its keys up here, and the help lists them. Keys of the whole
 * window belong to commands (`engine/api/commands.ts`).
 */

/** One line of the help. */
interface KeyMeaning<Does extends string> {
  readonly title: string;
  /** The action of each key; null: the browser or the editor handles it. */
  readonly keys: Readonly<Record<string, Does | null>>;
  /** Further keys of the same meaning, which the help leaves out. */
  readonly also?: Readonly<Record<string, Does>>;
}

/** The keys of one part of the window. */
export interface LocalKeys<Does extends string = string> {
  readonly part: string;
  readonly meanings: readonly KeyMeaning<Does>[];
}

/** The action of a key press in a part of the window; null: the part has nothing to do. */
export function localKey<Does extends string>({ meanings }: LocalKeys<Does>, press: KeyPress, platform: Platform): Does | null {
  for (const { keys, also } of meanings) {
    for (const [key, does] of Object.entries({ ...keys, ...also })) if (matches(key, press, platform)) return does;
  }
  return null;
}

export type TableMove = 'previous' | 'next' | 'pageUp' | 'pageDown' | 'first' | 'last';

/** A move of the record table alone. */
export type RecordMove = TableMove | 'halfUp' | 'halfDown';

/** The record table: the keys of lists, and those of vi and less. With Shift and an arrow or page key a move extends the selection. */
export const TABLE_KEYS: LocalKeys<RecordMove | 'all' | 'inspect' | 'none'> = {
  part: 'Record table',
  meanings: [
    { title: 'Previous, next record', keys: { ArrowUp: 'previous', ArrowDown: 'next', K: 'previous', J: 'next' } },
    { title: 'A page up, down', keys: { PageUp: 'pageUp', PageDown: 'pageDown', B: 'pageUp', ' ': 'pageDown' } },
    { title: 'Half a page up, down', keys: { 'Mod+U': 'halfUp', 'Mod+D': 'halfDown' } },
    {
      title: 'First, last record',
      keys: { Home: 'first', End: 'last', G: 'first', 'Shift+G': 'last' },
      also: { 'Mod+ArrowUp': 'first', 'Mod+ArrowDown': 'last', 'Mod+Home': 'first', 'Mod+End': 'last' },
    },
    {
      title: 'Extend the selection',
      keys: { 'Shift+ArrowUp': 'previous', 'Shift+ArrowDown': 'next' },
      also: {
        'Shift+PageUp': 'pageUp',
        'Shift+PageDown': 'pageDown',
        'Shift+Home': 'first',
        'Shift+End': 'last',
        'Mod+Shift+ArrowUp': 'first',
        'Mod+Shift+ArrowDown': 'last',
        'Mod+Shift+Home': 'first',
        'Mod+Shift+End': 'last',
      },
    },
    { title: 'Select all', keys: { 'Mod+A': 'all' } },
    { title: 'Copy the selected records', keys: { 'Mod+C': null } },
    { title: 'Open the inspector', keys: { Enter: 'inspect' } },
    { title: 'Select nothing, end the search', keys: { Escape: 'none' } },
  ],
};

/** The field of the search. */
export const SEARCH_KEYS: LocalKeys<'enter' | 'next' | 'previous' | 'case' | 'regex' | 'word' | 'leave'> = {
  part: 'Search field',
  meanings: [
    { title: 'Next, previous hit', keys: { Enter: 'enter', 'Shift+Enter': 'previous' }, also: { ArrowDown: 'next', ArrowUp: 'previous' } },
    { title: 'Match case', keys: { 'Alt+C': 'case' } },
    { title: 'Whole word', keys: { 'Alt+W': 'word' } },
    { title: 'Regular expression', keys: { 'Alt+R': 'regex' } },
    { title: 'Back to the records', keys: { Escape: 'leave' } },
  ],
};

/** The box of the filter bar. */
const FILTER_KEYS: LocalKeys<never> = {
  part: 'Filter box',
  meanings: [
    { title: 'Keep it as a filter', keys: { Enter: null } },
    { title: 'Choose a name or a value', keys: { ArrowUp: null, ArrowDown: null } },
    { title: 'Empty it', keys: { Escape: null } },
  ],
};

/** A filter of the stack. */
export const CHIP_KEYS: LocalKeys<'change' | 'remove'> = {
  part: 'Filter that is kept',
  meanings: [
    { title: 'Switch it on or off', keys: { Enter: null } },
    { title: 'Change it', keys: { F2: 'change' } },
    { title: 'Remove it', keys: { Delete: 'remove' }, also: { Backspace: 'remove' } },
  ],
};

/** The handle at the border of a column. */
export const COLUMN_KEYS: LocalKeys<'narrower' | 'wider'> = {
  part: 'Column borders',
  meanings: [{ title: 'Narrower, wider', keys: { ArrowLeft: 'narrower', ArrowRight: 'wider' } }],
};

export const HEAD_KEYS: LocalKeys<'left' | 'right'> = {
  part: 'Column heads',
  meanings: [
    { title: 'Sort: from the lowest, from the highest, not at all', keys: { Enter: null } },
    { title: 'Move the column to the left, to the right', keys: { 'Alt+ArrowLeft': 'left', 'Alt+ArrowRight': 'right' } },
  ],
};

export const HISTOGRAM_KEYS: LocalKeys<'previous' | 'next' | 'apply' | 'giveUp'> = {
  part: 'Histogram',
  meanings: [
    { title: 'Previous, next bar', keys: { ArrowLeft: 'previous', ArrowRight: 'next' } },
    { title: 'Mark a range', keys: { 'Shift+ArrowLeft': 'previous', 'Shift+ArrowRight': 'next' } },
    { title: 'Go to the bar, or show only the range', keys: { Enter: 'apply' } },
    { title: 'Mark no range', keys: { Escape: 'giveUp' } },
  ],
};

export const GRAPH_KEYS: LocalKeys<'earlier' | 'later' | 'show' | 'zoomIn' | 'zoomOut'> = {
  part: 'Graph',
  meanings: [
    { title: 'Earlier, later', keys: { ArrowLeft: 'earlier', ArrowRight: 'later' } },
    { title: 'Show the records of this time', keys: { Enter: 'show' } },
    { title: 'Zoom in, out', keys: { '+': 'zoomIn', '-': 'zoomOut' } },
  ],
};

export const LEGEND_KEYS: LocalKeys<'isolate'> = {
  part: 'Legend of a graph',
  meanings: [
    { title: 'Show or hide the column', keys: { Enter: null } },
    { title: 'Show it alone, or all of them again', keys: { 'Alt+Enter': 'isolate' } },
  ],
};

export const HEAT_KEYS: LocalKeys<'earlier' | 'later' | 'lower' | 'higher' | 'show' | 'giveUp'> = {
  part: 'Heat map',
  meanings: [
    { title: 'Earlier, later', keys: { ArrowLeft: 'earlier', ArrowRight: 'later' } },
    { title: 'Lower, higher numbers', keys: { ArrowDown: 'lower', ArrowUp: 'higher' } },
    {
      title: 'Mark a part',
      keys: { 'Shift+ArrowLeft': 'earlier', 'Shift+ArrowRight': 'later', 'Shift+ArrowDown': 'lower', 'Shift+ArrowUp': 'higher' },
    },
    { title: 'Show the records of the cell or the part', keys: { Enter: 'show' } },
    { title: 'Mark no part', keys: { Escape: 'giveUp' } },
  ],
};

export type TreeStep = 'previous' | 'next' | 'first' | 'last' | 'open' | 'close';

export const SCHEMA_KEYS: LocalKeys<TreeStep> = {
  part: 'Schema',
  meanings: [
    { title: 'Previous, next line', keys: { ArrowUp: 'previous', ArrowDown: 'next' } },
    { title: 'Open, close', keys: { ArrowRight: 'open', ArrowLeft: 'close' } },
    { title: 'First, last line', keys: { Home: 'first', End: 'last' } },
  ],
};

export type Direction = 'up' | 'down' | 'left' | 'right';

export const PIPELINE_KEYS: LocalKeys<Direction> = {
  part: 'Graph of the pipeline',
  meanings: [{ title: 'To the neighbour', keys: { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } }],
};

export const EDITOR_KEYS: LocalKeys<'save' | 'apply'> = {
  part: 'Script editor',
  meanings: [
    { title: 'Save', keys: { 'Mod+S': 'save' } },
    { title: 'Apply, or add as a filter script', keys: { 'Mod+Enter': 'apply' } },
    { title: 'Complete', keys: { 'Mod+Space': null } },
  ],
};

export type SqlAction = 'run' | 'save' | 'older' | 'newer';

export const SQL_KEYS: LocalKeys<SqlAction> = {
  part: 'SQL editor',
  meanings: [
    { title: 'Run', keys: { 'Mod+Enter': 'run' } },
    { title: 'Save', keys: { 'Mod+S': 'save' } },
    { title: 'Earlier, later query', keys: { 'Alt+ArrowUp': 'older', 'Alt+ArrowDown': 'newer' } },
    { title: 'Complete', keys: { 'Mod+Space': null } },
    { title: 'Cancel the running query', keys: { Escape: null } },
  ],
};

export const RESULT_KEYS: LocalKeys<TableMove | 'copy' | 'records'> = {
  part: 'Result of a query',
  meanings: [
    { title: 'Previous, next row', keys: { ArrowUp: 'previous', ArrowDown: 'next' } },
    { title: 'A page up, down', keys: { PageUp: 'pageUp', PageDown: 'pageDown' } },
    { title: 'First, last row', keys: { Home: 'first', End: 'last' } },
    { title: 'Show the records of the row', keys: { Enter: 'records' } },
    { title: 'Copy the row', keys: { 'Mod+C': 'copy' } },
  ],
};

export const SPLITTER_KEYS: LocalKeys<'less' | 'more' | 'least' | 'most' | 'close'> = {
  part: 'Pane borders',
  meanings: [
    { title: 'Move the border', keys: { ArrowLeft: 'less', ArrowRight: 'more', ArrowDown: 'less', ArrowUp: 'more' } },
    { title: 'Narrowest, widest', keys: { Home: 'least', End: 'most' } },
    { title: 'Close the pane', keys: { Enter: 'close' } },
  ],
};

/** All of them, for the help. */
export const LOCAL_KEYS: readonly LocalKeys[] = [
  TABLE_KEYS,
  SEARCH_KEYS,
  HEAD_KEYS,
  FILTER_KEYS,
  CHIP_KEYS,
  COLUMN_KEYS,
  HISTOGRAM_KEYS,
  GRAPH_KEYS,
  LEGEND_KEYS,
  HEAT_KEYS,
  SCHEMA_KEYS,
  PIPELINE_KEYS,
  EDITOR_KEYS,
  SQL_KEYS,
  RESULT_KEYS,
  SPLITTER_KEYS,
];
