import { existsSync } from 'node:fs';
import { EngineError, errorCode, messageOf } from '../base/errors.ts';
import { hint } from '../base/text/suggest.ts';
import { tellLine, tellLines } from '../base/process/terminal.ts';
import { Exit, UsageError, type Command, type CommandContext } from './command.ts';
import { commandEntry, COMMANDS } from './commands.ts';

/**
 * Runs the command that the arguments name; what it cannot do is told on standard error. Everything but that command is left unloaded, so that it
 * starts at once.
 * @returns the exit code
 */
export async function runCommandLine(typed: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...args] = (await isView(typed)) ? ['view', ...typed] : typed;
  const { out, complain } = context;
  try {
    const code = await dispatch(name, args, context);
    await out.flush();
    return code;
  } catch (error) {
    if (out.closed) return Exit.ok;
    await out.flush().catch(() => undefined);
    const code = await report(error, name, complain);
    const entry = commandEntry(name);
    return code === Exit.failed && entry !== undefined ? ((await entry.load()).failed ?? code) : code;
  }
}

/** Whether files are to be shown: the first word is no command, but names what is there, or is an option of view. */
async function isView([first, ...others]: readonly string[]): Promise<boolean> {
  if (first === undefined || first === 'help' || commandEntry(first) !== undefined || OWN_OPTIONS.includes(first)) return false;
  if (first === '-' || !first.startsWith('-')) return isPath(first);
  if (others.some(isPath)) return true;
  const [{ view }, { optionsOf, parseHelp }] = await Promise.all([import('./commands/view.ts'), import('./manual/help-text.ts')]);
  const typed = first.startsWith('--') ? first.replace(/=.*/, '') : first.slice(0, 2);
  return optionsOf(parseHelp(view.help)).some(({ name }) => name === typed);
}

/** Names of commands have neither dots nor slashes. */
const isPath = (word: string): boolean => word === '-' || (!word.startsWith('-') && (/[/\\.]/.test(word) || existsSync(word)));

const HELP: readonly string[] = ['--help', '-h'];
/** Options of no command. */
const OWN_OPTIONS: readonly string[] = [...HELP, '--version', '-V'];

async function dispatch(name: string | undefined, args: readonly string[], context: CommandContext): Promise<number> {
  switch (name) {
    case undefined:
      tellLines(await overview());
      return Exit.usage;
    case '-h':
    case '--help':
    case 'help':
      context.out.add(args[0] === undefined || HELP.includes(args[0]) ? await overview() : (await commandOf(args[0])).help);
      return Exit.ok;
    case '-V':
    case '--version':
      context.out.add(`sluicebox ${await version()}\n`);
      return Exit.ok;
    default: {
      const command = await commandOf(name);
      const end = args.indexOf('--');
      if ((end < 0 ? args : args.slice(0, end)).some((arg) => HELP.includes(arg))) {
        context.out.add(command.help);
        return Exit.ok;
      }
      return command.run(args, context);
    }
  }
}

async function commandOf(name: string): Promise<Command> {
  const entry = commandEntry(name);
  if (!entry) {
    const known = name.startsWith('-') ? OWN_OPTIONS : Object.keys(COMMANDS);
    throw new UsageError(`there is no ${name.startsWith('-') ? 'option' : 'command'} ${name}${hint(name, known) || '.'}`);
  }
  return entry.load();
}

async function overview(): Promise<string> {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const list = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `sluicebox ${await version()}: decodes, filters and shows what logs say

Usage: sluicebox COMMAND [ARGUMENTS]
       sluicebox [OPTIONS] FILE…       shows log files, as view does

${list.join('')}
  sluicebox COMMAND --help describes a command, sluicebox --version prints the version.
`;
}

async function version(): Promise<string> {
  const { packageVersion } = await import('../base/product/version.ts');
  return packageVersion();
}

async function report(error: unknown, command: string | undefined, complain: (line: string) => void): Promise<number> {
  if (error instanceof UsageError || isParseArgsError(error)) {
    complain(messageOf(error));
    const details = error instanceof UsageError ? error.details : [];
    for (const line of details.length > 0 ? details : await usageOf(command)) tellLine(line);
    complain(`try: sluicebox ${commandEntry(command) === undefined ? '' : `${command} `}--help`);
    return Exit.usage;
  }
  const { isErrorCode } = await import('../api/errors.ts');
  if (isErrorCode(errorCode(error))) {
    await complainOf(error, complain);
    return Exit.failed;
  }
  complain(messageOf(error));
  // An error of the system, such as a missing file, is no fault of the program: its code is enough.
  if (error instanceof Error && 'syscall' in error) return Exit.failed;
  if (error instanceof Error) for (const line of await callsOf(error)) tellLine(line);
  return Exit.internal;
}

/** The lines of a command's help that say how it is called. */
async function usageOf(command: string | undefined): Promise<string[]> {
  const entry = commandEntry(command);
  if (entry === undefined) return [];
  const { help } = await entry.load();
  return help.slice(0, help.indexOf('\n\n')).split('\n');
}

/** The calls that led to an error, from its stack, which begins with the message. */
async function callsOf({ stack = '' }: Error): Promise<string[]> {
  const { withSourcePlaces } = await import('../base/process/source-places.ts');
  return withSourcePlaces(stack)
    .split('\n')
    .filter((line) => /^ {4}at /.test(line));
}

/** Prints why a command failed, and for a script that did not load its name and what to do. A place in a bundled script would tell nobody anything. */
async function complainOf(error: unknown, complain: (line: string) => void): Promise<void> {
  const cause = error instanceof EngineError && error.code === 'plugin.load' ? error.cause : null;
  const { SandboxLoadError, wordsOf } = await import('../sandbox/contract/errors.ts');
  if (!(cause instanceof SandboxLoadError)) return complain(messageOf(error));
  const { isBundled } = await import('../base/product/bundled.ts');
  const said = isBundled(cause.script) ? wordsOf(cause.end) : messageOf(error);
  complain(said.startsWith(`${cause.plugin}:`) ? said : `${cause.plugin}: ${said}`);
  const { endEntry } = await import('../api/ends.ts');
  const { advice } = endEntry(cause.end.code);
  if (advice !== '') complain(advice);
}

const isParseArgsError = (error: unknown): boolean => errorCode(error).startsWith('ERR_PARSE_ARGS');
