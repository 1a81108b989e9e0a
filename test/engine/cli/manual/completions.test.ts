import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { sluicebox } from '../run-cli.ts';

let script = '';
beforeAll(async () => {
  ({ out: script } = await sluicebox(['completions', 'bash']));
});

/** Completions that bash offers for the last word of a command line. */
function offered(...words: string[]): string[] {
  const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sluicebox 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync('bash', ['-c', `${script}\n${ask}`, 'bash', 'sluicebox', ...words], { encoding: 'utf8' });
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completions', () => {
  it.each([
    [['de'], ['decode', 'detect']],
    [['--v'], ['--version']],
    [['--stats', '--le'], ['--level']],
    [['--fo'], ['--follow', '--fold']],
    [['app.log', '--no'], ['--no-pager']],
    [
      ['-l', 'e'],
      ['emergency', 'error'],
    ],
    [
      ['app.log', '--color', ''],
      ['auto', 'always', 'never'],
    ],
    [['help', 'sto'], ['store']],
    [
      ['decode', 'nginx_'],
      ['nginx_access', 'nginx_error'],
    ],
    [
      ['decode', '--s'],
      ['--since', '--scripts', '--split', '--strict'],
    ],
    [
      ['query', '--format', ''],
      ['table', 'csv', 'json', 'parquet'],
    ],
    [['manager', 'un'], ['unload']],
    [
      ['store', 'c'],
      ['compact', 'check'],
    ],
    [['run', 'package.js'], ['package.json']],
  ])('bash offers for %j', (words, expected) => expect(offered(...words)).toEqual(expected));

  it.each(['bash', 'zsh', 'fish', 'powershell'])('names each command and option for %s', async (shell) => {
    const { code, out } = await sluicebox(['completions', shell]);
    expect(code).toBe(0);
    for (const word of ['decode', 'completions', 'nginx_access', 'until-idle']) expect(out).toContain(word);
  });

  describe('of the log that is named', () => {
    it.each<[words: string[], asked: string]>([
      [['view', '-w', 'st'], '-w st view -w st'],
      [['a.log', '-w', 'status', ':', '5'], '-w status:5 a.log -w status : 5'],
      [['view', 'a.log', '--fields', 'a,b'], '--fields a,b view a.log --fields a,b'],
    ])('bash asks for %j', (words, asked) => {
      const ask = `sluicebox() { shift 3; printf '%s' "$*" >&3; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sluicebox 3>&1 >/dev/null`;
      const { stdout } = spawnSync('bash', ['-c', `${script}\n${ask}`, 'bash', 'sluicebox', ...words], { encoding: 'utf8' });
      expect(stdout.replaceAll('\n', ' ')).toBe(asked);
    });
  });

  it.each([
    ['no shell', [], 'completions needs the name of one shell.'],
    ['another shell', ['csh'], 'csh'],
  ])('refuses %s', async (_, args, said) => {
    const { code, err } = await sluicebox(['completions', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });
});
