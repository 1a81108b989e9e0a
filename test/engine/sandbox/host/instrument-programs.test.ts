import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createContext, runInContext, Script } from 'node:vm';
import type { Options } from 'acorn';
import { describe, expect, test } from 'vitest';
import { instrument } from '../../../../engine/sandbox/host/instrument.ts';

const require = createRequire(import.meta.url);
const COUNTER = 'let $__n = 1e15; const $__t = () => { throw 1; }, $__c = (n) => { if (($__n -= n) < 0) $__t(); }; const $__k = () => {};';

interface Parser {
  parse(source: string, options: Options): unknown;
}

/** The exports of a program, as it is or instrumented. */
function load(path: string, instrumented: boolean): Parser {
  const source = `(function (exports, module) {${readFileSync(path, 'utf8')}\n})`;
  const code = instrumented ? instrument(source, 'classic').code : source;
  const context = createContext({});
  runInContext(COUNTER, context);
  const module = { exports: {} };
  (runInContext(code, context) as (exports: object, module: object) => void)(module.exports, module);
  return module.exports as Parser;
}

const plugins = join(import.meta.dirname, '../../../../plugins');
const own = ['base', 'lib', 'modules'].flatMap((folder) =>
  readdirSync(join(plugins, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
);
const acorn = require.resolve('acorn');

test('a large program does the same as before', () => {
  const [before, after] = [load(acorn, false), load(acorn, true)];
  const outcome = (parser: Parser, source: string, sourceType: 'script' | 'module'): string => {
    try {
      const tree = parser.parse(source, { ecmaVersion: 'latest', sourceType, locations: true });
      return JSON.stringify(tree, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    } catch (error) {
      return String(error);
    }
  };
  // Sources with types are refused, which has to be at the same place.
  for (const source of [readFileSync(acorn, 'utf8'), ...own]) {
    for (const type of ['script', 'module'] as const) expect(outcome(after, source, type)).toBe(outcome(before, source, type));
  }
});

describe('programs stay programs, with as many lines', () => {
  const folders = ['acorn', 'protobufjs', 're2js', 'isolated-vm', 'smol-toml'];

  function* scripts(folder: string): Iterable<string> {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== 'node_modules') yield* scripts(join(folder, entry.name));
      else if (/\.c?js$/.test(entry.name)) yield join(folder, entry.name);
    }
  }

  test.each(folders)('%s', (name) => {
    for (const path of scripts(join(import.meta.dirname, '../../../../node_modules', name))) {
      const source = readFileSync(path, 'utf8');
      let form: string;
      try {
        ({ form } = instrument(source));
      } catch {
        // The sandbox refuses this program.
        continue;
      }
      if (form !== 'classic') continue;
      const { code } = instrument(source, 'classic', undefined, true);
      expect(() => new Script(code), path).not.toThrow();
      const added = code.includes('\n{const $__o=') ? 1 : 0;
      expect(code.split('\n').length - added, path).toBe(source.split('\n').length);
    }
  });
});
