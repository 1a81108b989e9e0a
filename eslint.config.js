import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { importsGoDown } from './scripts/lib/floors.mjs';
import { OWN_FILES, opensWithCare } from './scripts/lib/own-files.mjs';
import svelteConfig from './svelte.config.js';

const typescript = ['**/*.ts', '**/*.svelte'];

/** One layer's rule: which imports a folder may not have. `allowTypeImports` on a pattern lets its types through. */
const layer = (files, ...patterns) => ({
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
});

const folder = (name) => `(^|/)${name}(/|$)`;

export default defineConfig(
  globalIgnores([
    'node_modules/',
    'out/',
    'dist/',
    'coverage/',
    'test-results/',
    '**/generated/',
    'test/fixtures/',
    'test/hostile/{scripts,modules}/',
    'resources/examples/scripts/',
    '.cache/',
  ]),
  js.configs.recommended,
  {
    files: typescript,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname, extraFileExtensions: ['.svelte'] } },
  },
  svelte.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true }],
      'no-console': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true } }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: typescript,
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' }],
      '@typescript-eslint/only-throw-error': ['error', { allowRethrowing: true, allowThrowingUnknown: true }],
      // A method can be async because its interface is.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true, allow: ['bigint'] }],
      'no-undef': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } },
  },

  {
    files: ['engine/**', 'plugins/**', 'renderer/**'],
    plugins: { sluicebox: { rules: { 'imports-go-down': importsGoDown } } },
    rules: { 'sluicebox/imports-go-down': 'error' },
  },
  {
    files: ['engine/**', 'electron/**', 'plugins/**'],
    ignores: Object.keys(OWN_FILES),
    plugins: { files: { rules: { 'opens-with-care': opensWithCare } } },
    rules: { 'files/opens-with-care': 'error' },
  },
  layer(
    ['engine/**'],
    { regex: '^electron(/|$)', message: 'The engine runs without Electron.' },
    { regex: '^svelte(/|$)', message: 'The engine knows no window.' },
    { regex: folder('(renderer|electron)'), message: 'The engine knows neither the shell nor the window.' },
  ),
  layer(['electron/**'], { regex: folder('renderer'), message: 'The shell loads the window as built files, not as modules.' }),
  layer(
    ['renderer/**'],
    { regex: '^(node:|electron$)', message: 'The window has no Node and no Electron: use the preload API.' },
    {
      // The table of commands, the catalogue of ends, the escapes of text, the edges of words, the names of severities, the language of filters, the forms of times and of values in texts, the cells of CSV, the headers of messages, the names of columns of graphs and what TypeScript says of a script are what the window takes as values; they import nothing else at run time.
      regex:
        '(^|/)engine/api(/(?!(?:columns|commands|completion|csv|ends|headers|printable|quantities|rule-fields|script-types|series|severities|shades|state-change|value-look|views|words|filter/\\w[\\w-]*|time/\\w[\\w-]*)\\.ts$)|$)',
      allowTypeImports: true,
      message:
        'The window takes only types from engine/api, and the values of filter/, columns.ts, commands.ts, completion.ts, csv.ts, ends.ts, headers.ts, printable.ts, quantities.ts, rule-fields.ts, script-types.ts, series.ts, severities.ts, shades.ts, state-change.ts, time/, value-look.ts, views.ts and words.ts.',
    },
    { regex: `${folder('engine')}(?!api(/|\\.|$))`, message: 'Of the engine, the window knows only engine/api.' },
    { regex: folder('electron/main'), message: 'The window takes nothing from the main process.' },
  ),
  layer(
    ['plugins/**'],
    { regex: '^(?!\\.)', message: 'A script runs in an isolate: it has no packages.' },
    {
      regex: folder('(engine|electron|renderer|test|scripts|node_modules)'),
      message: 'Scripts import nothing outside plugins/.',
    },
  ),

  {
    // A command's output is its product.
    files: ['scripts/**', 'bin/**', 'bench/**', 'test/bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // What strangers wrote must not command a terminal: only these write to one, and the pages that are made of our own code.
    files: ['engine/**', 'electron/**'],
    ignores: ['engine/base/process/terminal.ts', 'electron/main/terminal.ts', 'engine/**/*docs.ts', 'engine/plugins/shipped-list.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['stdout', 'stderr'].map((property) => ({
          object: 'process',
          property,
          message: 'Use engine/base/process/terminal.ts or electron/main/terminal.ts, which escape control characters.',
        })),
      ],
    },
  },
  { files: ['**/*.mjs', '*.config.js', 'bin/*'], languageOptions: { globals: globals.node } },
  { files: ['bin/*'], languageOptions: { sourceType: 'commonjs' } },
  {
    // These tools read their configuration from the default export, and what stands for a package has the package's.
    files: ['*.config.{js,ts}', 'test/fast-check.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    // Takes the built-in functions as they are before a script can change them.
    files: ['engine/sandbox/prelude/**'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  {
    // Tests read what they have just written, and try what must not work.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-implied-eval': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'max-lines': ['error', { max: 600 }],
    },
  },
  {
    // The window changes while a story runs: what is read once may be of the moment before.
    files: ['test/e2e/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.name='expect'] > AwaitExpression > CallExpression[callee.property.name=/^(innerText|allInnerTexts|textContent|allTextContents|count|getAttribute|inputValue|isChecked|isVisible|isHidden|isEnabled|isDisabled|boundingBox)$/]",
          message: 'Wait for it: await expect.poll(() => …).',
        },
      ],
    },
  },
);
