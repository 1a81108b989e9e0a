/**
 * The table of the window's commands. The menu of the application, the window's menus and palette, its keys and their help are made from it.
 * It is pure data that the shell and the window both import; `renderer/src/state/commands.ts` says what each command does.
 */

import { VIEWS } from './views.ts';

/** A menu of the application. */
export type MenuName = 'File' | 'View' | 'Help';

interface CommandEntry {
  readonly id: string;
  readonly title: string;
  readonly group:
    'Sources' | 'Workspace' | 'Go to' | 'Overview' | 'Logs' | 'Query' | 'Charts' | 'Alerts' | 'Incident' | 'Scripts' | 'Window' | 'Help';
  /** Other words for it, which the palette finds as well: names that it had before. */
  readonly also?: readonly string[] | undefined;
  /** `Mod+Shift+P`, `F1`, `?`; `Mod` is Command on macOS, else Control. The first one is drawn beside the command. */
  readonly keys: readonly string[];
  /** The menu of the application that has it, in the order of this table; absent: none. */
  readonly menu?: MenuName;
  /** Menus draw a line above it. */
  readonly separate?: true;
}

const VIEW_COMMANDS = VIEWS.map(({ name, title, key, also }) => ({
  id: `view.${name}` as const,
  title,
  group: 'Go to' as const,
  keys: [key],
  also,
  menu: 'View' as const,
}));

