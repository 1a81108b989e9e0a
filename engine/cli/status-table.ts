import { formatBytes, formatCompact, formatNs } from '../api/quantities.ts';
import { isRunning } from '../base/process/is-running.ts';
import { serviceIn, type ServiceFolder } from './service-folder.ts';
import { readStatus, type ServiceStatus } from './status-file.ts';
import { textTable } from './text-table.ts';

/** A service as it is seen from outside. */
export interface SeenService {
  readonly isRunning: boolean;
  /** Its process, as far as the system tells. */
  readonly process: string | null;
  readonly status: ServiceStatus | null;
}

/** Milliseconds for which a report is taken for that of the process that has its number, where no lock tells: numbers are given again. */
const FRESH_MS = 15_000;

export async function seenService(folder: ServiceFolder): Promise<SeenService> {
  const status = await readStatus(folder.path);
  const holder = serviceIn(folder);
  const lives = status !== null && isRunning(status.pid) && (process.platform !== 'linux' || Date.now() - status.time < FRESH_MS);
  return { isRunning: holder !== null || lives, process: holder ?? (lives ? `process ${status.pid}` : null), status };
}

const KINDS = { inputs: 'input', decoders: 'decoder', filters: 'filter', outputs: 'output', encoders: 'encoder' } as const;

/** Figures of one plugin. */
interface StatusRow {
  readonly name: string;
  readonly kind: string;
  readonly messages: number | null;
  readonly failed: number | null;
  /** Bytes in its disk buffer. */
  readonly buffer: number | null;
  readonly memory: number | null;
}

function rowsOf({ report }: ServiceStatus): StatusRow[] {
  return Object.entries(KINDS).flatMap(([section, kind]) =>
    (report[section] ?? []).map((plugin) => ({
      name: String(plugin['Name']),
      kind,
      messages: figure(plugin, 'ProcessMessageCount'),
      failed: figure(plugin, 'ProcessMessageFailures'),
      buffer: figure(plugin, 'QueueSize'),
      memory: figure(plugin, 'Memory'),
    })),
  );
}

function figure(plugin: Readonly<Record<string, unknown>>, name: string): number | null {
  const field = plugin[name];
  const value: unknown = typeof field === 'object' && field !== null && 'value' in field ? field.value : undefined;
  return typeof value === 'number' ? value : null;
}

const NONE = '–';
const shown = (value: number | null, text: (value: number) => string): string => (value === null ? NONE : text(value));

/** Describes a service in one line. */
export function headOf({ isRunning: runs, process, status }: SeenService, now = Date.now()): string {
  if (status === null) return runs ? `running, ${process ?? ''}; it writes no reports` : 'not running';
  if (!runs) return `not running; it ended without a word after ${new Date(status.time).toISOString()}`;
  const { started, time, memory, config } = status;
  const late = now - time > FRESH_MS ? `, last report ${formatNs((now - time) * 1e6)} old` : '';
  return `running for ${formatNs((now - started) * 1e6)}, ${process ?? ''}, ${formatBytes(memory)}${late}: ${config}`;
}

/**
 * The figures of the plugins as lines of a table.
 * @param before the status to which rates are measured; null: none are shown
 */
export function tableOf(status: ServiceStatus, before: ServiceStatus | null, width: number): string[] {
  const earlier = new Map(before === null ? [] : rowsOf(before).map((row) => [`${row.kind} ${row.name}`, row.messages]));
  const seconds = before === null ? 0 : (status.time - before.time) / 1000;
  const rate = ({ kind, name, messages }: StatusRow): string => {
    const was = earlier.get(`${kind} ${name}`) ?? null;
    return seconds <= 0 || messages === null || was === null ? NONE : formatCompact(Math.max(0, messages - was) / seconds);
  };
  const columns = [
    { title: 'NAME' },
    { title: 'KIND' },
    { title: 'MESSAGES', isNumber: true },
    { title: 'PER S', isNumber: true },
    { title: 'FAILED', isNumber: true },
    { title: 'BUFFER', isNumber: true },
    { title: 'MEMORY', isNumber: true },
  ];
  const cells = rowsOf(status).map((row) => [
    row.name,
    row.kind,
    shown(row.messages, String),
    rate(row),
    shown(row.failed, formatCompact),
    shown(row.buffer, formatBytes),
    shown(row.memory, formatBytes),
  ]);
  if (before !== null) return textTable(columns, cells, width);
  const without = <T>(list: readonly T[]): T[] => list.filter((_, i) => columns[i]?.title !== 'PER S');
  return textTable(without(columns), cells.map(without), width);
}
