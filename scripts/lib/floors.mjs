import { dirname, relative, resolve, sep } from 'node:path';
import { root } from './paths.mjs';

/**
 * The floors of the code, from the ground up, each with its rooms and what they are for. A file imports from its own room and from floors below, types
 * included; rooms of one floor do not know each other. A folder that is not listed belongs to the nearest one above it that is; `/*` names the files
 * of a folder alone.
 * @type {readonly Readonly<Record<string, string>>[]}
 */
export const FLOORS = [
  { 'plugins/*': 'the types of the API that scripts see' },
  { 'plugins/base': 'what the modules are made of; not for users' },
  { 'plugins/modules': 'modules that scripts may require: documented and stable' },
  { 'plugins/lib': 'what the bundled scripts share; not for users' },
  {
    'plugins/decoders': 'bundled decoders, one file each',
    'plugins/encoders': 'bundled encoders, one file each',
    'plugins/filters': 'bundled filters, one file each',
  },
  { 'engine/api': 'the contract with the window and the shell' },
  { 'engine/*': 'errors, throttles, back-off and other small helpers' },
  { 'engine/message': 'messages, batches of them as columns, and their forms outside of memory' },
  {
    'engine/matcher': 'message matchers, compiled to loops over columns; regular expressions in linear time',
    'engine/otlp': 'messages as log records of OTLP, and back',
    'engine/parquet': 'messages as Parquet files',
    'engine/queue': 'queues on disk',
    'engine/sandbox': 'isolated scripts: hosts, limits, state, the protocol between engine and host',
  },
  { 'engine/section': 'what sections of a configuration have in common' },
  { 'engine/nats': 'connections to NATS, and the batches that travel on them' },
  { 'engine/inputs/*': 'records in pieces of their source, times, checkpoints, notices' },
  {
    'engine/inputs/splitters': 'splitters, which cut bytes into records',
    'engine/inputs/stats': 'numbers of statsd, and where they are gathered',
  },
  { 'engine/inputs/shared': 'what types of inputs have in common' },
  {
    'engine/inputs/file': 'files that grow, rotate and come back',
    'engine/inputs/net': 'TCP and UDP',
    'engine/inputs/poll': 'files that are read anew again and again',
    'engine/inputs/process': 'the output of commands',
  },
  {
    'engine/inputs/fluent': 'events by the forward protocol of Fluentd',
    'engine/inputs/http': 'HTTP, as a client and as a server',
    'engine/inputs/nats': 'batches from NATS',
    'engine/inputs/statsd': 'statsd',
  },
  { 'engine/search': 'lines of files, found by ripgrep' },
  { 'engine/inputs/built-in.ts': 'the list of the built-in inputs' },
  {
    'engine/ask': 'SQL over Parquet files, in a process of its own',
    'engine/outputs/*': 'encoding, writing, delivery; graphs and lists that filters inject',
    'engine/plugins': 'bundled and users’ scripts: what they say of themselves, their parameters, how they are started',
    'engine/store': 'the records of the window: segments, views, histograms',
  },
  {
    'engine/lake': 'folders of Parquet files with their manifest',
    'engine/outputs/nats': 'batches that are published to NATS',
    'engine/outputs/smtp': 'mails',
  },
  { 'engine/outputs/built-in.ts': 'the list of the built-in outputs' },
  { 'engine/config/schema': 'the types of sections' },
  { 'engine/config': 'configuration files: reading, checking, editing' },
  { 'engine/pipeline/*': 'the running pipeline: router, decode stage, filters, outputs' },
  { 'engine/pipeline/scripts': 'what input and output scripts read and write' },
  { 'engine/detect/forms': 'forms of logs whose recognition takes code' },
  { 'engine/detect': 'which decoder a file needs' },
  { 'engine/service/manager': 'filters that are loaded and unloaded while a service runs' },
  { 'engine/service': 'a pipeline made from a configuration' },
  { 'engine/workspace/common': 'notices, rates, and what is told of scripts', 'engine/cli/*': 'what commands have in common' },
  {
    'engine/workspace/file': 'the workspace file',
    'engine/cli/inject': 'messages made from flags, and where they are sent',
    'engine/cli/lnav': 'formats of lnav, made into scripts',
    'engine/cli/query': 'files as tables, and the forms of results',
    'engine/cli/search': 'records that are found and decoded',
  },
  { 'engine/cli/store': 'files that are imported into a store' },
  {
    'engine/workspace/sources': 'the sources of the window',
    'engine/workspace/query': 'SQL over the records of the window',
    'engine/cli/commands': 'the commands of the command line, one file each',
  },
  { 'engine/workspace/scripts': 'scripts that the window reads, writes and tries', 'engine/cli/commands.ts': 'the list of the commands' },
  { 'engine/workspace/filters': 'the filters of the window’s sources', 'engine/cli/command-line.ts': 'the command line' },
  { 'engine/workspace': 'the engine of the window', 'engine/cli/main.ts': 'the process of the command line' },
  { 'engine/index.ts': 'the engine’s process' },
  { 'renderer/src/lib': 'functions and classes that know nothing of the window’s state' },
  { 'renderer/src/state': 'the state of the window' },
  { 'renderer/src/components': 'controls that views share' },
  {
    'renderer/src/views/alerts': 'alerts',
    'renderer/src/views/graphs': 'graphs',
    'renderer/src/views/items': 'frequent items',
    'renderer/src/views/logs': 'records',
    'renderer/src/views/patterns': 'lines that are alike',
    'renderer/src/views/timeline': 'operations, from their first record to their last',
    'renderer/src/views/plugins': 'the pipeline, its scripts and their editor',
    'renderer/src/views/query': 'SQL over the records',
    'renderer/src/views/schema': 'the schema of messages',
    'renderer/src/views/settings': 'settings and new sources',
  },
  { 'renderer/src/frame': 'what stands around the views' },
  { 'renderer/src/*': 'the window' },
  { 'renderer/dev': 'the window without an engine, for work on it' },
];