const TABLE = [
  { id: 'file.open', title: 'Open files…', group: 'Sources', keys: ['Mod+O'], menu: 'File' },
  { id: 'folder.open', title: 'Open a folder or a store…', group: 'Sources', keys: [], menu: 'File' },
  { id: 'path.open', title: 'Open a path, pattern or host…', group: 'Sources', keys: ['Mod+Alt+O'], menu: 'File' },
  { id: 'source.watch', title: 'Watch this workstation', group: 'Sources', keys: [], menu: 'File' },
  { id: 'source.engine', title: 'Watch this engine', group: 'Sources', keys: [], menu: 'File' },
  { id: 'source.run', title: 'Output of a command…', group: 'Sources', keys: ['Mod+Shift+O'], menu: 'File' },
  { id: 'source.listen', title: 'Listen for syslog…', group: 'Sources', keys: ['Mod+L'], menu: 'File' },
  { id: 'fleet.connect', title: 'Connect to a cluster…', group: 'Sources', keys: [], menu: 'File' },
  { id: 'sample.access', title: 'Open the sample access log', group: 'Sources', keys: [], menu: 'File', separate: true },
  { id: 'sample.syslog', title: 'Open the sample syslog', group: 'Sources', keys: [], menu: 'File' },

  { id: 'workspace.open', title: 'Open a workspace…', group: 'Workspace', keys: [], menu: 'File', separate: true },
  { id: 'workspace.save', title: 'Save the workspace as…', group: 'Workspace', keys: ['Mod+Shift+S'], menu: 'File' },
  { id: 'workspace.back', title: 'Back to what was open before', group: 'Workspace', keys: [], menu: 'File' },

  ...VIEW_COMMANDS,
  { id: 'overview.fields', title: 'Fields', group: 'Overview', keys: [] },
  { id: 'overview.schema', title: 'Schema', group: 'Overview', keys: ['Mod+7'], menu: 'View', separate: true },
  { id: 'overview.items', title: 'Frequent items', group: 'Overview', keys: ['Alt+I'], menu: 'View', also: ['Items', 'Unique items'] },
  { id: 'overview.patterns', title: 'Patterns', group: 'Overview', keys: ['Mod+8'], menu: 'View', also: ['Templates'] },

  { id: 'logs.search', title: 'Search, then back to the records', group: 'Logs', keys: ['/'] },
  { id: 'logs.searchField', title: 'Search', group: 'Logs', keys: ['Mod+F'] },
  { id: 'logs.searchNext', title: 'Next hit of the search', group: 'Logs', keys: ['N', 'F3', 'Mod+G'] },
  { id: 'logs.searchPrevious', title: 'Previous hit of the search', group: 'Logs', keys: ['Shift+N', 'Shift+F3', 'Mod+Shift+G'] },
  { id: 'logs.errorNext', title: 'Next error', group: 'Logs', keys: ['E'] },
  { id: 'logs.errorPrevious', title: 'Previous error', group: 'Logs', keys: ['Shift+E'] },
  { id: 'logs.warningNext', title: 'Next warning', group: 'Logs', keys: ['W'] },
  { id: 'logs.warningPrevious', title: 'Previous warning', group: 'Logs', keys: ['Shift+W'] },
  { id: 'logs.goto', title: 'Go to a record or a time…', group: 'Logs', keys: [':', 'Alt+G'], also: ['Go to a line'] },
  { id: 'logs.end', title: 'Go to the last record', group: 'Logs', keys: [] },
  { id: 'logs.mark', title: 'Mark the record, or take its mark away', group: 'Logs', keys: ['M'] },
  { id: 'logs.markNext', title: 'Next mark', group: 'Logs', keys: ['U'] },
  { id: 'logs.markPrevious', title: 'Previous mark', group: 'Logs', keys: ['Shift+U'] },
  { id: 'logs.marks', title: 'List of marks', group: 'Logs', keys: ['Shift+M'] },
  { id: 'logs.ruleNext', title: 'Next hit of a rule', group: 'Logs', keys: ['R'] },
  { id: 'logs.rulePrevious', title: 'Previous hit of a rule', group: 'Logs', keys: ['Shift+R'] },
  { id: 'logs.ruleHits', title: 'Only records with hits of rules', group: 'Logs', keys: [], also: ['Sigma'] },
  { id: 'logs.highlighters', title: 'Highlighters…', group: 'Logs', keys: ['Shift+H'] },
  { id: 'logs.find', title: 'Filter by text or field', group: 'Logs', keys: ['&', 'Mod+Shift+F', 'Mod+Alt+F'] },
  { id: 'logs.saveSet', title: 'Save the filters as a set…', group: 'Logs', keys: [] },
  { id: 'logs.clear', title: 'Clear the filter', group: 'Logs', keys: ['Mod+Shift+X'] },
  { id: 'logs.allTime', title: 'Show all times', group: 'Logs', keys: ['Mod+Shift+A'] },
  { id: 'logs.compare', title: 'Compare this time with the time before it', group: 'Logs', keys: [], also: ['Difference', 'Diff'] },
  {
    id: 'logs.compareHere',
    title: 'Compare from this record on with the time before it',
    group: 'Logs',
    keys: [],
    also: ['Difference', 'Diff'],
  },
  { id: 'logs.compareSource', title: 'Compare this source with the others', group: 'Logs', keys: [], also: ['Difference', 'Diff'] },
  { id: 'logs.follow', title: 'Follow new records', group: 'Logs', keys: ['F'] },
  { id: 'logs.histogram', title: 'Show or hide the histogram', group: 'Logs', keys: ['H'] },
  { id: 'logs.wrap', title: 'Wrap long texts', group: 'Logs', keys: ['Alt+Z'] },
  {
    id: 'logs.split',
    title: 'Two places of the records at once, or one',
    group: 'Logs',
    keys: ['S', 'Mod+\\'],
    menu: 'View',
    also: ['Split the table', 'Second place'],
    separate: true,
  },
  { id: 'logs.context', title: 'Show the selected record among its neighbours', group: 'Logs', keys: ['C'] },
  { id: 'logs.back', title: 'Back to the filter', group: 'Logs', keys: ['Shift+C'] },
  { id: 'logs.clearView', title: 'Show only what comes from now on', group: 'Logs', keys: ['Mod+Shift+K'] },
  { id: 'logs.copy.headings', title: 'Copy the selected records with headings', group: 'Logs', keys: ['Mod+Shift+C'] },
  { id: 'logs.copy.raw', title: 'Copy the selected records as they were read', group: 'Logs', keys: [] },
  { id: 'logs.copy.json', title: 'Copy the selected records as JSON lines', group: 'Logs', keys: [] },
  { id: 'logs.export.raw', title: 'Export the lines as they were read…', group: 'Logs', keys: ['Mod+E'], menu: 'File', separate: true },
  { id: 'logs.export.json', title: 'Export the messages as JSON lines…', group: 'Logs', keys: [], menu: 'File' },
  { id: 'logs.export.csv', title: 'Export the table as CSV for spreadsheets…', group: 'Logs', keys: [], menu: 'File' },
  { id: 'logs.export.exact-csv', title: 'Export the table as CSV for programs…', group: 'Logs', keys: [], menu: 'File' },

  { id: 'query.run', title: 'Run the query', group: 'Query', keys: ['Mod+Enter'] },
  { id: 'query.cancel', title: 'Cancel the query', group: 'Query', keys: [] },
  { id: 'query.save', title: 'Save the query…', group: 'Query', keys: [] },
  { id: 'query.chart', title: 'Result as a chart or as a table', group: 'Query', keys: [] },
  { id: 'query.export.csv', title: 'Export the rows as CSV for spreadsheets…', group: 'Query', keys: [] },
  { id: 'query.export.exact-csv', title: 'Export the rows as CSV for programs…', group: 'Query', keys: [] },
  { id: 'query.export.json', title: 'Export the rows as JSON lines…', group: 'Query', keys: [] },
  { id: 'query.export.parquet', title: 'Export the rows as Parquet…', group: 'Query', keys: [] },

  { id: 'alerts.new', title: 'New alert…', group: 'Alerts', keys: [] },
  { id: 'alerts.rules', title: 'Add a folder of rules…', group: 'Alerts', keys: [], also: ['Sigma'] },
  { id: 'alerts.bundledRules', title: 'Add the rules of Sluicebox…', group: 'Alerts', keys: [], also: ['Sigma'] },

  { id: 'incident.export', title: 'Export the incident…', group: 'Incident', keys: [], also: ['Anonymise'] },

  { id: 'charts.new', title: 'New graph…', group: 'Charts', keys: [] },
  { id: 'charts.count', title: 'Count by a field…', group: 'Charts', keys: [] },
  { id: 'charts.group', title: 'Group by fields…', group: 'Charts', keys: [] },
  { id: 'charts.timeline', title: 'Timeline by request, process or thread', group: 'Charts', keys: ['Mod+9'] },
  { id: 'charts.allTime', title: 'Show all of the charts’ time', group: 'Charts', keys: ['0'] },

  { id: 'scripts.add', title: 'Add a script…', group: 'Scripts', keys: [], also: ['Add a filter', 'Add a plugin'] },
  { id: 'scripts.script', title: 'Write a new filter script', group: 'Scripts', keys: [] },
  { id: 'scripts.decoder', title: 'Write a new decoder', group: 'Scripts', keys: [] },
  { id: 'scripts.undo', title: 'Undo the last change of scripts', group: 'Scripts', keys: [] },

  { id: 'palette.open', title: 'Command palette', group: 'Window', keys: ['Mod+K', 'Mod+Shift+P'], menu: 'View', separate: true },
  { id: 'pane.sources', title: 'Show or hide the sources', group: 'Window', keys: ['Mod+B'], menu: 'View' },
  { id: 'pane.inspector', title: 'Show or hide the inspector', group: 'Window', keys: ['I'], menu: 'View' },
  { id: 'pane.below', title: 'Inspector below the records, or beside them', group: 'Window', keys: [] },
  { id: 'zoom.in', title: 'Larger', group: 'Window', keys: ['Mod++', 'Mod+='], menu: 'View', separate: true },
  { id: 'zoom.out', title: 'Smaller', group: 'Window', keys: ['Mod+-'], menu: 'View' },
  { id: 'zoom.reset', title: 'Usual size', group: 'Window', keys: ['Mod+0'], menu: 'View' },
  { id: 'part.next', title: 'Go to the next part of the window', group: 'Window', keys: ['F6'] },
  { id: 'part.previous', title: 'Go to the previous part of the window', group: 'Window', keys: ['Shift+F6'] },
  { id: 'theme.system', title: 'Theme: as the system', group: 'Window', keys: [] },
  { id: 'theme.light', title: 'Theme: light', group: 'Window', keys: [] },
  { id: 'theme.dark', title: 'Theme: dark', group: 'Window', keys: [] },
  { id: 'theme.contrast', title: 'High contrast on or off', group: 'Window', keys: [] },
  { id: 'time.zone', title: 'Times in UTC or local time', group: 'Window', keys: ['Alt+U'] },
  { id: 'assistants.asked', title: 'What assistants asked…', group: 'Window', keys: [], also: ['Questions by MCP'] },

  { id: 'help.keys', title: 'Keyboard shortcuts', group: 'Help', keys: ['?', 'F1'], menu: 'Help' },
] as const satisfies readonly CommandEntry[];

export type CommandId = (typeof TABLE)[number]['id'];

/** One thing that can be done in the window. */
export interface Command extends CommandEntry {
  readonly id: CommandId;
}

export const COMMANDS: readonly Command[] = TABLE;

const BY_ID: ReadonlyMap<string, Command> = new Map(COMMANDS.map((command) => [command.id, command]));

/** The command of an id. */
export function commandOf(id: CommandId): Command {
  return BY_ID.get(id) as Command;
}
