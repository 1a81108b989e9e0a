import type { Command } from './command.ts';
import type { ManualCommand } from './manual/man-page.ts';

interface CommandEntry {
  readonly summary: string;
  load(): Promise<Command>;
}

/** Every command, in the order of the overview. `commandEntry` finds one by what was typed. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  view: {
    summary: 'show log files as lines for people, merged by time',
    load: async () => (await import('./commands/view.ts')).view,
  },
  decode: {
    summary: 'decode records with a decoder and print the messages as JSON',
    load: async () => (await import('./commands/decode.ts')).decode,
  },
  query: {
    summary: 'run SQL on log files',
    load: async () => (await import('./commands/query.ts')).query,
  },
  import: {
    summary: 'keep log files in a store of Parquet files, for queries by SQL',
    load: async () => (await import('./commands/import.ts')).importFiles,
  },
  store: {
    summary: 'list the log files in a store, remove them, and merge small Parquet files',
    load: async () => (await import('./commands/store.ts')).store,
  },
  replay: {
    summary: 'run filters over the messages of a store and print their graphs, lists and alerts',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  search: {
    summary: 'find lines of log files by a regular expression',
    load: async () => (await import('./commands/search.ts')).search,
  },
  diff: {
    summary: 'say how two sets of records differ: files, times, hosts, or values of a field',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  mcp: {
    summary: "answer an assistant's questions about log files (Model Context Protocol)",
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  detect: {
    summary: 'say which decoders fit some files, with their parameters',
    load: async () => (await import('./commands/detect.ts')).detect,
  },
  filter: {
    summary: 'run messages through a filter and print what it injects',
    load: async () => (await import('./commands/filter.ts')).filter,
  },
  encode: {
    summary: 'encode messages with an encoder and write the bytes',
    load: async () => (await import('./commands/encode.ts')).encode,
  },
  match: { summary: 'print the messages that an expression selects', load: async () => (await import('./commands/match.ts')).match },
  rules: {
    summary: 'check Sigma rules, and find the records that they are about',
    load: async () => (await import('./commands/rules.ts')).rules,
  },
  cat: { summary: 'print framed streams of messages as JSON, text or protobuf', load: async () => (await import('./commands/cat.ts')).cat },
  inject: {
    summary: 'make a message and write it to a file or send it',
    load: async () => (await import('./commands/inject.ts')).inject,
  },
  manager: {
    summary: 'load a filter into a service that runs, or unload it',
    load: async () => (await import('./commands/manager.ts')).manager,
  },
  sandbox: {
    summary: 'try a script of your own: what it emits, what it uses, its tests',
    load: async () => (await import('./commands/sandbox.ts')).sandbox,
  },
  new: { summary: 'write a script to begin with, its types and its test', load: async () => (await import('./commands/new.ts')).newScript },
  run: { summary: 'run the pipeline of a configuration', load: async () => (await import('./commands/run.ts')).run },
  cluster: {
    summary: 'show the streams of a cluster, how far their readers are, and edges that are dead',
    load: async () => (await import('./commands/cluster.ts')).cluster,
  },
  check: { summary: 'check a configuration', load: async () => (await import('./commands/check.ts')).check },
  status: {
    summary: 'say whether a service runs, and what its plugins have done',
    load: async () => (await import('./commands/status.ts')).status,
  },
  top: {
    summary: 'show the figures of a running service as a live table',
    load: async () => (await import('./commands/top.ts')).top,
  },
  queue: {
    summary: 'look into the disk buffers of a service, or empty one',
    load: async () => (await import('./commands/queue.ts')).queue,
  },
  manual: { summary: 'print the manual page', load: async () => (await import('./commands/manual.ts')).manualOf(allHelp) },
  completions: {
    summary: 'print a script by which a shell completes the command line',
    load: async () => (await import('./commands/completions.ts')).completionsOf(allHelp),
  },
};

/** The command of a name that may be none, such as one that objects inherit. */
export const commandEntry = (name: string | undefined): CommandEntry | undefined =>
  name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;

const allHelp = (): Promise<ManualCommand[]> =>
  Promise.all(Object.entries(COMMANDS).map(async ([name, entry]) => ({ name, summary: entry.summary, help: (await entry.load()).help })));
