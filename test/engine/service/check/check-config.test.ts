import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLED_PLUGINS } from '../../../../engine/base/product/bundled.ts';
import { checkConfig } from '../../../../engine/service/check/check-config.ts';
import { startSandboxes, type Sandboxes } from '../../../../engine/plugins/starter.ts';
import { TABLE } from './check-table.ts';

let folder = '';
let sandboxes: Sandboxes;
beforeAll(() => {
  sandboxes = startSandboxes({ hosts: 1 });
  folder = mkdtempSync(join(tmpdir(), 'check-'));
  mkdirSync(join(folder, 'modules'));
  writeFileSync(join(folder, 'file.txt'), 'text\n');
  for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(join(folder, name), text);
});
afterAll(async () => {
  await sandboxes.close();
  rmSync(folder, { recursive: true });
});

const SCRIPTS = {
  'good.js': 'function process_message() { return 0; }',
  'ticks.js': 'function process_message() { return 0; }\nfunction timer_event() {}',
  'syntax.js': 'function process_message() {\n  return 0',
  'types.ts': 'let n: = 1;\nexport function process_message(): number { return 0; }',
  'const.js': 'const process_message = () => 0;',
  'let.js': 'let process_message = () => 0;',
  'text.js': 'var process_message = "no function";',
  'exported.js': 'export const process_message = () => 0;',
  'hidden.js': 'export const other = 1;\nfunction process_message() { return 0; }',
  'empty.js': '',
  'throws.js': '\nthrow new Error("no luck");',
  'own.js': `var rows = read_config('rows') ?? 5;
if (rows < 3) throw new RangeError('rows must be 3 or more, not ' + rows);
if (read_config('mode') === 'x') throw new Error('there is no such mode');
if ((read_config('unit') ?? 's') !== 's') throw new Error('cannot do that with unit ' + read_config('unit'));
function process_message() { return 0; }`,
  'needs.js': `var rows = read_config('rows');
if (rows < 3) throw new RangeError('rows must be 3 or more, not ' + rows);
function process_message() { return 0; }`,
  'loop.js': 'for (;;) {}\nfunction process_message() { return 0; }',
  'path.js': "require('../modules/x.ts');\nfunction process_message() { return 0; }",
  'none.js': "require('nothing');\nfunction process_message() { return 0; }",
  'early.js': "write_message('Type', 'x');\nfunction process_message() { return 0; }",
  'modules/lib.js': 'exports.a = 1;',
  'uses.js': "require('lib');\nfunction process_message() { return 0; }",
};

/** The problems of a configuration as `LINE CODE SENTENCE`, with the folder of the test as `/F`. */
async function problemsOf(text: string | Uint8Array): Promise<string[]> {
  const path = join(folder, 'c.toml');
  writeFileSync(path, typeof text === 'string' ? text.replaceAll('/F/', `${folder}/`) : text);
  const { problems } = await checkConfig(path, () => sandboxes);
  return problems.map(({ line, code, section, key, text: said, hint }) => {
    const name = [section === '' ? '' : `[${section}]`, key].filter(Boolean).join(' ');
    return `${line} ${code} ${name === '' ? '' : `${name}: `}${said}${hint === '' ? '' : ` (${hint})`}`
      .replaceAll(folder, '/F')
      .replaceAll(BUNDLED_PLUGINS, '/P/');
  });
}

describe('a configuration', () => {
  it.each(TABLE)('%s', async (_title, text, expected) => expect(await problemsOf(text)).toEqual(expected));
});

describe('the check', () => {
  it('names unset variables that do no harm, but for those in comments', async () => {
    const path = join(folder, 'c.toml');
    writeFileSync(path, '# %ENV[SLUICEBOX_A]\n[in] # %ENV[SLUICEBOX_A]\ntype = "UdpInput"\naddress = "127.0.0.1:%ENV[SLUICEBOX_B]5514"\n');
    const { problems, warnings } = await checkConfig(path, () => sandboxes);
    expect({ problems, warnings }).toEqual({
      problems: [],
      warnings: [`${path}:4: %ENV[SLUICEBOX_B] is not set, so there is nothing in its place`],
    });
  });

  it('neither writes nor keeps anything', async () => {
    const path = join(folder, 'c.toml');
    const output = `[o]\ntype = "FileOutput"\nmessage_matcher = "TRUE"\npath = "${folder}/out/x"\nuse_buffering = true\n`;
    const kept = '[f]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\nfilename = "good.js"\npreserve_data = true\n';
    writeFileSync(path, `[svcd]\nbase_dir = "${folder}/data"\n[in]\ntype = "FileInput"\npaths = ["${folder}/file.txt"]\n${output}${kept}`);
    const before = readdirSync(folder, { recursive: true });
    expect((await checkConfig(path, () => sandboxes)).problems).toEqual([]);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  it('names the files of a folder', async () => {
    const config = join(folder, 'several');
    mkdirSync(config);
    writeFileSync(
      join(config, '1.toml'),
      '[in]\ntype = "UdpInput"\naddress = "127.0.0.1:5514"\n[f]\ntype = "SandboxFilter"\nfilename = "x.js"\n',
    );
    writeFileSync(join(config, '2.toml'), '[f]\nmessage_matcher = "TRUE"\n[f.config]\nx = 1\n[g]\ntype = "UdpInput"\naddress = ":5514"\n');
    writeFileSync(join(config, '3.toml'), '[oops\n');
    const { problems } = await checkConfig(config, () => sandboxes);
    expect(problems.map(({ file, line, code }) => [file.slice(config.length + 1), line, code])).toEqual([
      ['1.toml', 6, 'plugin.unreadable'],
      ['2.toml', 7, 'config.port'],
      ['3.toml', 1, 'config.syntax'],
    ]);
  });
});
