import { resolve } from 'node:path';
import { UserScripts } from '../plugins/user-scripts.ts';
import { UsageError } from './command.ts';
import { isFolder } from './settings.ts';

/** The decoders in the folder of `--scripts`; null without it. @param onProblem called for a script that cannot be used @throws {UsageError} */
export function parseScripts(
  { scripts: folder }: { readonly scripts?: string | undefined },
  onProblem: (text: string) => void,
): UserScripts | null {
  if (folder === undefined) return null;
  if (!isFolder(folder)) throw new UsageError(`--scripts: there is no folder ${folder}`);
  return new UserScripts(resolve(folder), 'decoder', onProblem);
}
