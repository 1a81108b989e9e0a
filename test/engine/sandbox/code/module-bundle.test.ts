import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { BundleError, ModuleBundle } from '../../../../engine/sandbox/code/module-bundle.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Bundles modules, of which a.ts is the entry. */
function bundle(modules: Readonly<Record<string, string>>): {
  readonly bundle: ModuleBundle;
  readonly entry: string;
  readonly url: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-bundle-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text);
  const made = new ModuleBundle();
  const url = pathToFileURL(join(folder, 'a.ts'));
  return { bundle: made, entry: made.add(url), url: url.href };
}

/** The exports of a.ts. */
function run(modules: Readonly<Record<string, string>>): Record<string, unknown> {
  const { bundle: made, entry } = bundle(modules);
  const program = new Function(`'use strict';${made.code}\nreturn ${entry};`) as () => Record<string, unknown>;
  return program();
}

describe('a bundle', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['constants', 'export const x: number = 1, y = 2;', { x: 1, y: 2 }],
    [
      'patterns',
      'export const { x, p: { q }, ...r } = { x: 1, p: { q: 2 }, s: 3 }, [a = 4, ...b] = [];',
      { x: 1, q: 2, r: { s: 3 }, a: 4, b: [] },
    ],
    ['a list', 'const x = 1;\nfunction y() {}\nexport { x, x as z, x as "a b" };', { x: 1, z: 1, 'a b': 1 }],
    ['types', 'export type X = number;\nexport interface Y {}\nexport { type X as Z };\nexport const x = 1 as X;', { x: 1 }],
    ['names', "import { one, two as deux } from './b.ts';\nexport const x = one + deux;", { x: 3 }],
    ['a namespace', "import * as b from './b.ts';\nexport const x = b.one + b.two;", { x: 3 }],
    ['re-exports', "export { one, two as x } from './b.ts';", { one: 1, x: 2 }],
    ['what was imported', "import { one } from './b.ts';\nexport { one };", { one: 1 }],
    [
      'what looks like a module',
      "export const x = `\nimport { a } from 'a';\nexport let b;\nimport.meta.url`; // import('b')",
      { x: "\nimport { a } from 'a';\nexport let b;\nimport.meta.url" },
    ],
  ])('holds %s', (_what, text, exports) => {
    expect(run({ 'a.ts': text, 'b.ts': 'export const one = 1, two = 2;' })).toEqual(exports);
  });

  it('holds functions and classes of all kinds', () => {
    const { f, g, h, C } = run({
      'a.ts': 'export function f() { return 1; }\nexport function* g() {}\nexport async function h() {}\nexport class C {}',
    });
    expect([f, g, h, C].map((value) => typeof value)).toEqual(['function', 'function', 'function', 'function']);
  });

  it('runs each module once, in the order of the imports', () => {
    const order = (name: string): string => `globalThis.order.push('${name}');`;
    (globalThis as { order?: string[] }).order = [];
    run({
      'a.ts': `import './b.ts';\nimport { c } from './c.ts';\n${order('a')} c;`,
      'b.ts': `import './c.ts';\n${order('b')}`,
      'c.ts': `export const c = 1;\n${order('c')}`,
    });
    expect((globalThis as { order?: string[] }).order).toEqual(['c', 'b', 'a']);
  });

  it('knows where a module was', () => {
    const { bundle: made, entry, url } = bundle({ 'a.ts': 'export const x = import.meta.url, y = "import.meta.url";' });
    expect((new Function(`${made.code}\nreturn ${entry};`) as () => unknown)()).toEqual({ x: url, y: 'import.meta.url' });
  });

  it('says from where packages are to be imported', () => {
    const { bundle: made } = bundle({
      'a.ts': "import { join } from 'node:path';\nimport path from 'node:path';\nimport * as os from 'node:os';\nimport 'node:fs';",
    });
    expect(made.packageImports).toBe('import * as p0 from "node:path";\nimport * as p1 from "node:os";\nimport * as p2 from "node:fs";');
    expect(made.code).toMatch(/const \{ join \} = p0;const \{ "default": path \} = p0;const os = p1;/);
  });
});

describe('a bundle refuses', () => {
  it.each([
    ['a variable that is exported', '\nexport let x = 1;', /a\.ts:2: a bundle cannot hold `export let`/],
    ['var', 'export var x = 1;', /a\.ts:1: .*`export var`/],
    ['a variable in a list', 'let x = 1;\n\nexport { x };', /a\.ts:3: .*a variable that changes \(x\)/],
    ['a default export', '\n\nexport default 1;', /a\.ts:3: .*default exports/],
    ['a default export by name', 'const x = 1;\nexport { x as default };', /a\.ts:2: .*default exports/],
    ['a default import of a module', "import b from './b.ts';", /a\.ts:1: .*not exported \(default\)/],
    ['a name that is not exported', "\nimport { three } from './b.ts';", /a\.ts:2: .*not exported \(three\)/],
    ['a re-exported name that is not there', "export { three } from './b.ts';", /a\.ts:1: .*not exported \(three\)/],
    ['everything of another', "export * from './b.ts';", /a\.ts:1: .*`export \*`/],
    ['everything of another under a name', "export * as b from './b.ts';", /a\.ts:1: .*`export \*`/],
    ['a dynamic import', "export const x = 1;\nexport const y = import('./b.ts');", /a\.ts:2: .*`import\(\)`/],
    ['other facts of a module', 'export const x = import.meta.dirname;', /a\.ts:1: .*`import\.meta` other than its url/],
    ['attributes', "import { x } from './b.ts' with { type: 'json' };", /a\.ts:1: .*import attributes/],
    ['waiting', 'export const x = 1;\nawait x;', /a\.ts:2: /],
    ['what is not a module', 'export const x = ;', /a\.ts:1: /],
    ['modules that import each other', "import { x } from './c.ts';", /c\.ts:1: .*import each other \(\.\/a\.ts\)/],
  ])('%s', (_what, text, message) => {
    const modules = { 'a.ts': text, 'b.ts': 'export const one = 1;', 'c.ts': "import { y } from './a.ts';\nexport const x = 1;" };
    expect(() => bundle(modules)).toThrow(BundleError);
    expect(() => bundle(modules)).toThrow(message);
  });
});
