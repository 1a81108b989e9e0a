import { readFileSync } from 'node:fs';
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
const wordsOf = (command: string): string[] => [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);

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
