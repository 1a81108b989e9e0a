import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { commonBundle } from '../../../engine/ask/common-bundle.ts';

const require = createRequire(import.meta.url);

/** Writes files into a new folder. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-bundle-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

it('makes one file of modules that load each other, other packages and parts of Node', () => {
  const folder = folderOf({
    'package/index.js': 'exports.names = [require("./a").name, require("./deep/b").name]; exports.sep = require("node:path").sep;',
    'package/a.js': 'exports.name = "a"; exports.other = () => require("./deep/b").name;',
    'package/deep/b.js': 'const a = require("../a"); const { other } = require("other"); exports.name = `${a.name}b ${other}`;',
    'node_modules/other/index.js': 'exports.other = "other";',
  });
  const text = commonBundle(join(folder, 'package/index.js'));
  const place = join(mkdtempSync(join(tmpdir(), 'sluicebox-elsewhere-')), 'bundle.cjs');
  writeFileSync(place, text);
  expect(require(place)).toEqual({ names: ['a', 'ab other'], sep: join('a', 'b')[1] });
});

it('loads each module once', () => {
  const folder = folderOf({
    'index.js': 'exports.same = require("./a") === require("./b").a;',
    'a.js': 'module.exports = { n: Math.random() };',
    'b.js': 'exports.a = require("./a");',
  });
  const place = join(folder, 'bundle.cjs');
  writeFileSync(place, commonBundle(join(folder, 'index.js')));
  expect(require(place)).toEqual({ same: true });
});
