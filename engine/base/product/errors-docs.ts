import { ENDS } from '../../api/ends.ts';
import { ERRORS } from '../../api/errors.ts';
import { catalogueTable } from './catalogue-table.ts';

/** Prints the page of errors and ends: `node engine/base/product/errors-docs.ts > docs/errors.md`. */

const INTRODUCTION = `# Errors and ends

Each end of a script and each error has a code. The texts of messages name the files, plugins and limits, and may change; match the codes instead. \`sluicebox\` ends with the exit code 1, or 2 where it reads logs, when
an error of the second table ends it. What only is told, while work goes on, is among the [notices](notices.md). If you look for a symptom, see [Troubleshooting](troubleshooting.md).

## Ends of scripts

A script ends for one of these reasons. N is the limit that it had.
`;

const REQUESTS = `
## Errors

These are refused requests of the window, inputs that cannot be read, and commands that fail.
`;

/** The whole page. */
export const errorsPage = (): string => `${INTRODUCTION}\n${catalogueTable(ENDS)}${REQUESTS}\n${catalogueTable(ERRORS)}`;

if (import.meta.main) process.stdout.write(errorsPage());
