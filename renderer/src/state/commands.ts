import { COMMANDS, type Command, type CommandId } from '../../../engine/api/commands.ts';
import type { ExportFormat, Question, QueryFormat } from '../../../engine/api/types.ts';
import { OVERVIEW_PARTS, VIEWS, type OverviewPart, type ViewName } from '../../../engine/api/views.ts';
import { countOverTime, timelineBy } from '../lib/charts/question.ts';
import { NO_FILTER } from '../lib/filter/filter.ts';
import { isTyping, matches, type KeyPress, type Platform } from '../lib/keys.ts';
import { NEW_DECODER } from '../lib/sources/new-decoder.ts';
import { NEW_FILTER } from '../lib/sources/new-filter.ts';
import { movePart } from '../lib/parts.ts';
import type { App } from './app.svelte.ts';
import { copyRows, type CopyForm } from './copy-rows.ts';

/** The action of a command, and its condition. */
interface Effect {
  readonly run: (app: App) => void;
  /** Absent: always. */
  readonly enabled?: (app: App) => boolean;
}

const inLogs = (app: App): boolean => app.prefs.view === 'logs';
const hasRows = (app: App): boolean => inLogs(app) && app.logs.rows.total > 0;
const hasSource = (app: App): boolean => app.engine.sources.length > 0;

/** Records counted by a field that is still to be chosen. */
const byField: Question = { ...countOverTime, display: 'list' };

const canStep = (app: App): boolean => hasRows(app) && app.logs.search.query.text !== '';

const exportAs = (format: ExportFormat): Effect => ({ enabled: hasRows, run: (app) => void app.exports.start(format) });

const copyAs = (form: CopyForm): Effect => ({
  enabled: (app) => hasRows(app) && app.logs.selection.count > 0,
  run: (app) => void copyRows(app, form),
});

const inQuery = (app: App): boolean => app.prefs.view === 'query';
const exportRows = (format: QueryFormat): Effect => ({
  enabled: (app) => inQuery(app) && app.query.answered?.reply.kind === 'rows',
  run: (app) => void app.query.export(format),
});

/** Shows a view and gives one of its controls the focus. */
const focusIn = (view: ViewName, control: string): Effect => ({
  run: (app) => {
    app.show(view);
    app.focus(control);
  },
});

/** Shows the search. @param leaves whether Enter gives the focus to the records */
const searching = (leaves: boolean): Effect => ({
  run: (app) => {
    app.show('logs');
    app.asked = null;
    app.logs.search.open(leaves);
    app.focus('search');
  },
});

const viewEffects = Object.fromEntries(
  VIEWS.map(({ name }) => [`view.${name}`, { run: (app: App) => app.show(name) }]),
) as unknown as Record<`view.${ViewName}`, Effect>;

const partEffects = Object.fromEntries(
  OVERVIEW_PARTS.map((part) => [`overview.${part}`, { run: (app: App) => app.showOverview(part) }]),
) as unknown as Record<`overview.${OverviewPart}`, Effect>;

