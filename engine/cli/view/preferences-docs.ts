/** Prints the settings of the command line for docs/terminal.md; `npm run docs` puts them there. */
import { PREFERENCES } from './preferences.ts';

/** The settings in Markdown. */
export const preferenceList = (): string =>
  PREFERENCES.map(
    ({ key, example, about, option }) => `- \`${key} = ${example}\`: ${about}${option === null ? '' : ` (\`${option}\`)`}.\n`,
  ).join('');

if (import.meta.main) process.stdout.write(preferenceList());
