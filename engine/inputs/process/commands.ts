import { z } from 'zod';
import { path, text } from '../../section/values.ts';

const command = z.strictObject({
  bin: path,
  args: z.array(text).default([]),
  env: z.array(text.regex(/^[^=]+=/, { error: 'must be NAME=value' })).default([]),
  directory: path.optional(),
});

/** A chain of commands: tables that are named 0, 1, … without a gap; as a list in that order. */
export const commands = z
  .record(z.string().regex(/^(?:0|[1-9]\d*)$/, { error: 'must be a number: 0 for the first command, 1 for the one behind it …' }), command)
  .check((context) => {
    const found = Object.keys(context.value).length;
    const gap = Array.from({ length: found }, (_, i) => i).find((i) => !(i in context.value));
    const message = found === 0 ? 'needs a command 0' : gap === undefined ? null : `has no command ${gap}; commands are numbered from 0 on`;
    if (message !== null) context.issues.push({ code: 'custom', input: context.value, message });
  })
  .transform((table) => Object.keys(table).map((_, i) => table[String(i)] as z.output<typeof command>))
  .meta({ shown: 'tables' });

const LONGEST_LABEL = 40;
/** A line that is short enough to be a label. */
export const shortened = (line: string): string => (line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line);

/** A chain of commands as one would type it. A line that was given to a shell is that line. */
export function commandLine(commands: readonly { readonly bin: string; readonly args: readonly string[] }[]): string {
  return commands.map(({ bin, args }) => shellLine(bin, args) ?? [bin, ...args].map(quoted).join(' ')).join(' | ');
}

/** A chain of commands with all that decides what runs: one that the window started in a shell is the line that was typed. */
export function shownCommands(commands: readonly z.output<typeof command>[]): string {
  return commands.map(shownCommand).join('\n| ');
}

function shownCommand({ bin, args, env, directory }: z.output<typeof command>): string {
  const line = bin === '/bin/sh' ? shellLine(bin, args) : null;
  const where = directory === undefined ? '' : `\n(in the folder ${directory})`;
  const variables = env.length === 0 ? '' : `\n(with the environment ${env.map(quoted).join(' ')})`;
  return `${line ?? [bin, ...args].map(quoted).join(' ')}${where}${variables}`;
}

function shellLine(bin: string, args: readonly string[]): string | null {
  const [flag, line, ...more] = args;
  return /(?:^|\/)sh$/.test(bin) && flag === '-c' && line !== undefined && more.length === 0 ? line : null;
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
