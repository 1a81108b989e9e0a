import { Exit, UsageError, type Command } from '../command.ts';
import { parseArguments, parseChoice } from '../settings.ts';
import { completionsFor, SHELLS } from '../manual/completions.ts';
import { QUEUE_ACTIONS } from '../queue-actions.ts';
import { STORE_ACTIONS } from '../store/actions.ts';
import type { ManualCommand } from '../manual/man-page.ts';
import { bundledNames } from '../../plugins/catalog.ts';

const help = `Usage: sluicebox completions bash|zsh|fish|powershell

Prints the script by which a shell completes commands, options (those of view where its name is left out), their values, the names of bundled
scripts, and behind --fields, --hide, --sort and --where the fields of the log that the command line names and their values:

  source <(sluicebox completions bash)
  sluicebox completions zsh > /usr/local/share/zsh/site-functions/_sluicebox
  sluicebox completions fish > ~/.config/fish/completions/sluicebox.fish
  sluicebox completions powershell | Out-String | Invoke-Expression
`;

/** The command `completions`. @param all reads every command's help */
export const completionsOf = (all: () => Promise<ManualCommand[]>): Command => ({
  help,
  async run(args, context) {
    const { out } = context;
    // The scripts ask for what stands in a log.
    const { values, positionals } = parseArguments(args, { words: { type: 'boolean', default: false } });
    if (values.words) {
      const [option = '', typed = '', ...words] = positionals;
      const { fileWords } = await import('../manual/file-words.ts');
      for (const word of await fileWords(option, typed, words, context)) out.addLine(word);
      return Exit.ok;
    }
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new UsageError('completions needs the name of one shell.');
    const shell = parseChoice('the shell', name, SHELLS);
    const decoders = bundledNames('decoder');
    const filters = bundledNames('filter');
    const encoders = bundledNames('encoder');
    const scripts = {
      decode: ['auto', ...decoders],
      filter: filters,
      encode: encoders,
      sandbox: [...decoders, ...filters, ...encoders, ...bundledNames('input'), ...bundledNames('output')],
      new: ['decoder', 'filter', 'encoder', 'input', 'output'],
      manager: ['load', 'unload'],
      store: STORE_ACTIONS,
      queue: QUEUE_ACTIONS,
      completions: SHELLS,
    };
    out.add(completionsFor(shell, { commands: await all(), scripts }));
    return Exit.ok;
  },
});