/** The actions of the commands of the table. */
const EFFECTS: Readonly<Record<CommandId, Effect>> = {
  'file.open': { run: (app) => void app.sources.openFiles() },
  'folder.open': { run: (app) => void app.sources.openFiles(true) },
  'path.open': { run: (app) => app.sources.typePath() },
  'workspace.open': { run: (app) => void app.workspaces.choose() },
  'workspace.save': { enabled: hasSource, run: (app) => (app.workspaces.saving = true) },
  'workspace.back': { run: (app) => void app.workspaces.goBack() },
  'source.watch': { run: (app) => void app.sources.watchWorkstation() },
  'source.engine': { run: (app) => void app.sources.watchEngine() },
  'source.run': { run: (app) => (app.sources.adding = 'command') },
  'source.listen': { run: (app) => (app.sources.adding = 'listen') },
  'fleet.connect': { run: (app) => (app.overlay = 'cluster') },
  'sample.access': { run: (app) => void app.sources.openSample('access') },
  'sample.syslog': { run: (app) => void app.sources.openSample('syslog') },

  ...viewEffects,
  ...partEffects,

  'logs.search': searching(true),
  'logs.searchField': searching(false),
  'logs.searchNext': { enabled: canStep, run: (app) => void app.logs.search.step(true) },
  'logs.searchPrevious': { enabled: canStep, run: (app) => void app.logs.search.step(false) },
  'logs.errorNext': { enabled: hasRows, run: (app) => void app.stepAlarm('error', true) },
  'logs.errorPrevious': { enabled: hasRows, run: (app) => void app.stepAlarm('error', false) },
  'logs.warningNext': { enabled: hasRows, run: (app) => void app.stepAlarm('warning', true) },
  'logs.warningPrevious': { enabled: hasRows, run: (app) => void app.stepAlarm('warning', false) },
  'logs.goto': { enabled: hasRows, run: (app) => (app.asked = 'place') },
  'logs.mark': { enabled: (app) => inLogs(app) && app.logs.selection.cursor !== null, run: (app) => void app.toggleMark() },
  'logs.markNext': { enabled: hasRows, run: (app) => void app.stepMark(true) },
  'logs.markPrevious': { enabled: hasRows, run: (app) => void app.stepMark(false) },
  'logs.marks': { enabled: inLogs, run: (app) => app.toggleMarks() },
  'logs.ruleNext': { enabled: hasRows, run: (app) => void app.stepRule(true) },
  'logs.rulePrevious': { enabled: hasRows, run: (app) => void app.stepRule(false) },
  'logs.ruleHits': { enabled: (app) => app.rules.progress.hits > 0, run: (app) => app.rules.showRecords() },
  'logs.highlighters': { enabled: inLogs, run: (app) => app.highlighters.edit() },
  'logs.find': focusIn('logs', 'find'),
  'logs.saveSet': {
    enabled: (app) => inLogs(app) && app.logs.filter.stack.length > 0,
    run: (app) => void (app.asked = 'setName'),
  },
  'logs.clear': { enabled: (app) => app.logs.filtered, run: (app) => app.logs.change(NO_FILTER) },
  'logs.allTime': {
    enabled: (app) => app.logs.filter.from !== null || app.logs.filter.to !== null,
    run: (app) => app.logs.change({ from: null, to: null }),
  },
  'logs.end': {
    enabled: inLogs,
    run: (app) => {
      if (!app.showAhead() && app.logs.rows.total > 0) app.logs.places.selectEnd('last', false);
    },
  },
  'logs.follow': {
    enabled: inLogs,
    run: (app) => {
      app.logs.rows.follow(!app.logs.rows.following);
      app.prefs.follow = app.logs.rows.following;
    },
  },
  'logs.histogram': { enabled: inLogs, run: ({ prefs }) => (prefs.histogram = !prefs.histogram) },
  'logs.wrap': { enabled: inLogs, run: ({ prefs }) => (prefs.wrap = !prefs.wrap) },
  'logs.split': {
    enabled: inLogs,
    run: (app) => {
      app.logs.split();
      app.focus('table');
    },
  },
  'logs.context': {
    enabled: (app) => inLogs(app) && app.logs.filtered && app.logs.detail.record !== null,
    run: (app) => app.logs.showInContext(),
  },
  'logs.back': { enabled: (app) => inLogs(app) && app.logs.left !== null, run: (app) => app.logs.backToFilter() },
  'logs.clearView': { enabled: hasRows, run: (app) => void app.logs.clearView() },
  'logs.copy.headings': copyAs('headings'),
  'logs.copy.raw': copyAs('raw'),
  'logs.copy.json': copyAs('json'),
  'logs.export.raw': exportAs('raw'),
  'logs.export.json': exportAs('json'),
  'logs.export.csv': exportAs('csv'),
  'logs.export.exact-csv': exportAs('exact-csv'),

  'query.run': {
    enabled: (app) => inQuery(app) && hasSource(app) && !app.query.running && app.query.sql.trim() !== '',
    run: (app) => void app.query.run(),
  },
  'query.cancel': { enabled: (app) => app.query.running, run: (app) => void app.query.cancel() },
  'query.save': {
    enabled: (app) => inQuery(app) && hasSource(app) && app.query.sql.trim() !== '',
    run: (app) => void (app.query.naming = true),
  },
  'query.chart': {
    enabled: (app) => inQuery(app) && app.query.answered?.reply.kind === 'rows',
    run: ({ query }) => void (query.chart = !query.chart),
  },
  'query.export.csv': exportRows('csv'),
  'query.export.exact-csv': exportRows('exact-csv'),
  'query.export.json': exportRows('json'),
  'query.export.parquet': exportRows('parquet'),

  'logs.compare': { enabled: (app) => inLogs(app) && app.comparing.canCompareTime, run: (app) => app.comparing.compareTime() },
  'logs.compareHere': { enabled: (app) => inLogs(app) && app.comparing.selectedTime !== null, run: (app) => app.comparing.compareHere() },
  'logs.compareSource': {
    enabled: (app) => inLogs(app) && app.comparing.source !== null,
    run: ({ comparing }) => comparing.source !== null && comparing.compareSource(comparing.source),
  },
  'alerts.rules': { run: (app) => void app.rules.choose() },
  'alerts.bundledRules': { run: (app) => void app.rules.look(null) },
  'alerts.new': { enabled: hasSource, run: (app) => app.newAlert.open() },
  'incident.export': { enabled: hasSource, run: (app) => app.incident.openExport() },
  'charts.new': { enabled: hasSource, run: (app) => app.ask(countOverTime, 'charts', 'measure') },
  'charts.count': { enabled: hasSource, run: (app) => app.ask(byField, 'pane', 'by') },
  'charts.group': { enabled: hasSource, run: (app) => app.ask(byField, 'charts', 'by') },
  'charts.timeline': { enabled: hasSource, run: (app) => app.ask(timelineBy(null), 'charts') },
  'charts.allTime': {
    enabled: (app) => app.prefs.view === 'charts' && !app.timeLink.whole,
    run: (app) => app.timeLink.reset(),
  },

  'scripts.add': {
    enabled: hasSource,
    run: (app) => {
      app.show('scripts');
      void app.plugins.add();
    },
  },
  'scripts.script': {
    enabled: (app) => hasSource(app) && !app.plugins.dirty,
    run: (app) => app.plugins.newScript('filter', NEW_FILTER, app.engine.sources[0]?.id ?? null),
  },
  'scripts.decoder': {
    enabled: (app) => hasSource(app) && !app.plugins.dirty,
    run: (app) => app.plugins.newScript('decoder', NEW_DECODER, app.engine.sources[0]?.id ?? null),
  },
  'scripts.undo': { run: (app) => void app.plugins.undo() },

  'assistants.asked': { run: (app) => (app.assistants.open = true) },
  'palette.open': { run: (app) => (app.overlay = 'palette') },
  'pane.sources': { run: ({ prefs }) => (prefs.sources = { ...prefs.sources, open: !prefs.sources.open }) },
  'pane.inspector': { run: ({ panes }) => panes.toggleInspector() },
  'pane.below': { run: (app) => app.panes.moveInspector() },
  'zoom.in': { run: (app) => void app.zoom(1) },
  'zoom.out': { run: (app) => void app.zoom(-1) },
  'zoom.reset': { run: (app) => void app.zoom(0) },
  'part.next': { run: () => movePart(1) },
  'part.previous': { run: () => movePart(-1) },
  'theme.system': { run: ({ prefs }) => (prefs.theme = 'system') },
  'theme.light': { run: ({ prefs }) => (prefs.theme = 'light') },
  'theme.dark': { run: ({ prefs }) => (prefs.theme = 'dark') },
  'theme.contrast': { run: ({ prefs }) => (prefs.contrast = prefs.contrast === 'more' ? 'normal' : 'more') },
  'time.zone': { run: ({ prefs }) => (prefs.zone = prefs.zone === 'utc' ? 'local' : 'utc') },

  'help.keys': { run: (app) => (app.overlay = 'keys') },
};

export function isEnabled(id: CommandId, app: App): boolean {
  return EFFECTS[id].enabled?.(app) ?? true;
}

/** Does what a command does, if it can be done now. @returns whether it could */
export function runCommand(id: CommandId, app: App): boolean {
  if (!isEnabled(id, app)) return false;
  EFFECTS[id].run(app);
  return true;
}

/** The command of a key press. @param typing a text field has the focus: what it would take for itself is left to it */
export function commandOfKey(press: KeyPress, platform: Platform, typing: boolean): Command | undefined {
  return COMMANDS.find((command) => command.keys.some((key) => matches(key, press, platform) && !(typing && isTyping(key))));
}
