import { ENDS, type EndEntry } from '../../api/ends.ts';
import { ERRORS } from '../../api/errors.ts';
import { markdownTable } from '../text/markdown.ts';

/** Prints the page of errors and ends: `node engine/base/product/errors-docs.ts > docs/errors.md`. */

const INTRODUCTION = `# Errors and ends

Each end of a script and each error has a code. The texts of messages name the files, plugins and limits, and may change; match the codes instead. \`sluicebox\` ends with the exit code 1 when
an error of the second table ends it. If you look for a symptom, see [Troubleshooting](troubleshooting.md).

## Ends of scripts

A script ends for one of these reasons. N is the limit that it had.
`;

const REQUESTS = `
## Errors

These are refused requests of the window, inputs that cannot be read, and commands that fail.
`;

const DASH = '–';

/** The whole page. */
export function errorsPage(): string {
  const ends = Object.entries<EndEntry>(ENDS).map(([code, { happened, advice }]) => [
    `\`${code}\``,
    inMarkdown(happened.replace('{limit}', 'N')),
    advice === '' ? DASH : inMarkdown(advice),
  ]);
  const errors = Object.entries(ERRORS).map(([code, { happened, advice }]) => [`\`${code}\``, inMarkdown(happened), inMarkdown(advice)]);
  const head = ['Code', 'What happened', 'What to do'];
  return `${INTRODUCTION}\n${markdownTable([head, ...ends])}${REQUESTS}\n${markdownTable([head, ...errors])}`;
}

/** Names and patterns are no markup. */
const inMarkdown = (text: string): string => text.replaceAll(/[\\*]/g, '\\$&');

if (import.meta.main) process.stdout.write(errorsPage());
