import { copyFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readTextSync } from '../../base/files/regular-file.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { Exit, UsageError, type Command } from '../command.ts';
import { FormatError, readFormats, type LnavFormat } from '../../../plugins/lnav/format.ts';
import { makeDecoder } from '../scripts/lnav-decoder.ts';
import { NEW_KINDS, templateOf, TSCONFIG, type NewKind } from '../scripts/script-templates.ts';
import { copyModuleTypes, TYPES_FOLDER } from '../scripts/module-types.ts';
import { parseArguments, parseChoice } from '../settings.ts';
import { shellWord } from '../shell-word.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { unwritable } from '../../base/files/unwritable.ts';
import { modulesFolder } from '../../plugins/catalog.ts';

const help = `Usage: sluicebox new decoder|filter|encoder|input|output NAME [--in FOLDER]
       sluicebox new decoder [NAME] --from-lnav FILE [--in FOLDER]

Writes NAME.ts, a script that runs as it is and that you can change, its tests in NAME.test.json and an example of its input.
api.d.ts, tsconfig.json and the folder types, with the types of the modules, are written once, for editors and for tsc. No file is
overwritten.

With --from-lnav the script is the decoder of a format of lnav, with the samples of the format as its tests. Standard error lists the
parts of the format that the decoder leaves out. A file of several formats becomes several decoders; NAME names the only one.

      --in FOLDER           where they are written (the current folder)
      --from-lnav FILE      a format definition of lnav, in JSON

What to write is on the page docs/plugins.md.
`;

export const newScript: Command = {
  help,
  async run(args, { out, complain }) {
    const { values, positionals } = parseArguments(args, { in: { type: 'string', default: '.' }, 'from-lnav': { type: 'string' } });
    const [kindName, name, ...more] = positionals;
    const { in: folder, 'from-lnav': lnav } = values;
    if (kindName === undefined || (name === undefined && lnav === undefined) || more.length > 0)
      throw new UsageError('new needs a kind and a name, as in: sluicebox new decoder my_log');
    const kind = parseChoice('the kind', kindName, NEW_KINDS);
    if (name !== undefined && !NAME.test(name))
      throw new UsageError(`the name must begin with a letter and be made of letters, digits and _, not '${name}'`);
    if (lnav !== undefined && kind !== 'decoder') throw new UsageError('--from-lnav is for decoders.');
    const scripts = lnav === undefined ? [templateScript(kind, name as string)] : lnavScripts(lnav, name);

    const taken = scripts.flatMap(({ files }) => files.map((file) => join(folder, file))).filter(existsSync);
    if (taken.length > 0) {
      complain(`${taken.join(', ')}: there already, and not overwritten. Choose another name or folder.`);
      return Exit.failed;
    }
    try {
      await makeFolder(folder);
      for (const { write } of scripts) for (const note of await write(folder)) complain(note);
    } catch (error) {
      if (!(error instanceof FormatError) && errorCode(error) === '') throw error;
      complain(error instanceof FormatError ? error.message : unwritable(folder, error));
      return Exit.failed;
    }
    const shared = [join(folder, 'api.d.ts'), join(folder, 'tsconfig.json')] as const;
    if (!existsSync(shared[0])) await copyFile(join(modulesFolder(), '..', 'api.d.ts'), shared[0]);
    if (!existsSync(shared[1])) await writeFile(shared[1], `${JSON.stringify(TSCONFIG, null, 2)}\n`);
    await copyModuleTypes(modulesFolder(), folder);
    const written = [...scripts.flatMap(({ files }) => files.map((file) => join(folder, file))), ...shared, join(folder, TYPES_FOLDER)];
    for (const line of [...written, '', 'Try:']) out.addLine(line);
    for (const { files } of scripts) {
      const [path = '', , example = ''] = files.map((file) => shellWord(relative('.', join(folder, file))));
      out.addLine(`  sluicebox sandbox ${path} --test`);
      if (example !== '') out.addLine(`  sluicebox sandbox ${path} ${example}`);
    }
    return Exit.ok;
  },
};

/** A script to be written. */
interface NewScript {
  /** The script, its tests and an example of its input. */
  readonly files: readonly string[];
  /** Writes the files into a folder. Returns what the user should know. */
  readonly write: (folder: string) => Promise<readonly string[]>;
}

const NAME = /^[A-Za-z]\w*$/;

function templateScript(kind: NewKind, name: string): NewScript {
  const { script, tests, input } = templateOf(kind, name);
  const files = [`${name}.ts`, `${name}.test.json`, `${name}.input.${input.extension}`];
  const texts = [script, tableText(tests), input.text];
  return {
    files,
    async write(folder) {
      for (const [i, file] of files.entries()) await writeFile(join(folder, file), texts[i] as string, { flag: 'wx' });
      return [];
    },
  };
}

/** Bytes of a file of formats. */
const MOST_BYTES = 8 << 20;

/** The decoders of a file of lnav's formats. */
function lnavScripts(path: string, name: string | undefined): NewScript[] {
  let formats: readonly LnavFormat[];
  try {
    formats = readFormats(readTextSync(path, MOST_BYTES));
  } catch (error) {
    throw new UsageError(`--from-lnav ${path} cannot be read: ${messageOf(error)}`);
  }
  if (name !== undefined && formats.length > 1) {
    throw new UsageError(`${path} has ${formats.length} formats (${formats.map((format) => format.name).join(', ')}): leave the name out.`);
  }
  const names = name === undefined ? scriptNames(formats) : [name];
  return formats.map((format, i) => lnavDecoder(format, names[i] as string));
}

/** The formats' names in letters that scripts may have; those that are the same then get numbers. */
function scriptNames(formats: readonly LnavFormat[]): string[] {
  const names: string[] = [];
  for (const format of formats) {
    const name = format.name.replace(/^\W+|\W/g, '_');
    let unique = name;
    for (let number = 2; names.includes(unique); number++) unique = `${name}_${number}`;
    names.push(unique);
  }
  return names;
}

function lnavDecoder(format: LnavFormat, name: string): NewScript {
  const files = [`${name}.ts`, `${name}.test.json`, ...(format.samples.length > 0 ? [`${name}.input.log`] : [])];
  const [script = '', tests = '', input] = files;
  return {
    files,
    async write(folder) {
      const made = await makeDecoder(format, name, join(folder, script));
      await writeFile(join(folder, tests), tableText(made.tests), { flag: 'wx' });
      if (input !== undefined) await writeFile(join(folder, input), format.samples.map(({ line }) => `${line}\n`).join(''), { flag: 'wx' });
      return made.notes.map((note) => `${format.name}: ${note}`);
    },
  };
}

/** Formats a table of tests with one case per line. */
function tableText(tests: readonly object[]): string {
  return `[\n${tests.map((test) => `  ${JSON.stringify(test)}`).join(',\n')}\n]\n`;
}
