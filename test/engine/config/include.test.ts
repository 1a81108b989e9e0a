import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadConfig } from '../../../engine/config/load.ts';
import { formatProblem } from '../../../engine/config/problems.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-include-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
mkdirSync(at('conf.d'));
const out = (name: string, severity: number): string => `[${name}]\ntype = "LogOutput"\nmessage_matcher = "Severity <= ${severity}"\n`;
writeFileSync(at('conf.d/20.toml'), out('a', 3));
writeFileSync(at('conf.d/10.toml'), `include = "10.more"\n${out('a', 2)}`);
writeFileSync(at('conf.d/10.more'), `include = ["../c.toml"]\n${out('b', 4)}`);
writeFileSync(at('conf.d/wrong.txt'), '[oops\n');

async function loaded(text: string) {
  writeFileSync(at('c.toml'), text);
  const { config, problems, watched } = await loadConfig(at('c.toml'), { environment: {} });
  return {
    matchers: config.outputs.map(({ name, message_matcher: matcher }) => `${name} ${matcher}`),
    problems: problems.map((one) => formatProblem(one).replaceAll(folder, '~')),
    watched: watched.map((path) => path.replace(folder, '~')),
  };
}

it('files are read behind the one that includes them, each once, and theirs wins', async () => {
  expect(await loaded(`include = ["conf.d/*.toml"]\n${out('a', 1)}${out('c', 0)}`)).toEqual({
    matchers: ['a Severity <= 3', 'c Severity <= 0', 'b Severity <= 4'],
    problems: [],
    watched: ['~/conf.d/*.toml', '~/conf.d/10.more', '~/c.toml'],
  });
});

it('a folder stands for its files', async () => {
  expect((await loaded(`include = ["conf.d"]\n`)).matchers).toEqual(['a Severity <= 3', 'b Severity <= 4']);
});

it.each([
  ['include = ["conf.d/none*.toml"]', []],
  ['[include]\ntype = "LogOutput"\nmessage_matcher = "TRUE"', []],
  ['\ninclude = ["none.toml"]', ['~/c.toml:2: include: there is no file none.toml']],
  ['include = 5', ['~/c.toml:1: include: must be a list of paths, such as ["conf.d/*.toml"]']],
  ['include = ["conf.d/wrong.txt"]', [expect.stringMatching(/^~\/conf\.d\/wrong\.txt:1: /)]],
])('%j', async (text, problems) => expect((await loaded(text)).problems).toEqual(problems));
