import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLED_PLUGINS } from '../../../engine/base/product/bundled.ts';
import { modulesFolder } from '../../../engine/plugins/catalog.ts';
import { message, SandboxBench } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

beforeAll(() => {
  mkdirSync(join(bench.folder, 'sub'));
  const files: Readonly<Record<string, string>> = {
    'cycle_a.js': `exports.early = 1; const b = require('cycle_b'); exports.late = 2; exports.b = b;`,
    'cycle_b.js': `const a = require('cycle_a'); exports.early = a.early; exports.late = a.late; exports.whole = () => a.late;`,
    'itself.js': `exports.x = 1; exports.again = require('itself').x;`,
    'replaced.js': `exports.lost = 1; module.exports = (n) => n * 2;`,
    'scalar.js': `module.exports = 5;`,
    'this.js': `this.x = 1; exports.own = this === exports && this === module.exports; exports.leaked = typeof globalThis.x;`,
    'strict.js': `'use strict'; exports.x = (function () { return this; })() === undefined;`,
    'sub/inner.js': `exports.x = 'inner';`,
    'dotted.name.ts': `export const x: string = 'dotted';`,
    'first.mjs': `import { second } from 'second'; export const first = 1; export const both = () => first + second;`,
    'second.mjs': `import { first } from 'first'; export const second = 2; export const both = () => first + second;`,
    'defaulted.js': `export default 7; export const n = 8;`,
    'throwing.js': `\n  throw new TypeError('inside');`,
    'mistaken.js': `var a = 1;\nvar b = ;`,
    'marked.js': `\ufeffexports.x = 'marked';`,
    'getter.js': `Object.defineProperty(module, 'exports', { get() { for (;;); } });`,
  };
  for (const [name, text] of Object.entries(files)) bench.file(name, text);
});

const error = (part: string): unknown => ({ error: expect.stringContaining(part) as string });

const cases: readonly (readonly [expression: string, expected: unknown])[] = [
  [`require('cycle_a').b.early`, 1],
  [`require('cycle_a').b.late`, 'undefined'],
  [`require('cycle_b').whole()`, 2],
  [`require('cycle_b') === require('cycle_a').b`, true],
  [`require('itself').again`, 1],
  [`require('replaced')(4)`, 8],
  [`require('replaced') === require('replaced.js')`, true],
  [`require('scalar')`, 5],
  [`require('this')`, { x: 1, own: true, leaked: 'undefined' }],
  [`require('strict').x`, true],
  [`require('sub/inner').x`, 'inner'],
  [`require('dotted.name').x`, 'dotted'],
  [`[require('first').both(), require('second').both()]`, [3, 3]],
  [`[require('defaulted').default, require('defaulted').n]`, [7, 8]],
  [`require('marked').x`, 'marked'],
  [`require('throwing')`, error('throwing.js:2:9: TypeError: inside')],
  [`require('throwing')`, error('TypeError: inside')],
  [`require('mistaken')`, error('mistaken.js:2:9: Unexpected token')],
  [`require('nothing')`, error(`module 'nothing' not found:\n\tno file '`)],
  [`require('nothing.js')`, error(`nothing.js'`)],
  [`require('cycle_a.js/')`, error('not a module name')],
  [`require('sub/../scalar')`, error('not a module name')],
  [`require('../scalar')`, error('not a module name')],
  [`require('')`, error('not a module name')],
  [`require()`, error('one argument, not 0')],
  [`require('scalar', 1)`, error('one argument, not 2')],
  [`require(5)`, error('must be a string')],
];

describe('require', () => {
  test.each(['decoder', 'filter', 'encoder', 'output'] as const)('in a %s', async (kind) => {
    const values = await bench.evaluate(
      kind,
      message(),
      cases.map(([expression]) => expression),
    );
    expect(cases.map(([expression], i) => [expression, values[i]])).toEqual(cases);
  });

  test('does not run a getter in place of the exports without end', async () => {
    await expect(bench.start(`require('getter'); function process_message() { return 0; }`)).rejects.toThrow();
  });

  test("does not reach the bundled scripts' own library, which their modules import", async () => {
    const require = (name: string): string => `typeof require('${name}')`;
    const values = await bench.evaluate('filter', message(), ['graph', 'scan', 'lib/scan', '../lib/scan'].map(require), {
      modules: [modulesFolder()],
    });
    expect(values).toEqual(['object', error(`module 'scan' not found`), error(`module 'lib/scan' not found`), error('not a module name')]);
    const imported = bench.start(`import { Cursor } from '${join(BUNDLED_PLUGINS, 'lib/scan.ts')}';`, { modules: [modulesFolder()] });
    await expect(imported).rejects.toThrow('not a module name');
  });

  test('searches the folders in their order', async () => {
    const first = join(bench.folder, 'sub');
    bench.file('sub/shadowed.js', `exports.x = 'first';`);
    bench.file('shadowed.js', `exports.x = 'second';`);
    const [x, y] = await bench.evaluate('filter', message(), [`require('shadowed').x`, `require('scalar')`], {
      modules: [first, bench.folder],
    });
    expect([x, y]).toEqual(['first', 5]);
  });
});