/** Parts of several floors that never import each other. */
const APART = ['engine/cli/', 'engine/workspace/'];

/** @type {ReadonlyMap<string, number>} */
const FLOOR_OF = new Map(FLOORS.flatMap((rooms, floor) => Object.keys(rooms).map((room) => /** @type {const} */ ([room, floor]))));

/**
 * The room of a file: the listed place that it belongs to; undefined when it belongs to none.
 * @param {string} file a path from the project's folder
 */
export function roomOf(file) {
  if (FLOOR_OF.has(file)) return file;
  const alone = `${dirname(file)}/*`;
  if (FLOOR_OF.has(alone)) return alone;
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) if (FLOOR_OF.has(folder)) return folder;
  return undefined;
}

/**
 * The reason for which a file may not import another one; undefined when it may.
 * @param {string} from a path from the project's folder
 * @param {string} to the same
 */
export function whyNot(from, to) {
  const [own, other] = [roomOf(from), roomOf(to)];
  if (own === undefined || other === undefined || own === other) return undefined;
  const [part, otherPart] = [from, to].map((file) => APART.find((folder) => file.startsWith(folder)));
  if (part && otherPart && part !== otherPart) return `${part} and ${otherPart} do not import each other.`;
  const [floor, below] = [Number(FLOOR_OF.get(own)), Number(FLOOR_OF.get(other))];
  if (below < floor) return undefined;
  return below === floor
    ? `${own} and ${other} stand on one floor: neither imports the other.`
    : `${other} stands above ${own}: imports go down.`;
}

/** An ESLint rule: imports go down. @type {import('eslint').Rule.RuleModule} */
export const importsGoDown = {
  meta: { type: 'problem', docs: { description: 'imports go down the floors of scripts/lib/floors.mjs' }, schema: [] },
  create(context) {
    /** @param {import('eslint').Rule.Node} node @param {unknown} specifier */
    const check = (node, specifier) => {
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const inProject = (/** @type {string} */ path) => relative(root, path).split(sep).join('/');
      const message = whyNot(inProject(context.filename), inProject(resolve(dirname(context.filename), specifier)));
      if (message !== undefined) context.report({ node, message });
    };
    /** @param {any} node */
    const ofSource = (node) => check(node, node.source?.value ?? node.source?.literal?.value);
    return {
      ImportDeclaration: ofSource,
      ExportNamedDeclaration: ofSource,
      ExportAllDeclaration: ofSource,
      ImportExpression: ofSource,
      TSImportType: ofSource,
    };
  },
};
