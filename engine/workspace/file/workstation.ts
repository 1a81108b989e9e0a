import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openRegular, readRegularFile, readText } from '../../base/files/regular-file.ts';
import type { SectionData } from '../../config/toml-write.ts';
import type { WatchItem, WatchReport } from '../../api/types.ts';

/** Prefix of the names of sections that watch this machine. Inputs that read statistics make up one source. */
export const WORKSTATION_PREFIX = 'workstation_';

/** Seconds between two readings; also the seconds per row of the graphs. */
const SECONDS = 2;
/** Seconds between two injections of the graphs. */
const TICKER = 4;
/** Rows of a graph: a quarter of an hour. */
const ROWS = 450;
const OUTPUT_LIMIT = 256 << 10;
const MOST_DISKS = 4;
const JOURNAL_MS = 5000;
/** Number of earlier entries of the journal that are shown. */
const JOURNAL_ENTRIES = 500;

/** A plan for watching this machine: the sections of inputs and filters, and a report of the parts that can be read. */
export interface WatchPlan {
  readonly sections: Readonly<Record<string, SectionData>>;
  readonly report: WatchReport;
}

/** Folders and programs that tell the state of the machine; tests give their own. */
export interface MachinePlaces {
  readonly proc: string;
  readonly blocks: string;
  readonly logs: string;
  /** Name or path of the program that prints the journal. */
  readonly journalctl: string;
  readonly platform: NodeJS.Platform;
}

const PLACES: MachinePlaces = {
  proc: '/proc',
  blocks: '/sys/block',
  logs: '/var/log',
  journalctl: 'journalctl',
  platform: process.platform,
};

/** One part of the machine: its sections, or the reason why it cannot be watched. */
interface Candidate {
  readonly item: WatchItem;
  readonly sections: Readonly<Record<string, SectionData>>;
}

/** Finds out which parts of this machine can be watched, and makes their sections. */
export async function watchPlan(places: MachinePlaces = PLACES): Promise<WatchPlan> {
  if (places.platform !== 'linux') {
    const reason = 'Only Linux has the files of /proc and /sys that tell how a machine is.';
    const nothing = ['Load', 'Memory', 'Processors', 'Disks'].map((name): WatchItem => ({ name, place: '', reason }));
    return { sections: {}, report: { items: nothing } };
  }
  const candidates = [...(await Promise.all(statistics(places))), ...(await disks(places)), ...(await logs(places))];
  const sections = Object.assign({}, ...candidates.map((candidate) => candidate.sections)) as WatchPlan['sections'];
  return { sections, report: { items: candidates.map(({ item }) => item) } };
}

function statistics({ proc }: MachinePlaces): Promise<Candidate>[] {
  return [
    statistic('Load', join(proc, 'loadavg'), 'linux_loadavg', {
      load_graph: graph('loadavg', "Type == 'stats.loadavg'", { sec_per_row: SECONDS, rows: ROWS }),
    }),
    statistic('Memory', join(proc, 'meminfo'), 'linux_memstats', {
      memory_graph: graph('memstats', "Type == 'stats.memstats'", { sec_per_row: SECONDS, rows: ROWS }),
    }),
    statistic('Processors', join(proc, 'stat'), 'linux_procstat', {
      processors_use: filter('procstat', "Type == 'stats.proc'", { whitelist: '^cpu$', extras: true }),
      processors_graph: graph('field_graph', "Type == 'svc.sandbox.procstat'", {
        title: 'Processors',
        fields: 'cpu_percent cpu_percent_user cpu_percent_system cpu_percent_iowait',
        labels: 'busy user system waiting',
        unit: 'percent',
        sec_per_row: SECONDS,
        rows: ROWS,
      }),
    }),
  ];
}

/** A file of statistics with its decoder and filters. */
async function statistic(name: string, path: string, decoder: string, filters: Readonly<Record<string, SectionData>>): Promise<Candidate> {
  const reason = await whyUnreadable(path);
  const item = { name, place: path, reason };
  if (reason !== null) return { item, sections: {} };
  const input: SectionData = { type: 'FilePollingInput', file_path: path, ticker_interval: SECONDS, decoder };
  const inputs = [WORKSTATION_PREFIX + sectionName(name)];
  const own = Object.entries(filters).map(([filter, section]) => [filter, { inputs, ...section }] as const);
  return { item, sections: prefixed({ [sectionName(name)]: input, ...Object.fromEntries(own) }) };
}

/** The disks of the machine, without devices that are backed by memory, files or other disks. */
async function disks({ blocks }: MachinePlaces): Promise<Candidate[]> {
  const names = await readdir(blocks).catch(() => []);
  const found = names.filter((name) => !/^(?:loop|ram|zram|sr|fd|nbd|dm-|md)\d*/.test(name)).sort();
  if (found.length === 0) return [{ item: { name: 'Disks', place: blocks, reason: 'This machine shows no disk there.' }, sections: {} }];
  const shown = found.slice(0, MOST_DISKS).map((disk) => {
    const path = join(blocks, disk, 'stat');
    const matcher = `Type == 'stats.diskstats' && Fields[FilePath] == '${path}'`;
    return statistic(`Disk ${disk}`, path, 'linux_diskstats', {
      [`${sectionName(`disk ${disk}`)}_graph`]: graph('diskstats', matcher, { rows: ROWS }),
    });
  });
  return Promise.all(shown);
}

