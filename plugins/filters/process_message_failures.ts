/**
 * Watches how many messages the plugins of Sluicebox fail to process, from its own reports of Type `svc.all-report`, and sends an alert when
 * that changes in an unusual way.
 *
 * Every plugin has a graph of an hour, which is never output. A plugin without tests of its own in anomaly_config uses the tests named DEFAULT. A
 * plugin is reported at most once an hour, and forgotten when a report no longer names it. A damaged report is refused.
 */
import { queue, send_queue } from '../modules/alert.ts';
import { checkTests, detect, parse_config } from '../modules/anomaly.ts';
import { CircularBuffer } from '../modules/circular_buffer.ts';
import { stringConfig } from '../modules/config.ts';
import { messageTime } from '../modules/graph.ts';

interface Watched {
  readonly graph: CircularBuffer;
  /** Number of the last report that named the plugin: two reports can have the same time. */
  lastSeen: number;
  lastAlert: number;
}

export const meta: PluginMeta = {
  name: 'process_message_failures',
  kind: 'filter',
  summary: 'Sends an alert when a plugin fails to process messages more often than before.',
  parameters: {
    anomaly_config: {
      type: 'string',
      summary: 'Anomaly tests by the names of plugins; DEFAULT is for all others.',
      default: 'mww_nonparametric("DEFAULT", 1, 5, 10, 0.7)',
    },
  },
  examples: [
    {
      title: 'a report of an ordinary minute',
      in: [{ Timestamp: 0, Payload: '{"filters":[{"Name":"http_status","ProcessMessageFailures":{"value":2,"representation":"count"}}]}' }],
      out: [],
    },
    { title: 'a payload that is not a report', in: { Payload: 'x' }, fails: 'the report is not a JSON object' },
    { title: 'an entry that is none', in: { Payload: '{"filters":[5]}' }, fails: 'filters: an entry is not an object' },
    {
      title: 'an entry without a name',
      in: { Payload: '{"filters":[{"ProcessMessageFailures":{"value":1}}]}' },
      fails: 'filters: an entry has no Name',
    },
  ],
};

const SECTIONS = ['inputs', 'decoders', 'filters', 'encoders', 'outputs'];
const HOUR_NS = 3600e9;
const NOW = 0;
/** Plugins that are watched at most, and characters of their names. */
const MAX_PLUGINS = 1000;
const MAX_NAME = 1000;
/** The size of each plugin's graph: an hour of minutes. */
const SIZE = { rows: 60, columns: 1 };

const config = parse_config(stringConfig('anomaly_config') || null);
checkTests(config, () => SIZE);
/** Plugins with tests of their own. */
const configured = new Set(config.tests.keys());
const plugins = new Map<string, Watched>();
let lastReport = 0;
let reports = 0;

export function process_message(): ProcessStatus {
  const report = parseReport(String(read_message('Payload') ?? ''));
  if (report === null) return [-1, 'the report is not a JSON object'];
  lastReport = messageTime();
  reports++;
  for (const section of SECTIONS) {
    const entries = report[section];
    if (!Array.isArray(entries)) continue;
    const fault = readEntries(entries);
    if (fault !== null) return [-1, `${section}: ${fault}`];
  }
  return 0;
}

/** The report's sections; a list has none. */
function parseReport(payload: string): Record<string, unknown> | null {
  try {
    const report: unknown = JSON.parse(payload);
    return Array.isArray(report) ? {} : objectOf(report);
  } catch {
    return null;
  }
}

/** Notes the failures in one section of the report. Returns what is wrong with it. */
function readEntries(entries: readonly unknown[]): string | null {
  for (const item of entries) {
    const entry = objectOf(item);
    if (entry === null) return 'an entry is not an object';
    const failures = objectOf(entry['ProcessMessageFailures']);
    if (failures === null) continue;
    const { Name: name } = entry;
    if (typeof name !== 'string') return 'an entry has no Name';
    const { value } = failures;
    const graph = watched(name)?.graph;
    if (typeof value === 'number' && value > 0) graph?.set(lastReport, 1, value);
  }
  return null;
}

/** The plugin with this name, watched from now on; null when there are too many. */
function watched(name: string): Watched | null {
  let plugin = plugins.get(name);
  if (plugin === undefined) {
    if (plugins.size >= MAX_PLUGINS || name.length > MAX_NAME) return null;
    plugin = { graph: new CircularBuffer(SIZE.rows, SIZE.columns, 60), lastSeen: reports, lastAlert: 0 };
    plugin.graph.set_header(1, 'Failures', 'count', 'max');
    plugins.set(name, plugin);
    const byDefault = config.tests.get('DEFAULT');
    if (!config.tests.has(name) && byDefault !== undefined) config.tests.set(name, byDefault);
  }
  plugin.lastSeen = reports;
  return plugin;
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

export function timer_event(ns: number): void {
  for (const [name, plugin] of plugins) {
    if (ns - plugin.lastAlert > HOUR_NS) {
      const found = detect(ns, name, plugin.graph, config);
      if (found !== null) {
        queue(NOW, found[0]);
        plugin.lastAlert = ns;
      }
    }
    if (plugin.lastSeen !== reports) forget(name);
  }
  send_queue(NOW);
}

function forget(name: string): void {
  plugins.delete(name);
  config.lastRun.delete(name);
  if (!configured.has(name)) config.tests.delete(name);
}
