/** Prints the settings of the command line for docs/terminal.md; `npm run docs` puts them there. */
import { preferenceList } from './preferences.ts';

process.stdout.write(preferenceList());
