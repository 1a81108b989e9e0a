import { Exit, UsageError, type Command } from '../command.ts';
import { parseArguments, parseChoice } from '../settings.ts';
import { completionsFor, SHELLS } from '../manual/completions.ts';
import { STORE_ACTIONS } from '../store/actions.ts';
import type { ManualCommand } from '../manual/man-page.ts';
import { bundledNames } from '../../plugins/catalog.ts';

const help = `Usage: sluicebox completions bash|zsh|fish

Prints the script by which a shell completes commands, options, their values and the names of bundled scripts:

  source <(sluicebox completions bash)
  sluicebox completions zsh > /usr/local/share/zsh/site-functions/_sluicebox
  sluicebox completions fish > ~/.config/fish/completions/sluicebox.fish
`;

/** The command `completions`. @param all reads every command's help */
export const completionsOf = (all: () => Promise<ManualCommand[]>): Command => ({
  help,
  async run(args, { out }) {
    const { positionals } = parseArguments(args, {});
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
      completions: SHELLS,
    };
    out.add(completionsFor(shell, { commands: await all(), scripts }));
    return Exit.ok;
  },
});
