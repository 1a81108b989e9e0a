import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../engine/base/files/folders.ts';
import { findPlugin } from '../../engine/plugins/catalog.ts';
import { copyBundled } from '../../engine/workspace/scripts/bundled-copy.ts';
import { LNAV, LUAJIT, RIPGREP, RSYSLOGD, type Tool } from '../installed.ts';
import type { LogKind } from '../logs.ts';
import { rsyslogd, sluicebox, type Receiver } from '../receivers.ts';
import { LOG_FORMAT, root } from '../samples.ts';
import { receive } from '../tcp.ts';
import { timed, type Times } from './timed.ts';

/** The input of a work: the lines of a log, or lines over a connection. */
export type Task = LogKind | 'tcp';

export const TASKS: Readonly<Record<Task, string>> = {
  access: 'access log, combined format',
  syslog: 'syslog file, RFC 3164',
  tcp: 'syslog over one TCP connection, to a file',
};

/** The programs whose first work on a task is the measure of processor time, and of time. */
export const MEASURES: Readonly<Record<Task, { readonly cpu: Tool; readonly time: Tool }>> = {
  access: { cpu: LUAJIT, time: LNAV },
  syslog: { cpu: LUAJIT, time: LNAV },
  tcp: { cpu: RSYSLOGD, time: RSYSLOGD },
};

/** Something that a program does with all lines of a task. */
export interface Work {
  readonly task: Task;
  /** The program of others that does it; null for this one. */
  readonly tool: Tool | null;
  readonly what: string;
  /** The command that does it to a log, where it is one; `folder` is new. */
  readonly command?: (log: string, folder: string) => string[] | Promise<string[]>;
  /** Does it once with so many lines, which are those of a log where the task is one; `folder` is new. */
  readonly once: (lines: number, log: string, folder: string) => Promise<Times>;
}

/** The command as users start it. */
const SLUICEBOX = [...(process.platform === 'win32' ? [process.execPath] : []), join(root, 'bin', 'sluicebox')];

/** The commands by which the programs read a kind of log. */
interface Reading {
  readonly kind: LogKind;
  /** The table of lnav, and the column by which it counts. */
  readonly table: string;
  readonly column: string;
  readonly pattern: string;
  readonly decoder: string;
  readonly decoderConfig: Readonly<Record<string, string>>;
  readonly filter: string;
  readonly filterConfig: Readonly<Record<string, string>>;
  /** Selects some of the messages. */
  readonly matcher: string;
}

const READINGS: readonly Reading[] = [
  {
    kind: 'access',
    table: 'access_log',
    column: 'sc_status',
    pattern: '[a-z]+/[0-9]+\\?q=[0-9]{5}[0-3]',
    decoder: 'nginx_access',
    decoderConfig: { log_format: LOG_FORMAT },
    filter: 'http_status',
    filterConfig: {},
    matcher: 'Fields[status] >= 500',
  },
  {
    kind: 'syslog',
    table: 'syslog_log',
    column: 'log_hostname',
    pattern: 'user u[0-9]+ from [0-9.]+ port [0-9]{3}[0-4]',
    decoder: 'rfc3164',
    decoderConfig: {},
    filter: 'rate',
    filterConfig: { message_variable: 'Hostname' },
    matcher: "Hostname == 'host2'",
  },
];

/** All works. */
export const WORKS: readonly Work[] = [
  ...READINGS.flatMap(worksOn),
  receiving(RSYSLOGD, 'receive and store', rsyslogd('tcp')),
  receiving(null, 'receive and store', sluicebox('tcp', 'undecoded', '')),
  receiving(null, 'receive, rfc3164, store', sluicebox('tcp', 'rfc3164', 'decoder = "rfc3164"\n')),
];

