import { COMMANDS } from '../../../engine/api/commands.ts';
import { LOCAL_KEYS } from '../lib/filter/local-keys.ts';

/** One group of lines of the help about keys. */
export interface KeyGroup {
  readonly group: string;
  readonly entries: readonly { readonly title: string; readonly keys: readonly string[] }[];
}

/** All keys: those of the commands by their groups, then those of the parts of the window. */
export function keyHelp(): KeyGroup[] {
  const withKeys = COMMANDS.filter(({ keys }) => keys.length > 0);
  const groups = [...new Set(withKeys.map(({ group }) => group))];
  return [
    ...groups.map((group) => ({ group, entries: withKeys.filter((command) => command.group === group) })),
    ...LOCAL_KEYS.map(({ part, meanings }) => ({
      group: part,
      entries: meanings.map(({ title, keys }) => ({ title, keys: Object.keys(keys) })),
    })),
  ];
}
