import { parseHelp, type HelpBlock } from './help-text.ts';

/** A command as the manual describes it. */
export interface ManualCommand {
  readonly name: string;
  readonly summary: string;
  /** Output of `sluicebox NAME --help`. */
  readonly help: string;
}

const EXIT_STATUS: readonly (readonly [code: string, text: string])[] = [
  ['0', 'All was done.'],
  [
    '1',
    'Nothing was found, where that is the question: of search and match, of view with --level or --where, of detect, and of --strict, which asks for records without a mistake. Of other commands: something failed, such as a configuration with problems. Standard error says what.',
  ],
  ['2', 'The command line is wrong. Of commands that read logs also: something cannot be read, or a script has ended.'],
  ['70', 'An error of Sluicebox itself.'],
  ['130', 'Interrupted.'],
];

/** The manual page of the command in man(7) macros, for `man -l -` and for packages. @param version of Sluicebox */
export function manPage(version: string, commands: readonly ManualCommand[]): string {
  return [
    `.TH SLUICEBOX 1 "" "Sluicebox ${escaped(version)}" "User Commands"`,
    '.SH NAME',
    'sluicebox \\- decodes, filters and shows what logs say',
    '.SH SYNOPSIS',
    '.B sluicebox',
    '.I COMMAND',
    '.RI [ ARGUMENTS ]',
    '.br',
    '.B sluicebox',
    '.RI [ OPTIONS ] " FILE" …',
    '.SH DESCRIPTION',
    ...paragraph(
      'Each command has its own help: sluicebox COMMAND --help. Without a command, files are shown as by view, whose options can be given.',
    ),
    '.SH COMMANDS',
    ...commands.flatMap(commandSection),
    '.SH EXIT STATUS',
    ...paragraph('Where a command has codes of its own, its description says so.'),
    ...EXIT_STATUS.flatMap(([code, text]) => entry(code, text)),
    '',
  ].join('\n');
}

function commandSection({ name, summary, help }: ManualCommand): string[] {
  const { usage, blocks } = parseHelp(help);
  return [
    `.SS ${escaped(`${name} - ${summary}`)}`,
    '.nf',
    ...usage.map((line) => `.B ${escaped(`sluicebox ${line}`)}`),
    '.fi',
    ...blocks.flatMap(blockLines),
  ];
}

function blockLines(block: HelpBlock): string[] {
  switch (block.kind) {
    case 'paragraph':
      return paragraph(block.text);
    case 'example':
      return ['.PP', '.RS', '.nf', ...block.lines.map(escaped), '.fi', '.RE'];
    case 'list':
      return block.entries.flatMap(({ term, text }) => entry(term, text));
  }
}

const paragraph = (text: string): string[] => ['.PP', escaped(text)];
const entry = (term: string, text: string): string[] => ['.TP', `.B ${escaped(term)}`, escaped(text)];

/** Text as roff shows it: a backslash, a minus that is no hyphen, and no request at the beginning of a line. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
