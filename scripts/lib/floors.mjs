import { dirname, relative, resolve, sep } from 'node:path';
import { root } from './paths.mjs';

/**
 * @typedef {object} Floor
 * @property {Readonly<Record<string, string>>} wings its folders and files, and what they are for
 * @property {readonly (readonly string[])[]} [inside] the rooms of its wings in rows, from the ground up: a room knows those of the rows below. `/*` names
 *   the files of a folder alone. Without it a wing is one room, and the wings do not know each other.
 */

/**
 * The floors of the code, from the ground up. A file imports from its own room and from floors below, types included.
 * @type {readonly Floor[]}
 */
export const FLOORS = [
  {
    wings: { plugins: 'the bundled scripts, one file each, the modules that scripts may require, and what they share' },
    inside: [
      ['plugins/*'],
      ['plugins/base'],
      ['plugins/modules'],
      ['plugins/lib'],
      ['plugins/decoders', 'plugins/encoders', 'plugins/filters', 'plugins/lnav'],
    ],
  },
  { wings: { 'engine/api': 'the contract with the window and the shell' } },
  { wings: { 'engine/base': 'errors, files, processes, connections, texts, time: helpers that know nothing of logs' } },
  {
    wings: {
      'engine/message': 'messages, batches of them as columns, and their forms outside of memory',
      'engine/incident': 'an incident as a page or a text',
      'engine/lookup': 'lists and databases of addresses that users have, by their names',
    },
  },
  {
    wings: {
      'engine/matcher': 'message matchers, compiled to loops over columns; regular expressions in linear time',
      'engine/otlp': 'requests of OTLP as messages, and messages as log records',
      'engine/parquet': 'messages as Parquet files',
      'engine/queue': 'queues on disk',
      'engine/redact': 'pseudonyms in the place of what tells of people and machines',
      'engine/sandbox': 'scripts in isolates: their contract, their code, the hosts they run in, and how batches get there',
    },
    inside: [
      ['engine/matcher', 'engine/otlp', 'engine/parquet', 'engine/queue', 'engine/redact', 'engine/sandbox/contract'],
      ['engine/sandbox/prelude'],
      ['engine/sandbox/wire'],
      ['engine/sandbox/host', 'engine/sandbox/calls'],
      ['engine/sandbox/code'],
      ['engine/sandbox/hosts'],
      ['engine/sandbox/ours'],
    ],
  },
  {
    wings: {
      'engine/rules': 'Sigma rules, compiled to one walk over the values of each field',
      'engine/section': 'what sections of a configuration have in common',
      'engine/nats': 'connections to NATS, and the batches that travel on them',
      'engine/catalogue': 'lakes: Parquet files that several programs write to one place, and the log that lists them',
    },
    inside: [['engine/rules', 'engine/section', 'engine/catalogue'], ['engine/nats']],
  },
  {
    wings: { 'engine/inputs': 'where records come from, and how bytes are cut into them' },
    inside: [
      ['engine/inputs/*'],
      ['engine/inputs/splitters', 'engine/inputs/stats'],
      ['engine/inputs/shared'],
      ['engine/inputs/file', 'engine/inputs/net', 'engine/inputs/poll', 'engine/inputs/process'],
      ['engine/inputs/fluent', 'engine/inputs/http', 'engine/inputs/nats', 'engine/inputs/statsd'],
      ['engine/inputs/built-in.ts'],
    ],
  },
  {
    wings: {
      'engine/assistants': 'what assistants may ask about, and what they have asked',
      'engine/ask': 'SQL over Parquet files, in a process of its own',
      'engine/outputs': 'where messages go: encoding, writing, delivery; graphs and lists that filters inject',
      'engine/plugins': 'what scripts say of themselves, their parameters, how they are started',
      'engine/search': 'lines of files, found by ripgrep',
    },
    inside: [
      ['engine/ask', 'engine/assistants', 'engine/outputs/*', 'engine/plugins', 'engine/search'],
      ['engine/outputs/nats', 'engine/outputs/smtp'],
      ['engine/outputs/built-in.ts'],
    ],
  },
  {
    wings: {
      'engine/config': 'configuration files: reading, checking, editing',
      'engine/detect': 'which decoder a file needs',
      'engine/lake': 'folders of Parquet files with their manifest',
      'engine/pipeline': 'the running pipeline: router, decode stage, filters, outputs',
      'engine/store': 'the records of the window: segments, views, histograms',
    },
    inside: [
      ['engine/config/schema', 'engine/detect/forms', 'engine/pipeline/*', 'engine/store'],
      ['engine/config', 'engine/detect', 'engine/lake', 'engine/pipeline/scripts'],
    ],
  },
  {
    wings: { 'engine/service': 'a pipeline made from a configuration; filters that are loaded while it runs' },
    inside: [['engine/service/manager'], ['engine/service']],
  },
  {
    wings: {
      'engine/cli': 'the command line',
      'engine/workspace': 'the engine of the window',
      'engine/index.ts': 'the process of the engine of the window',
    },
    inside: [
      ['engine/cli/*', 'engine/workspace/common'],
      [
        ...['engine/cli/inject', 'engine/cli/manual', 'engine/cli/query', 'engine/cli/scripts', 'engine/cli/search'],
        ...['engine/workspace/file', 'engine/workspace/query'],
      ],
      ['engine/cli/mcp', 'engine/cli/replay', 'engine/cli/store', 'engine/workspace/marks', 'engine/workspace/sources'],
      ['engine/cli/commands', 'engine/workspace/scripts'],
      ['engine/cli/commands.ts', 'engine/workspace/filters'],
      ['engine/cli/command-line.ts', 'engine/workspace/opening'],
      ['engine/cli/main.ts', 'engine/workspace/named'],
      ['engine/workspace/incident'],
      ['engine/workspace/*'],
      ['engine/index.ts'],
    ],
  },
  {
    wings: { renderer: 'the window: its state, controls, views and frame' },
    inside: [
      ['renderer/src/lib'],
      ['renderer/src/state'],
      ['renderer/src/components'],
      ['renderer/src/views/builder'],
      [
        ...['renderer/src/views/alerts', 'renderer/src/views/charts', 'renderer/src/views/logs', 'renderer/src/views/overview'],
        ...['renderer/src/views/scripts', 'renderer/src/views/query', 'renderer/src/views/settings'],
      ],
      ['renderer/src/views/incident'],
      ['renderer/src/frame'],
      ['renderer/src/*'],
      ['renderer/dev'],
    ],
  },
];

