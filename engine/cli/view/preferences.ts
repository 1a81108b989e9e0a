import { homedir } from 'node:os';
import { join } from 'node:path';
import { errorCode, messageOf } from '../../base/errors.ts';
import { readTextSync } from '../../base/files/regular-file.ts';
import { hint } from '../../base/text/suggest.ts';
import { UsageError } from '../command.ts';

const MOST_BYTES = 1 << 20;

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting of the file: its key, the option of view that it stands for, what its value is, and what it does. */
interface Preference {
  readonly key: string;
  /** null: it is no option. */
  readonly option: string | null;
  readonly form: 'text' | 'list' | 'flag';
  readonly example: string;
  readonly about: string;
}

/** All settings of the file. Help, page and reader are made of this list. */
export const PREFERENCES: readonly Preference[] = [
  { key: 'color', option: '--color', form: 'text', example: '"always"', about: 'colours: auto, always or never' },
  {
    key: 'fields',
    option: '--fields',
    form: 'list',
    example: '["status", "path"]',
    about: 'fields that are shown in place of the summary',
  },
  { key: 'hide', option: '--hide', form: 'list', example: '["http_user_agent"]', about: 'fields that are not shown' },
  {
    key: 'zone',
    option: '--tz',
    form: 'text',
    example: '"local"',
    about: 'time zone of times: local, UTC, or a name such as Europe/Berlin',
  },
  { key: 'fold', option: '--fold', form: 'flag', example: 'true', about: 'one line for each record' },
  { key: 'scripts', option: '--scripts', form: 'text', example: '"/home/me/decoders"', about: 'folder of decoders of your own' },
  { key: 'lookups', option: '--lookups', form: 'text', example: '"/home/me/lookups"', about: 'folder of lists and databases of addresses' },
  { key: 'pager', option: null, form: 'text', example: '"less -S"', about: 'program that shows the lines at a terminal; empty: none' },
];

const FORMS: Readonly<Record<Preference['form'], { readonly name: string; readonly is: (value: unknown) => boolean }>> = {
  text: { name: 'a text in quotes', is: (value) => typeof value === 'string' },
  list: { name: 'a list of texts', is: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string') },
  flag: { name: 'true or false', is: (value) => typeof value === 'boolean' },
};

/** Options of the user for all calls. */
export interface Preferences {
  /** Options that stand in front of those of the command line: of the file, and of the environment. */
  readonly layers: readonly { readonly from: string; readonly args: readonly string[] }[];
  /** The pager of the file; null: none is named. */
  readonly pager: string | null;
}

/** Path of the file. */
function preferencesFile({ XDG_CONFIG_HOME: config = '', APPDATA: data = '' }: Environment): string {
  const folder = config !== '' ? config : process.platform === 'win32' && data !== '' ? data : join(homedir(), '.config');
  return join(folder, 'sluicebox', 'cli.toml');
}

/** Reads the file, if there is one, and SLUICEBOX_OPTIONS. @throws {UsageError} with the place of a mistake */
export async function readPreferences(env: Environment): Promise<Preferences> {
  const file = preferencesFile(env);
  const { args, pager } = await readFile(file);
  const options = wordsOf('SLUICEBOX_OPTIONS', env['SLUICEBOX_OPTIONS'] ?? '');
  return {
    layers: [
      { from: file, args },
      { from: 'SLUICEBOX_OPTIONS', args: options },
    ],
    pager,
  };
}

async function readFile(file: string): Promise<{ readonly args: readonly string[]; readonly pager: string | null }> {
  let text: string;
  try {
    text = readTextSync(file, MOST_BYTES);
  } catch (error) {
    // Nobody can set anything in a folder that this user may not read.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error))) return { args: [], pager: null };
    throw new UsageError(`${file}: cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const [{ parseToml }, { layoutOf }, { positionOf }] = await Promise.all([
    import('../../config/toml-parse.ts'),
    import('../../config/toml-layout.ts'),
    import('../../config/environment.ts'),
  ]);
  const { table, problems } = parseToml(text);
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(`${file}:${positionOf(text, problem.offset).line}: ${problem.text}`);
  const places = new Map(layoutOf(text).map(({ path, start }) => [String(path[0]), positionOf(text, start).line]));
  const args: string[] = [];
  for (const [key, value] of Object.entries(table)) {
    const place = `${file}:${places.get(key) ?? 1}: ${key}:`;
    const known = PREFERENCES.find((one) => one.key === key);
    if (known === undefined) {
      const names = PREFERENCES.map((one) => one.key);
      throw new UsageError(`${place} there is no such setting${hint(key, names) || `; there are ${names.join(', ')}`}`);
    }
    const { option, form, example } = known;
    if (!FORMS[form].is(value)) throw new UsageError(`${place} must be ${FORMS[form].name}, as in ${key} = ${example}`);
    if (option === null || value === false) continue;
    args.push(value === true ? option : `${option}=${Array.isArray(value) ? value.join(',') : String(value)}`);
  }
  const { pager } = table;
  return { args, pager: typeof pager === 'string' ? pager : null };
}

/** The words of a text as a shell takes them apart, without its variables and patterns. */
function wordsOf(name: string, text: string): string[] {
  const WORD = /(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/g;
  const words = text.match(WORD) ?? [];
  if (text.replaceAll(WORD, '').trim() !== '') throw new UsageError(`${name}: a quote is not closed`);
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
      (_, single: string | undefined, double: string | undefined, escaped: string | undefined) =>
        single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? '',
    ),
  );
}
