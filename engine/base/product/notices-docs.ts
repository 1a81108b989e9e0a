import { NOTICES } from '../../api/notices.ts';
import { catalogueTable } from './catalogue-table.ts';

/** Prints the page of notices: `node engine/base/product/notices-docs.ts > docs/notices.md`. */

const INTRODUCTION = `# Notices

A notice says what happened while everything else goes on. The window shows it and keeps it in Alerts, with its code; \`sluicebox run\` writes its text into the log. A notice of an error,
such as a file that cannot be read, has the code of the [error](errors.md); that a script has ended is \`plugin.terminated\`, and the [ends of scripts](errors.md#ends-of-scripts) say why.
`;

/** The whole page. */
export const noticesPage = (): string => `${INTRODUCTION}\n${catalogueTable(NOTICES)}`;

if (import.meta.main) process.stdout.write(noticesPage());