function worksOn(reading: Reading): Work[] {
  const { kind: task, table, column, pattern, decoder, decoderConfig, filter } = reading;
  const settings = Object.entries(decoderConfig).flatMap(([name, value]) => ['-s', `${name}=${value}`]);
  const sql = (query: string) => (log: string) => ['lnav', '-n', '-c', `;SELECT ${query}`, log];
  const work = (tool: Tool | null, what: string, command: (log: string, folder: string) => string[] | Promise<string[]>): Work => ({
    task,
    tool,
    what,
    command,
    once: async (_, log, folder) => timed(await command(log, folder), { silent: tool === null }),
  });
  const ofMessages = (what: string, command: readonly string[]): Work =>
    work(null, what, async (log, folder) => [...SLUICEBOX, ...command, await messagesOf(reading, log, folder)]);
  return [
    work(LUAJIT, 'parse each line into a table', (log) => ['luajit', join(import.meta.dirname, `${task}.lua`), log]),
    work(LNAV, 'open, index and count', sql(`count(*) FROM ${table}`)),
    work(LNAV, `count by ${column}, in SQL`, sql(`${column}, count(*) FROM ${table} GROUP BY ${column}`)),
    work(RIPGREP, 'count lines by a regular expression', (log) => ['rg', '-c', pattern, log]),
    work(null, `run: ${decoder}, ${filter}`, (log, folder) => run(reading, log, folder, `plugin = "${decoder}"`)),
    work(null, `run: ${decoder} as a user's script, ${filter}`, async (log, folder) => {
      const scripts = join(folder, 'scripts');
      await makeFolder(scripts);
      writeFileSync(join(scripts, `${decoder}.ts`), await copyBundled(findPlugin('decoder', decoder).path, scripts));
      return run(reading, log, folder, `filename = "scripts/${decoder}.ts"`);
    }),
    work(null, `decode: ${decoder}, to JSON`, (log) => [...SLUICEBOX, 'decode', decoder, ...settings, log]),
    ofMessages(`match: ${reading.matcher}, to JSON`, ['match', reading.matcher]),
    ofMessages('cat: messages to JSON', ['cat']),
    ofMessages('encode: json_lines', ['encode', 'json_lines']),
  ];
}

/** The decoded messages of a log, as framed protobuf. They are made once. */
async function messagesOf(reading: Reading, log: string, folder: string): Promise<string> {
  const path = `${log}.pb`;
  if (existsSync(path)) return path;
  const made = join(folder, 'messages.pb');
  const output = `[out]\ntype = "FileOutput"\npath = ${JSON.stringify(made)}\nmessage_matcher = "TRUE"\nencoder = "protobuf"\n`;
  await timed(pipeline(reading, log, folder, `plugin = "${reading.decoder}"`, output), { silent: true });
  renameSync(made, path);
  return path;
}

/** A run of a decoder and a filter; `script` is the line that names the decoder. */
function run(reading: Reading, log: string, folder: string, script: string): string[] {
  const { filter, filterConfig } = reading;
  const consumer =
    `[filter]\ntype = "SandboxFilter"\nplugin = "${filter}"\nmessage_matcher = "Fields[payload_type] == NIL"\nticker_interval = 3600\n` +
    `[filter.config]\n${table(filterConfig)}`;
  return pipeline(reading, log, folder, script, consumer);
}

/** Writes the configuration of a pipeline; `consumer` is the section that gets the messages. */
function pipeline({ decoderConfig }: Reading, log: string, folder: string, script: string, consumer: string): string[] {
  const file = join(folder, 'pipeline.toml');
  const text =
    `[svcd]\nbase_dir = ${JSON.stringify(join(folder, 'base'))}\n` +
    `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(log)}]\nfollow = false\nclock = "message"\ndecoder = "decoder"\n` +
    `[decoder]\ntype = "SandboxDecoder"\n${script}\n[decoder.config]\n${table(decoderConfig)}${consumer}`;
  writeFileSync(file, text);
  return [...SLUICEBOX, 'run', '--until-idle', file];
}

const table = (config: Readonly<Record<string, string>>): string =>
  Object.entries(config)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join('');

function receiving(tool: Tool | null, what: string, receiver: Receiver): Work {
  return {
    task: 'tcp',
    tool,
    what,
    async once(lines) {
      const { stored, ...times } = await receive(receiver, 1, lines);
      if (stored !== lines) throw new Error(`${receiver.name} has stored ${stored} of ${lines} messages`);
      return times;
    },
  };
}
