import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Exit, UsageError, type Command } from '../command.ts';
import { NEW_KINDS, templateOf, TSCONFIG } from '../script-templates.ts';
import { copyModuleTypes, TYPES_FOLDER } from '../module-types.ts';
import { parseChoice } from '../settings.ts';
import { modulesFolder } from '../../plugins/catalog.ts';

const help = `Usage: sluicebox new decoder|filter|encoder|input|output NAME [--in FOLDER]

Begins a script: writes NAME.ts, which runs as it is and is made to be changed, its tests in NAME.test.json and an example of its input.
What scripts can use, for editors and for tsc, comes along once as api.d.ts, tsconfig.json and the folder types, which has the modules. No file is
overwritten.

      --in FOLDER           where they are written (the current folder)

What to write is on the page docs/plugins.md.
`;

export const newScript: Command = {
  help,
  async run(args, { out, complain }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { in: { type: 'string', default: '.' } },
    });
    const [kindName, name, ...more] = positionals;
    if (kindName === undefined || name === undefined || more.length > 0) throw new UsageError('new needs a kind and a name.');
    const kind = parseChoice('the kind', kindName, NEW_KINDS);
    if (!/^[A-Za-z]\w*$/.test(name)) throw new UsageError(`the name must be made of letters, digits and _, not '${name}'`);
    const { script, tests, input } = templateOf(kind, name);
    const inFolder = (file: string): string => join(values.in, file);
    const files = new Map([
      [inFolder(`${name}.ts`), script],
      [inFolder(`${name}.test.json`), tableText(tests)],
      [inFolder(`${name}.input.${input.extension}`), input.text],
    ]);
    const taken = [...files.keys()].filter(existsSync);
    if (taken.length > 0) {
      complain(`${taken.join(', ')}: there already, and not overwritten. Choose another name or folder.`);
      return Exit.failed;
    }
    await mkdir(values.in, { recursive: true });
    for (const [path, text] of files) await writeFile(path, text, { flag: 'wx' });
    const shared = [inFolder('api.d.ts'), inFolder('tsconfig.json')] as const;
    if (!existsSync(shared[0])) await copyFile(join(modulesFolder(), '..', 'api.d.ts'), shared[0]);
    if (!existsSync(shared[1])) await writeFile(shared[1], `${JSON.stringify(TSCONFIG, null, 2)}\n`);
    await copyModuleTypes(modulesFolder(), values.in);
    const [path = '', , example = ''] = [...files.keys()].map((file) => relative('.', file) || file);
    out.add(
      `${[...files.keys(), ...shared, inFolder(TYPES_FOLDER)].join('\n')}\n\nTry:\n  sluicebox sandbox ${path} --test\n  sluicebox sandbox ${path} ${example}\n`,
    );
    return Exit.ok;
  },
};

/** Formats a table of tests with one case per line. */
function tableText(tests: readonly object[]): string {
  return `[\n${tests.map((test) => `  ${JSON.stringify(test)}`).join(',\n')}\n]\n`;
}
