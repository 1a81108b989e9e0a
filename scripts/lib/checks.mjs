import { inRoot } from './paths.mjs';
import { tool } from './steps.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

const PRETTIER = 'prettier/bin/prettier.cjs';
const ESLINT = 'eslint/bin/eslint.js';
const TSC = 'typescript/bin/tsc';

/** Files by which all projects are judged. */
const EVERYWHERE = /^(tsconfig\.base\.json|package\.json|package-lock\.json)$/;
const SPELLED = /\.md$|^docs\/words\.txt$|^engine\/api\/(ends|errors|commands)\.ts$/;
/** Kinds of unused things that knip looks for. */
const UNUSED = 'files,dependencies,unlisted,unresolved,exports,types';
const LINTED = /\.(ts|mjs|cjs|js|svelte)$/;

/** The path at which the result of a check is kept for the next time: it is right by the content of the files, and by all that they import. */
const kept = (/** @type {string} */ name) => inRoot('node_modules/.cache', name);

const spelling = () => tool('spelling', '../scripts/check-spelling.mjs');

/** @param {string} name @param {string} project */
const types = (name, project) =>
  tool(`types: ${name}`, TSC, '-p', project, '--incremental', '--tsBuildInfoFile', kept(`types-${name.replaceAll(' ', '-')}.tsbuildinfo`));

/** @param {...string} files */
const format = (...files) =>
  tool(
    'format',
    PRETTIER,
    '--check',
    '--cache',
    '--cache-strategy',
    'content',
    '--cache-location',
    kept('format'),
    '--log-level',
    'warn',
    ...files,
  );

/**
 * Type checks, and the files of which a change can turn them red: the project's own and those that it imports.
 * @type {readonly { step: Step, touchedBy: RegExp }[]}
 */
const TYPES = [
  { step: types('engine', 'tsconfig.json'), touchedBy: /^(engine|bench|plugins)\/|^tsconfig\.json$|\.config\.ts$/ },
  { step: types('tests', 'test'), touchedBy: /^(test|engine|bench|plugins|renderer|electron|scripts)\// },
  { step: types('scripts', 'scripts'), touchedBy: /^(scripts|bin)\// },
  { step: types('plugins', 'plugins'), touchedBy: /^(plugins|engine)\// },
  { step: types('shell', 'electron'), touchedBy: /^(electron|engine)\// },
  {
    step: types('shell on Electron 42', 'tsconfig.electron-42.json'),
    touchedBy: /^(electron|engine)\/|^tsconfig\.electron-42\.json$/,
  },
  {
    step: tool(
      'types: window',
      'svelte-check/bin/svelte-check',
      '--workspace',
      'renderer',
      '--tsconfig',
      './tsconfig.json',
      '--output',
      'human',
    ),
    touchedBy: /^(renderer|engine|electron)\//,
  },
];

/** @returns {Step[]} every check of format, lint and types */
export const allChecks = () => [
  format('.'),
  tool('lint', ESLINT, '.'),
  spelling(),
  tool('unused files, exports and packages', 'knip/bin/knip.js', '--no-progress', '--include', UNUSED),
  ...TYPES.map(({ step }) => step),
];

/**
 * Format and lint of these files, and the types of the projects that a change of them concerns.
 * @param {readonly string[]} files
 * @returns {Step[]}
 */
export function checksOf(files) {
  const linted = files.filter((file) => LINTED.test(file));
  const everywhere = files.some((file) => EVERYWHERE.test(file));
  return [
    ...(files.length > 0 ? [format('--ignore-unknown', ...files)] : []),
    ...(linted.length > 0 ? [tool('lint', ESLINT, '--no-warn-ignored', ...linted)] : []),
    ...(files.some((file) => SPELLED.test(file)) ? [spelling()] : []),
    ...TYPES.filter(({ touchedBy }) => everywhere || files.some((file) => touchedBy.test(file))).map(({ step }) => step),
  ];
}
