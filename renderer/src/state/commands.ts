import type { ExportFormat } from '../../../engine/api/types.ts';
import type { App } from './app.svelte.ts';
import { NO_FILTER } from '../lib/filter.ts';
import { isTyping, matches, type KeyPress, type Platform } from '../lib/keys.ts';
import { NEW_FILTER } from '../lib/new-filter.ts';
import type { ViewName } from './prefs.svelte.ts';

/** One thing that can be done: the palette, the keys, the help and the application's menu all read this table. */
export interface Command {
  readonly id: CommandId;
  readonly title: string;
  readonly group: 'Sources' | 'Go to' | 'Logs' | 'Graphs' | 'Plugins' | 'Window' | 'Help';
  readonly keys: readonly string[];
  /** Absent: always. */
  readonly enabled?: (app: App) => boolean;
  readonly run: (app: App) => void;
}

export type CommandId =
  | 'file.open'
  | 'source.listen'
  | 'source.watch'
  | 'source.engine'
  | 'source.run'
  | 'sample.access'
  | 'sample.syslog'
  | `view.${ViewName}`
  | 'logs.find'
  | 'logs.matcher'
  | 'logs.clear'
  | 'logs.follow'
  | 'logs.histogram'
  | 'logs.wrap'
  | 'logs.context'
  | 'logs.back'
  | 'logs.clearView'
  | `logs.export.${ExportFormat}`
  | 'logs.allTime'
  | 'graphs.allTime'
  | 'plugins.add'
  | 'plugins.script'
  | 'plugins.undo'
  | 'palette.open'
  | 'pane.sources'
  | 'pane.inspector'
  | 'theme.system'
  | 'theme.light'
  | 'theme.dark'
  | 'theme.contrast'
  | 'time.zone'
  | 'help.keys';

const inLogs = (app: App): boolean => app.prefs.view === 'logs';

function view(name: ViewName, title: string, keys: readonly string[]): Command {
  return { id: `view.${name}`, title, group: 'Go to', keys, run: (app) => app.show(name) };
}

/** Titles of what an export can be. */
const EXPORTS: Readonly<Record<ExportFormat, string>> = {
  raw: 'Export the lines as they were read…',
  json: 'Export the messages as JSON lines…',
  csv: 'Export the table as CSV…',
};

function exportAs(format: ExportFormat, keys: readonly string[]): Command {
  return {
    ...{ id: `logs.export.${format}`, title: EXPORTS[format], group: 'Logs', keys },
    enabled: (app) => inLogs(app) && app.logs.rows.total > 0,
    run: (app) => void app.exports.start(format),
  };
}

function findIn(app: App, control: 'find' | 'matcher'): void {
  app.show('logs');
  app.focus(control);
}

