import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { errorCode } from '../base/errors.ts';
import { hint } from '../base/text/suggest.ts';
import { useLookups } from '../lookup/folder.ts';
import { UsageError } from './command.ts';

/** Takes the arguments of a command apart: its options, and the others in their order. */
export function parseArguments<O extends ParseArgsOptionsConfig>(args: readonly string[], options: O) {
  return namingOptions(args, options, () => parseArgs({ args: [...args], allowPositionals: true, options }));
}

/** The result of `parse`, which takes arguments apart by these options. @throws {UsageError} for one that there is not, with one that is near */
export function namingOptions<T>(args: readonly string[], options: ParseArgsOptionsConfig, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (errorCode(error) !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error;
    const typed = unknownOption(args, options);
    const names = [...Object.keys(options).map((name) => `--${name}`), '--help'];
    const near = typed.startsWith('--') ? hint(typed, names) : '';
    throw new UsageError(`there is no option ${typed}${near || '. Put arguments that begin with a dash after --.'}`, { cause: error });
  }
}

/** The first option, as it was typed, that is none of these. */
function unknownOption(args: readonly string[], options: ParseArgsOptionsConfig): string {
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name));
  return unknown?.kind === 'option' ? unknown.rawName : '';
}

/** Parses the `-s key=value` options of a command. */
export function parseSettings(settings: readonly string[]): Record<string, string> {
  const table: Record<string, string> = {};
  for (const setting of settings) {
    const at = setting.indexOf('=');
    if (at <= 0) throw new UsageError(`-s takes key=value, not '${setting}'`);
    const name = setting.slice(0, at).trim();
    if (Object.hasOwn(table, name)) throw new UsageError(`-s ${name} is given twice`);
    table[name] = setting.slice(at + 1);
  }
  return table;
}

/** Parses an option whose value is one of some words. */
export function parseChoice<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((other) => other === value);
  if (choice === undefined) throw new UsageError(`${option} must be one of ${choices.join(', ')}, not '${value}'`);
  return choice;
}

/** Parses a whole number from 0 on. */
export function parseCount(option: string, value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`${option} must be a whole number from 0 on, not '${value}'`);
  return Number(value);
}

/** The option that names folders of modules. */
export const MODULE_OPTION = { 'module-directory': { type: 'string', multiple: true, default: [] as string[] } } as const;

export const MODULE_HELP = `      --module-directory DIR[;DIR…]
                            folders of modules, searched before the bundled ones, as module_directory of a configuration
`;

/** The option that names the folder of the user's scripts. */
export const SCRIPTS_OPTION = { scripts: { type: 'string' } } as const;

export const SCRIPTS_HELP = `      --scripts DIR         a folder of decoders of your own, which are recognised as the bundled ones are
`;

/** The option that names the folder of lookups. */
export const LOOKUPS_OPTION = { lookups: { type: 'string' } } as const;

export const LOOKUPS_HELP = `      --lookups DIR         a folder of lists (NAME.csv) and databases of addresses (NAME.mmdb), which expressions and scripts use by name
`;

/** Takes the lookups of expressions and queries from the folder of `--lookups`. @throws {UsageError} */
export function takeLookups({ lookups: folder }: { readonly lookups?: string | undefined }): void {
  if (folder === undefined) return;
  if (!isFolder(folder)) throw new UsageError(`--lookups: there is no folder ${folder}`);
  useLookups(resolve(folder));
}

/** The folders of `--module-directory`. @throws {UsageError} for one that is none */
export function parseModules({ 'module-directory': given }: { readonly 'module-directory': readonly string[] }): string[] {
  return given
    .flatMap((list) => list.split(';'))
    .filter(Boolean)
    .map((folder) => {
      if (!isFolder(folder)) throw new UsageError(`--module-directory: there is no folder ${folder}`);
      return resolve(folder);
    });
}

/** The options of commands that run a script: its modules and its lookups. */
export const SANDBOX_OPTIONS = { ...MODULE_OPTION, ...LOOKUPS_OPTION } as const;

export const SANDBOX_HELP = MODULE_HELP + LOOKUPS_HELP;

/** Takes the lookups, and returns the folders of modules. @throws {UsageError} */
export function takeSandboxOptions(values: Parameters<typeof takeLookups>[0] & Parameters<typeof parseModules>[0]): string[] {
  takeLookups(values);
  return parseModules(values);
}

/** Whether there is a folder of this path. */
export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