/** Parts of a floor that never import each other. */
const APART = ['engine/cli/', 'engine/workspace/'];

/** Floor and row of each room. @type {ReadonlyMap<string, readonly [floor: number, row: number]>} */
const PLACE_OF = new Map(
  FLOORS.flatMap(({ wings, inside = [Object.keys(wings)] }, floor) =>
    inside.flatMap((rooms, row) => rooms.map((room) => /** @type {const} */ ([room, [floor, row]]))),
  ),
);

/**
 * The room of a file: the listed place that it belongs to; undefined when it belongs to none.
 * @param {string} file a path from the project's folder
 */
export function roomOf(file) {
  if (PLACE_OF.has(file)) return file;
  const alone = `${dirname(file)}/*`;
  if (PLACE_OF.has(alone)) return alone;
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) if (PLACE_OF.has(folder)) return folder;
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
  const [[floor, row], [floorBelow, rowBelow]] = [placeOf(own), placeOf(other)];
  if (floorBelow < floor || (floorBelow === floor && rowBelow < row)) return undefined;
  return floorBelow === floor && rowBelow === row
    ? `${own} and ${other} stand on one floor: neither imports the other.`
    : `${other} stands above ${own}: imports go down.`;
}

/** @param {string} room */
const placeOf = (room) => /** @type {readonly [number, number]} */ (PLACE_OF.get(room));

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