export const COMMANDS: readonly Command[] = [
  { id: 'file.open', title: 'Open files…', group: 'Sources', keys: ['Mod+O'], run: (app) => void app.openFiles() },
  {
    id: 'source.listen',
    title: 'Listen for syslog…',
    group: 'Sources',
    keys: ['Mod+L'],
    run: (app) => {
      app.show('settings');
      app.focus('listen');
    },
  },
  { id: 'source.watch', title: 'Watch this workstation', group: 'Sources', keys: [], run: (app) => void app.watchWorkstation() },
  { id: 'source.engine', title: 'Watch this engine', group: 'Sources', keys: [], run: (app) => void app.watchEngine() },
  {
    id: 'source.run',
    title: 'Output of a command…',
    group: 'Sources',
    keys: ['Mod+Shift+O'],
    run: (app) => {
      app.show('settings');
      app.focus('command');
    },
  },
  { id: 'sample.access', title: 'Open the sample access log', group: 'Sources', keys: [], run: (app) => void app.openSample('access') },
  { id: 'sample.syslog', title: 'Open the sample syslog', group: 'Sources', keys: [], run: (app) => void app.openSample('syslog') },

  view('logs', 'Logs', ['Mod+1']),
  view('graphs', 'Graphs', ['Mod+2']),
  view('items', 'Items', ['Mod+3']),
  view('schema', 'Schema', ['Mod+4']),
  view('plugins', 'Plugins', ['Mod+5']),
  view('alerts', 'Alerts', ['Mod+6']),
  view('settings', 'Settings', ['Mod+,']),

  { id: 'logs.find', title: 'Filter by text', group: 'Logs', keys: ['Mod+F', '/'], run: (app) => findIn(app, 'find') },
  {
    id: 'logs.matcher',
    title: 'Filter by a matcher expression',
    group: 'Logs',
    keys: ['Mod+Shift+F'],
    run: (app) => findIn(app, 'matcher'),
  },
  {
    id: 'logs.clear',
    title: 'Clear the filter',
    group: 'Logs',
    keys: ['Mod+Shift+X'],
    enabled: (app) => app.logs.filtered,
    run: (app) => app.logs.change(NO_FILTER),
  },
  {
    id: 'logs.allTime',
    title: 'Show all times',
    group: 'Logs',
    keys: ['Mod+Shift+A'],
    enabled: (app) => app.logs.filter.from !== null || app.logs.filter.to !== null,
    run: (app) => app.logs.change({ from: null, to: null }),
  },
  {
    id: 'logs.follow',
    title: 'Follow new records',
    group: 'Logs',
    keys: ['F'],
    enabled: inLogs,
    run: (app) => {
      app.logs.rows.follow(!app.logs.rows.following);
      app.prefs.follow = app.logs.rows.following;
    },
  },
  {
    id: 'logs.histogram',
    title: 'Show or hide the histogram',
    group: 'Logs',
    keys: ['H'],
    enabled: inLogs,
    run: (app) => (app.prefs.histogram = !app.prefs.histogram),
  },

  {
    id: 'logs.wrap',
    title: 'Wrap long texts',
    group: 'Logs',
    keys: ['W'],
    enabled: inLogs,
    run: (app) => (app.prefs.wrap = !app.prefs.wrap),
  },
  {
    id: 'logs.context',
    title: 'Show the selected record among its neighbours',
    group: 'Logs',
    keys: ['C'],
    enabled: (app) => inLogs(app) && app.logs.filtered && app.logs.detail.record !== null,
    run: (app) => app.logs.showInContext(),
  },
  {
    id: 'logs.back',
    title: 'Back to the filter',
    group: 'Logs',
    keys: ['B'],
    enabled: (app) => inLogs(app) && app.logs.left !== null,
    run: (app) => app.logs.backToFilter(),
  },
  {
    id: 'logs.clearView',
    title: 'Show only what comes from now on',
    group: 'Logs',
    keys: ['Mod+Shift+K'],
    enabled: (app) => inLogs(app) && app.logs.rows.total > 0,
    run: (app) => void app.logs.clearView(),
  },
  exportAs('raw', ['Mod+E']),
  exportAs('json', []),
  exportAs('csv', []),

  {
    id: 'graphs.allTime',
    title: 'Show all of the graphs’ time',
    group: 'Graphs',
    keys: ['0'],
    enabled: (app) => app.prefs.view === 'graphs' && app.timeLink.range !== null,
    run: (app) => app.timeLink.reset(),
  },

  {
    id: 'plugins.add',
    title: 'Add a filter…',
    group: 'Plugins',
    keys: [],
    enabled: (app) => app.engine.sources.length > 0,
    run: (app) => {
      app.show('plugins');
      void app.plugins.add();
    },
  },
  {
    id: 'plugins.script',
    title: 'Write a new script',
    group: 'Plugins',
    keys: [],
    enabled: (app) => app.engine.sources.length > 0 && !app.plugins.dirty,
    run: (app) => app.plugins.newScript('filter', NEW_FILTER, app.engine.sources[0]?.id ?? null),
  },
  { id: 'plugins.undo', title: 'Undo the last change of filters', group: 'Plugins', keys: [], run: (app) => void app.plugins.undo() },

  {
    id: 'palette.open',
    title: 'Command palette',
    group: 'Window',
    keys: ['Mod+K', 'Mod+Shift+P'],
    run: (app) => (app.overlay = 'palette'),
  },
  {
    id: 'pane.sources',
    title: 'Show or hide the sources',
    group: 'Window',
    keys: ['Mod+B'],
    run: ({ prefs }) => (prefs.sources = { ...prefs.sources, open: !prefs.sources.open }),
  },
  {
    id: 'pane.inspector',
    title: 'Show or hide the inspector',
    group: 'Window',
    keys: ['Mod+I'],
    run: ({ prefs }) => (prefs.inspector = { ...prefs.inspector, open: !prefs.inspector.open }),
  },
  { id: 'theme.system', title: 'Theme: as the system', group: 'Window', keys: [], run: (app) => (app.prefs.theme = 'system') },
  { id: 'theme.light', title: 'Theme: light', group: 'Window', keys: [], run: (app) => (app.prefs.theme = 'light') },
  { id: 'theme.dark', title: 'Theme: dark', group: 'Window', keys: [], run: (app) => (app.prefs.theme = 'dark') },
  {
    id: 'theme.contrast',
    title: 'High contrast on or off',
    group: 'Window',
    keys: [],
    run: ({ prefs }) => (prefs.contrast = prefs.contrast === 'more' ? 'normal' : 'more'),
  },
  {
    id: 'time.zone',
    title: 'Times in UTC or local time',
    group: 'Window',
    keys: ['Mod+U'],
    run: ({ prefs }) => (prefs.zone = prefs.zone === 'utc' ? 'local' : 'utc'),
  },
  { id: 'help.keys', title: 'Keyboard shortcuts', group: 'Help', keys: ['?', 'F1'], run: (app) => (app.overlay = 'keys') },
];

