import { dirname, relative, resolve, sep } from 'node:path';
import { root } from './paths.mjs';

/**
 * The floors of the code, from the ground up. A file imports from its own folder and from floors below, types included; folders of one
 * floor do not know each other. A folder that is not listed belongs to the nearest one above it that is; `/*` names the files of a folder alone.
 */
export const FLOORS = [
  ['plugins/*'],
  ['plugins/base'],
  ['plugins/modules'],
  ['plugins/lib'],
  ['plugins/decoders', 'plugins/encoders', 'plugins/filters'],
  ['engine/api'],
  ['engine/*'],
  ['engine/message'],
  ['engine/matcher', 'engine/queue', 'engine/sandbox'],
  ['engine/section'],
  ['engine/inputs'],
  ['engine/outputs', 'engine/plugins', 'engine/store'],
  ['engine/config'],
  ['engine/pipeline'],
  ['engine/detect'],
  ['engine/service'],
  ['engine/cli', 'engine/workspace'],
  ['engine/index.ts'],
  ['renderer/src/lib'],
  ['renderer/src/state'],
  ['renderer/src/components'],
  [
    'renderer/src/views/alerts',
    'renderer/src/views/graphs',
    'renderer/src/views/items',
    'renderer/src/views/logs',
    'renderer/src/views/plugins',
    'renderer/src/views/schema',
    'renderer/src/views/settings',
  ],
  ['renderer/src/frame'],
  ['renderer/src/*'],
  ['renderer/dev'],
];

/** @type {ReadonlyMap<string, number>} */
const FLOOR_OF = new Map(FLOORS.flatMap((rooms, floor) => rooms.map((room) => /** @type {const} */ ([room, floor]))));

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
 * Why a file may not import another one; undefined when it may.
 * @param {string} from a path from the project's folder
 * @param {string} to the same
 */
export function whyNot(from, to) {
  const [own, other] = [roomOf(from), roomOf(to)];
  if (own === undefined || other === undefined || own === other) return undefined;
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
