import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { sluicebox } from '../engine/cli/run-cli.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/terminal.md'), 'utf8');

/** The commands of the page with what they print. */
const examples = [...page.matchAll(/```console\n([^]*?)```/g)].flatMap(([, block = '']) =>
  block.split(/^\$ /m).flatMap((text) => {
    const end = text.indexOf('\n');
    return end < 0 ? [] : [{ command: text.slice(0, end), printed: text.slice(end + 1) }];
  }),
);

/** The words of a shell, of which some are in single quotes. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, word = '']) => single ?? double ?? word);

/** The input of `tail -n N FILE | …`. */
function inputOf(command: string): string {
  const [, count, file] = /^tail -n (\d+) (\S+) \| /.exec(command) ?? [];
  return file === undefined
    ? ''
    : readFileSync(join(root, file), 'utf8')
        .split(/(?<=\n)/)
        .slice(-Number(count))
        .join('');
}

it('has many examples', () => {
  expect(examples.length).toBeGreaterThan(20);
});

it.each(examples)('$command', async ({ command, printed }) => {
  const [name, ...args] = wordsOf(command.replace(/^.* \| (?=sluicebox)/, ''));
  expect(name).toBe('sluicebox');
  const { out, err } = await sluicebox(args, inputOf(command));
  expect([err, out.replaceAll('\r', '')]).toEqual(['', printed]);
});

/** The files that the table of other tools names. */
const folder = mkdtempSync(join(tmpdir(), 'sluicebox-terminal-'));
for (const [name, sample] of Object.entries({ 'app.log': 'gateway.log', 'other.log': 'orders.log', 'access.log': 'access.log' }))
  copyFileSync(join(root, 'resources/samples', sample), join(folder, name));
/** The samples are older than that. */
const IS_RECENT = /--since -3d/;

const counterparts = [...page.matchAll(/^\| `(.+?)` +\| `(.+?)` +\|$/gm)].map(([, there = '', here = '']) => ({
  there: there.replaceAll('\\|', '|'),
  here: here.replaceAll('\\|', '|'),
}));

it('has counterparts of some sixty commands of other tools', () => {
  expect(counterparts.length).toBeGreaterThan(55);
});

it.each(counterparts)('$here for $there', async ({ here }) => {
  const [, given, command = here] = /^(.*) \| (sluicebox .*)$/.exec(here) ?? [];
  const words = wordsOf(command.replace(/^[A-Z_]+=(?:'[^']*'|\S+) /, ''));
  const isFollowed = words.includes('-f');
  const args = words.slice(1).map((word) => (/^[\w*]+\.log\*?$/.test(word) ? join(folder, word) : word));
  const input = given === undefined ? '' : readFileSync(join(folder, 'app.log'), 'utf8');
  const { code, out, err } = await sluicebox(isFollowed ? [...args, '-n', '1'] : args, input);
  expect([code, args[0] === 'query' ? '' : err]).toEqual([0, '']);
  if (!IS_RECENT.test(here)) expect(out).not.toBe('');
});
