import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import { BUNDLED_PLUGINS } from '../../../../engine/base/product/bundled.ts';
import { isShipped } from '../../../../engine/base/product/shipped.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const NGINX = join(BUNDLED_PLUGINS, 'decoders/nginx_access.ts');
const text = readFileSync(NGINX, 'utf8');

const PROGRAM = `
  import { shippedCode } from './engine/sandbox/ours/script-code.ts';
  import { ScriptSources } from './engine/sandbox/code/sources.ts';
  import { DEFAULT_LIMITS } from './engine/sandbox/contract/types.ts';
  const script = process.argv[1];
  const sources = new ScriptSources({ kind: 'decoder', script, modules: [], limits: DEFAULT_LIMITS });
  let runsDirectly = true;
  try {
    shippedCode(script);
  } catch (error) {
    if (error.name !== 'EditedScriptError') throw error;
    runsDirectly = false;
  }
  console.log(JSON.stringify([runsDirectly, sources.answer({ want: 'script' }).file.uncounted === true]));`;

test.each([
  ['a bundled script', NGINX, text, true],
  ['one with another character', NGINX, text.replace('nginx', 'Nginx'), false],
  ['one with a line end more', NGINX, `${text}\n`, false],
  ['an empty one', NGINX, '', false],
  ['the text of one under the name of another', join(BUNDLED_PLUGINS, 'decoders/apache_access.ts'), text, false],
  ['a new script beside the bundled ones', join(BUNDLED_PLUGINS, 'decoders/mine.ts'), text, false],
  ['a copy elsewhere', join(tmpdir(), 'decoders/nginx_access.ts'), text, false],
  ['a name that all objects have', join(BUNDLED_PLUGINS, 'constructor'), text, false],
])('%s counts as shipped: %s', (_name, path, content, expected) => {
  expect(isShipped(path, content)).toBe(expected);
});

describe('in a copy of the product', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipped-'));
  const scripts = { own: 'decoders/nginx_access.ts', other: 'decoders/logfmt.ts' };
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Where each script runs, as the copy decides: in the engine's process or not, and in a sandbox without the counter of steps or with it. */
  function places(): Record<keyof typeof scripts, readonly [directly: boolean, uncounted: boolean]> {
    const args = ['--disable-warning=ExperimentalWarning', '--no-node-snapshot', '--input-type=module', '-e', PROGRAM];
    const entries = Object.entries(scripts).map(([key, name]) => {
      const script = join(folder, 'plugins', name);
      return [key, JSON.parse(execFileSync(process.execPath, [...args, script], { cwd: folder, encoding: 'utf8' })) as unknown];
    });
    return Object.fromEntries(entries) as ReturnType<typeof places>;
  }

  it.each([
    ['nothing was changed', null, { own: [true, true], other: [true, true] }],
    ['a script was edited', scripts.own, { own: [false, false], other: [true, true] }],
    ['a module that both import was edited', 'lib/parameters.ts', { own: [false, true], other: [false, true] }],
    ['the list was damaged', 'shipped.json', { own: [false, false], other: [false, false] }],
  ])('only scripts as they were shipped run outside of a sandbox when %s', (_case, edited, expected) => {
    for (const name of ['engine', 'plugins', 'package.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    if (edited !== null) appendFileSync(join(folder, 'plugins', edited), '\n// mine\n');
    expect(places()).toEqual(expected);
  });
});
