import { readFileSync } from 'node:fs';
import { markdownTable } from '../markdown.ts';
import { bundledPlugins } from './catalog.ts';
import type { ParameterMeta, PluginScript } from './types.ts';

/** Prints the reference of the bundled scripts: `node engine/plugins/docs.ts > docs/plugin-reference.md`. */

const INTRODUCTION = `# Bundled scripts

Everything that decodes, filters and encodes is a script that runs in a sandbox. These come with Sluicebox; each is one file in
\`plugins/\`, made to be read and copied. In a configuration a section names one with \`plugin = "NAME"\` and sets its parameters in the
\`config\` table below it; on the command line \`-s NAME=VALUE\` does.

This page is made from the scripts' own comments and parameters.
`;

const CHAPTERS = [
  { kind: 'decoder', title: 'Decoders' },
  { kind: 'filter', title: 'Filters' },
  { kind: 'encoder', title: 'Encoders' },
] as const;

/** The reference of all bundled scripts as Markdown. */
export function pluginPage(): string {
  const parts = [INTRODUCTION];
  for (const { kind, title } of CHAPTERS) {
    const scripts = bundledPlugins(kind);
    const overview = scripts.map(({ name, meta }) => [`[${name}](#${name}${duplicated(name, kind) ? '-1' : ''})`, meta?.summary ?? '']);
    parts.push(`## ${title}\n`, markdownTable([[title.slice(0, -1), 'What it does'], ...overview]));
    parts.push(...scripts.map(section));
  }
  return parts.join('\n');
}

/** Two headings of the same text get different anchors: the second one's ends in -1. */
function duplicated(name: string, kind: (typeof CHAPTERS)[number]['kind']): boolean {
  const earlier = CHAPTERS.slice(
    0,
    CHAPTERS.findIndex((chapter) => chapter.kind === kind),
  );
  return earlier.some((chapter) => bundledPlugins(chapter.kind).some((other) => other.name === name));
}

function section({ name, path, meta }: PluginScript): string {
  const parameters = Object.entries(meta?.parameters ?? {});
  const table = parameters.length === 0 ? 'It has no parameters.\n' : markdownTable([HEAD, ...parameters.map(row)]);
  return `### ${name}\n\n${documentation(readFileSync(path, 'utf8'))}\n\n${table}`;
}

const HEAD = ['Parameter', 'Type', 'Default', 'Meaning'];
const TYPES: Readonly<Record<ParameterMeta['type'], string>> = {
  string: 'text',
  bool: 'true or false',
  int: 'whole number',
  uint: 'whole number ≥ 0',
  number: 'number',
};

function row([name, { type, summary, default: value, required }]: [string, ParameterMeta]): string[] {
  const shown = value === undefined || value === '' ? '' : `\`${String(value)}\``;
  return [`\`${name}\``, TYPES[type], required === true ? 'required' : shown, summary];
}

/** The comment at the head of a script, without its stars. */
function documentation(source: string): string {
  const comment = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(source)?.[1] ?? '';
  return comment
    .split('\n')
    .map((line) => line.replace(/^ \* ?/, '').trimEnd())
    .join('\n');
}

if (import.meta.main) process.stdout.write(pluginPage());
