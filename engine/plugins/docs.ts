import { readFileSync } from 'node:fs';
import { markdownTable, type Pages } from '../base/text/markdown.ts';
import { leastOf } from './bounds.ts';
import { bundledPlugins } from './catalog.ts';
import type { LookForm, ParameterMeta, PluginMeta, PluginScript, SplitMeta } from './types.ts';

/** Prints the reference of the bundled scripts as JSON, for the folder `docs/bundled`: an index, and a page for each script. */

const INTRODUCTION = `# Bundled scripts

Decoders, filters and encoders are scripts that run in sandboxes. These scripts come with Sluicebox. Each is one file in
\`plugins/\`, which you can read and copy. In a configuration, a section names a script with \`plugin = "NAME"\` and sets its parameters in the
\`config\` table below it. On the command line, \`-s NAME=VALUE\` sets a parameter.

The page of a decoder says how it cuts files into records, and whether files of this format are recognised. Decoders with a lower rank are
[tried first](../script-decoders.md#how-files-are-recognised). The table of the window shows the fields that are named as its columns, at most the first five
of them that the records have. Beside records of other forms it shows their [summary](../script-decoders.md#the-summary-of-a-record).

The pages are made from the scripts' own comments and parameters.
`;

/** The index and the pages of all bundled scripts, as Markdown. */
export function pluginPages(): Pages {
  const chapters = CHAPTERS.map(({ kind, title }) => {
    const rows = bundledPlugins(kind).map(({ name, meta }) => [`[${name}](${kind}s/${name}.md)`, meta?.summary ?? '']);
    return `## ${title}\n\n${markdownTable([[title.slice(0, -1), 'What it does'], ...rows])}`;
  });
  const pages = CHAPTERS.flatMap(({ kind }) => bundledPlugins(kind).map((script) => [`${kind}s/${script.name}.md`, page(script)] as const));
  return { 'README.md': [INTRODUCTION, ...chapters].join('\n'), ...Object.fromEntries(pages) };
}

const CHAPTERS = [
  { kind: 'decoder', title: 'Decoders' },
  { kind: 'filter', title: 'Filters' },
  { kind: 'encoder', title: 'Encoders' },
] as const;

function page({ name, path, meta }: PluginScript): string {
  const parameters = Object.entries(meta?.parameters ?? {});
  const table = parameters.length === 0 ? 'It has no parameters.\n' : markdownTable([HEAD, ...parameters.map(row)]);
  const files = meta?.kind === 'decoder' ? `${filesOf(meta)}\n\n` : '';
  return `# ${name}\n\n${documentation(readFileSync(path, 'utf8'))}\n\n${files}${table}\n[All bundled scripts](../README.md)\n`;
}

/** Describes how the files of a decoder are cut, recognised and shown. */
function filesOf({ split = 'line', looks = [], columns = [], recordSummary }: PluginMeta): string {
  const ranks = [...new Set(looks.map(({ rank }) => rank))].sort();
  const parameters = new Set(looks.flatMap(({ configs }) => configs.flatMap((config) => Object.keys(config))));
  const forms = looks.flatMap(({ form }) => form ?? []);
  const found = [...new Set([...forms.flatMap((form) => FORM_PARAMETERS[form]), ...parameters])].map((name) => `\`${name}\``);
  const recognised =
    looks.length === 0
      ? 'Files are not recognised by themselves.'
      : `Files are recognised by themselves (rank ${ranks.join(' and ')})${found.length === 0 ? '' : `, which sets ${list(found)}`}.`;
  const shown = columns.length === 0 ? '' : ` Columns in the window: ${columns.map((name) => `\`${name}\``).join(', ')}.`;
  return `${splitText(split)}. ${recognised}${shown}${summaryText(recordSummary)}`;
}

function summaryText(template: string | undefined): string {
  if (template === undefined) return '';
  return ` Summary of a record: ${template.length > LONGEST_SHOWN ? 'by the template in `recordSummary` of its `meta`' : codeOf(template)}.`;
}

const list = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);

/** Parameters that the engine finds when it recognises a form. */
const FORM_PARAMETERS: Readonly<Record<LookForm, readonly string[]>> = {
  nginx_access: ['log_format'],
  apache_access: ['log_format'],
  json_lines: ['time_field'],
  logfmt: [],
  key_value: [],
  columns: ['header', 'delimiter', 'time_field'],
};

/** Patterns and templates that are longer tell a reader nothing. */
const LONGEST_SHOWN = 400;

function splitText(split: SplitMeta): string {
  if (split === 'line') return 'Each line is a record';
  if (split === 'none') return 'The whole file is one record';
  if (split === 'journal') return 'Each entry of the export format is a record; further lines of a field begin with a blank in it';
  if (split === 'container')
    return 'Each line is a record; the pieces of one that the runtime cut are one record, with the lines between them';
  if (split === 'json') return 'Each object is a record, over several lines or one of several in a line, also in a list';
  if (split === 'octets') return 'Each message is a record, by the count of octets in front of it; other lines are records of their own';
  if ('by' in split) {
    const cases = Object.entries(split.cases).map(([value, one]) => `With \`${split.by}\` \`${value}\`: ${lowerFirst(splitText(one))}`);
    return cases.join('. ');
  }
  if ('csv' in split) return `Each line is a record; quoted values may hold line ends (delimiter: \`${split.csv}\`)`;
  if ('between' in split) return `Files are cut into records at matches of ${codeOf(split.between)}`;
  if (split.before.length > LONGEST_SHOWN) return 'A record begins with each line that has the form in `split` of its `meta`';
  return `A record begins with each line that matches ${codeOf(split.before)} at its start`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const codeOf = (pattern: string): string => (pattern.includes('`') ? `\`\` ${pattern} \`\`` : `\`${pattern}\``);

const HEAD = ['Parameter', 'Type', 'Default', 'Meaning'];
const TYPES: Readonly<Record<ParameterMeta['type'], string>> = {
  string: 'text',
  bool: 'true or false',
  int: 'whole number',
  uint: 'whole number',
  number: 'number',
};

function row([name, declared]: [string, ParameterMeta]): string[] {
  const { summary, default: value, required } = declared;
  const shown = value === undefined || value === '' ? '' : `\`${String(value)}\``;
  return [`\`${name}\``, typeText(declared), required === true ? 'required' : shown, summary];
}

/** Describes the type and bounds of a parameter. */
function typeText(declared: ParameterMeta): string {
  const { type, maximum, values, format } = declared;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (format === 'regexp') return 'regular expression';
  if (format === 'files') return 'paths of files';
  const least = leastOf(declared);
  const range =
    least === undefined ? (maximum === undefined ? '' : ` ≤ ${maximum}`) : maximum === undefined ? ` ≥ ${least}` : ` ${least}–${maximum}`;
  return TYPES[type] + range;
}

/** Returns the comment at the top of a script, without its asterisks. */
function documentation(source: string): string {
  const comment = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(source)?.[1] ?? '';
  return comment
    .split('\n')
    .map((line) => line.replace(/^ \* ?/, '').trimEnd())
    .join('\n');
}

if (import.meta.main) process.stdout.write(JSON.stringify(pluginPages()));