/** The machine's own logs: its files, or its journal where there are none. */
async function logs({ logs: folder, journalctl }: MachinePlaces): Promise<Candidate[]> {
  const files = await Promise.all([
    log('System log', folder, ['syslog', 'messages']),
    log('Logins', folder, ['auth.log', 'secure']),
    log('Kernel', folder, ['kern.log']),
  ]);
  const exist = files.filter((file) => file !== null);
  if (exist.some(({ item }) => item.reason === null)) return exist;
  return [...exist, await journal(journalctl)];
}

/** The first of these files that exists; null: none does. */
async function log(name: string, folder: string, files: readonly string[]): Promise<Candidate | null> {
  for (const file of files) {
    const path = join(folder, file);
    const there = await stat(path).then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
    );
    if (!there) continue;
    const reason = await whyUnreadable(path);
    const section: SectionData = { type: 'FileInput', paths: [path] };
    return { item: { name, place: path, reason }, sections: reason === null ? prefixed({ [sectionName(file)]: section }) : {} };
  }
  return null;
}

async function journal(program: string): Promise<Candidate> {
  const reason = await whyNoJournal(program);
  const item = { name: 'Journal', place: 'journalctl', reason };
  if (reason !== null) return { item, sections: {} };
  const args = ['-f', '-n', String(JOURNAL_ENTRIES), '-o', 'json'];
  const input: SectionData = {
    type: 'ProcessInput',
    ticker_interval: 0,
    splitter: 'line',
    decoder: 'json_lines',
    can_exit: true,
    command: { 0: { bin: program, args } },
  };
  return { item, sections: prefixed({ journal: input }) };
}

/** The reason for which the journal cannot be read; null: it has entries that this user may read. */
async function whyNoJournal(program: string): Promise<string | null> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, ['-n', '1', '-o', 'json'], { timeout: JOURNAL_MS });
    if (stdout.trim() !== '') return null;
    return `It has no entries that you may read.${hintOf(stderr)}`;
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') return 'There is no journal, or no program that reads it.';
    return `It cannot be read.${hintOf(stderr)}`;
  }
}

const hintOf = (said: string): string => (said.trim() === '' ? '' : ` journalctl says: ${said.trim().split('\n')[0]}`);

/** Bytes of a file of the system. */
const MOST_BYTES = 64 << 20;

/** The reason for which a file cannot be read, and what to do; null: it can. */
async function whyUnreadable(path: string): Promise<string | null> {
  try {
    const file = await openRegular(path);
    await file.close();
    // Some files of the kernel can be opened but not read.
    if (path.startsWith('/proc/') || path.startsWith('/sys/')) await readRegularFile(path, MOST_BYTES);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'It is not there: the kernel or a container hides it.';
    if (code === 'EACCES' || code === 'EPERM') return `You may not read it. ${await howToRead(path)}`;
    return message;
  }
}

async function howToRead(path: string): Promise<string> {
  const [file, groups] = await Promise.all([stat(path).catch(() => null), readText('/etc/group', MOST_BYTES).catch(() => '')]);
  return adviceToRead(file, groups);
}

/**
 * Advice for a user who may not read a file.
 * @param file null: its mode and group are unknown
 * @param groups the content of `/etc/group`
 */
export function adviceToRead(file: { readonly mode: number; readonly gid: number } | null, groups: string): string {
  const fields = groups.split('\n').map((line) => line.split(':'));
  const [group] = fields.find(([, , gid]) => file !== null && gid === String(file.gid)) ?? [];
  const isForGroup = file !== null && file.gid !== 0 && (file.mode & 0o040) !== 0;
  return isForGroup && group !== undefined
    ? `The group ${group} may: join it (sudo usermod -aG ${group} $USER) and log in again.`
    : 'Only its owner may, which is mostly root.';
}

type ScriptConfig = Readonly<Record<string, string | number | boolean>>;

const filter = (plugin: string, matcher: string, config: ScriptConfig): SectionData => ({
  type: 'SandboxFilter',
  plugin,
  message_matcher: matcher,
  config,
});

const graph = (plugin: string, matcher: string, config: ScriptConfig): SectionData => ({
  type: 'SandboxFilter',
  plugin,
  message_matcher: matcher,
  ticker_interval: TICKER,
  output_limit: OUTPUT_LIMIT,
  config,
});

const sectionName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');

const prefixed = (sections: Readonly<Record<string, SectionData>>): Record<string, SectionData> =>
  Object.fromEntries(Object.entries(sections).map(([name, section]) => [WORKSTATION_PREFIX + name, section]));
