import type { CatalogueEntry } from '../../api/catalogue.ts';
import { markdownTable } from '../text/markdown.ts';

/** A catalogue as a table of Markdown, in the order of its entries. */
export function catalogueTable(catalogue: Readonly<Record<string, CatalogueEntry>>): string {
  const rows = Object.entries(catalogue).map(([code, { happened, advice }]) => [
    `\`${code}\``,
    inMarkdown(happened.replace('{limit}', 'N')),
    advice === '' ? DASH : inMarkdown(advice),
  ]);
  return markdownTable([['Code', 'What happened', 'What to do'], ...rows]);
}

const DASH = '–';

/** Names and patterns are no markup. */
const inMarkdown = (text: string): string => text.replaceAll(/[\\*]/g, '\\$&');