/** Keys that a part of the window handles itself, for the help. */
export const LOCAL_KEYS: readonly { readonly group: string; readonly keys: readonly string[]; readonly title: string }[] = [
  { group: 'Record table', keys: ['ArrowUp', 'ArrowDown'], title: 'Previous, next record' },
  { group: 'Record table', keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], title: 'Extend the selection' },
  { group: 'Record table', keys: ['PageUp', 'PageDown'], title: 'A page up, down' },
  { group: 'Record table', keys: ['Home', 'End'], title: 'First, last record' },
  { group: 'Record table', keys: ['Mod+A'], title: 'Select all' },
  { group: 'Record table', keys: ['Mod+C'], title: 'Copy the selected records' },
  { group: 'Record table', keys: ['Enter'], title: 'Open the inspector' },
  { group: 'Record table', keys: ['Escape'], title: 'Select nothing' },
  { group: 'Graph of the pipeline', keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], title: 'To the neighbour' },
  { group: 'Script editor', keys: ['Mod+S'], title: 'Save' },
  { group: 'Script editor', keys: ['Mod+Enter'], title: 'Apply, or add as a filter' },
  { group: 'Script editor', keys: ['Mod+Space'], title: 'Complete' },
  { group: 'Anywhere', keys: ['F6', 'Shift+F6'], title: 'Next, previous part of the window' },
  { group: 'Pane borders', keys: ['ArrowLeft', 'ArrowRight'], title: 'Narrower, wider' },
];

export function commandById(id: string): Command | undefined {
  return COMMANDS.find((command) => command.id === id);
}

export function isEnabled(command: Command, app: App): boolean {
  return command.enabled?.(app) ?? true;
}

/** The command of a key press. @param typing a text field has the focus: what it would take for itself is left to it */
export function commandOf(press: KeyPress, platform: Platform, typing: boolean): Command | undefined {
  return COMMANDS.find((command) => command.keys.some((key) => matches(key, press, platform) && !(typing && isTyping(key))));
}
