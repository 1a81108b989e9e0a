/** An entry of a list: what is typed, and what it does. */
interface HelpEntry {
  readonly term: string;
  readonly text: string;
}

/** A part of a help text: a paragraph, lines to be typed as they stand, or a list. */
export type HelpBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'example'; readonly lines: readonly string[] }
  | { readonly kind: 'list'; readonly entries: readonly HelpEntry[] };

/** The help text of a command, in its parts. */
export interface HelpText {
  /** The ways to call the command, one line each, from its name on. */
  readonly usage: readonly string[];
  readonly blocks: readonly HelpBlock[];
}

const USAGE = /^(?:Usage:|\s+) sluicebox (.*)$/;
/** `-q, --quiet   does not say…`, with the text behind two spaces or on the next line. */
const OPTION = /^ {2,6}(-{1,2}[\w].*?)(?: {2,}(\S.*))?$/;
/** `load      CONFIG is…` */
const DEFINITION = /^(\w+) {2,}(\S.*)$/;
/** Lines to be typed stand by themselves, two spaces in. */
const EXAMPLE = /^ {2}[^\s-]/;

/**
 * Reads the help text of a command, which is the only place where its options are described. Throws nothing: a line of no other shape belongs to a
 * paragraph.
 */
export function parseHelp(help: string): HelpText {
  const [head = '', ...parts] = help.trimEnd().split(/\n{2,}/);
  const usage = head.split('\n').flatMap((line) => USAGE.exec(line)?.[1] ?? []);
  return { usage, blocks: parts.flatMap((part) => blocksOf(part.split('\n'))) };
}

function blocksOf(lines: readonly string[]): HelpBlock[] {
  if (lines.every((line) => EXAMPLE.test(line))) return [{ kind: 'example', lines: lines.map((line) => line.trim()) }];
  const first = lines.findIndex((line) => entryOf(line) !== null);
  const text = (first < 0 ? lines : lines.slice(0, first)).join(' ').replaceAll(/\s+/g, ' ').trim();
  const blocks: HelpBlock[] = text === '' ? [] : [{ kind: 'paragraph', text }];
  return first < 0 ? blocks : [...blocks, { kind: 'list', entries: entriesOf(lines.slice(first)) }];
}

function entriesOf(lines: readonly string[]): HelpEntry[] {
  const entries: HelpEntry[] = [];
  for (const line of lines) {
    const entry = entryOf(line);
    if (entry !== null) {
      entries.push(entry);
      continue;
    }
    const last = entries.pop();
    if (last !== undefined) entries.push({ term: last.term, text: `${last.text} ${line.trim()}`.trim() });
  }
  return entries;
}

function entryOf(line: string): HelpEntry | null {
  const [, term, text = ''] = OPTION.exec(line) ?? DEFINITION.exec(line) ?? [];
  return term === undefined ? null : { term, text };
}

/** An option of a command. */
export interface HelpOption {
  /** As it is typed: `--quiet`, `-q`. */
  readonly name: string;
  /** Description of the option; empty for one that is only named in the description of another. */
  readonly text: string;
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** The values, when they are named one by one. */
  readonly choices: readonly string[];
}

/** Values that a description ends with: `LEVEL   …: error, warning or info`. */
const TOLD_VALUES = /: ((?:[a-z]+, ){2,}[a-z]+ or [a-z]+)$/;
const OPTION_NAME = /(?<![\w-])--?[a-z][\w-]*/g;

/** All options of a help text, those of the lists first, each once. */
export function optionsOf({ blocks }: HelpText): HelpOption[] {
  const entries = blocks.flatMap((block) => (block.kind === 'list' ? block.entries.filter(({ term }) => term.startsWith('-')) : []));
  const options = new Map<string, HelpOption>();
  for (const { term, text } of entries) {
    const value = /-[\w-]+ ([^\s,-]\S*)/.exec(term)?.[1];
    const choices = value === undefined ? [] : choicesOf(value, text);
    for (const [name] of term.matchAll(OPTION_NAME)) options.set(name, { name, text, takesValue: value !== undefined, choices });
  }
  for (const { text } of entries) {
    for (const [name] of text.matchAll(OPTION_NAME)) {
      if (name.startsWith('--') && !options.has(name)) options.set(name, { name, text: '', takesValue: true, choices: [] });
    }
  }
  return [...options.values()];
}

function choicesOf(value: string, text: string): readonly string[] {
  if (/^[a-z]+(\|[a-z]+)+/.test(value)) return value.split('|').filter((word) => /^[a-z]+$/.test(word));
  return TOLD_VALUES.exec(text)?.[1]?.split(/, | or /) ?? [];
}
