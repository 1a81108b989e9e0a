import { errorCode, messageOf } from '../../base/errors.ts';
import { isPattern } from '../../inputs/file/discovery.ts';
import { searchLines } from '../../search/file-lines.ts';
import type { LineSearch } from '../../search/line-search.ts';
import { checkPattern, PatternError, type Pattern } from '../../search/ripgrep.ts';
import { keepsNothing, tellLines } from '../../base/process/terminal.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { DECODING_HELP, DECODING_OPTIONS } from '../decoding-options.ts';
import { parseExpression } from '../expression.ts';
import { namedFiles } from '../named-files.ts';
import { LineOutput, type LineForm } from '../search/line-output.ts';
import { parseArguments, parseCount, takeLookups } from '../settings.ts';

const help = `Usage: sluicebox search [OPTIONS] RE [FILE…|-]
       sluicebox search --files FILE…

Prints the lines of files, or of standard input, that a regular expression matches. ripgrep searches, in linear time; its
documentation describes the expressions. What is compressed is unpacked, UTF-16 converted. A folder stands for the files in it, an archive (tar,
zip) for the logs in it, a pattern ('/var/log/**/*.log') for the
files that it fits. With several files each line begins with the name of its file.

  sluicebox search 'GET /api/.* 50[0-9] ' access.log access.log.*.gz
  sluicebox search --decode timeout app.log             the records that have such a line, as decode prints them

The exit code is 0 when a line matches, 1 when none does, and 2 when something cannot be read or searched.

  -i, --ignore-case         treats capital and small letters alike
  -F, --fixed-strings       looks for the text as it is
  -C, --context N           prints N lines before and after each match, too; with --decode, N records
  -n, --line-number         prints the numbers of the lines
  -v, --invert-match        finds the lines that do not match
  -o, --only-matching       prints only the parts that match, each on a line
  -c, --count               prints how many lines match, for each file
  -l, --files-with-matches  prints only the names of the files with a line that matches
      --files               prints the names of the files that would be searched, and searches none
      --stats               says at the end, on standard error, how many lines match and in how many files
      --decode              prints the records as JSON, one message a line. A record of several lines is printed when one of them
                            matches. What no decoder takes has decode_error
      --where EXPRESSION    with --decode, prints only the messages that an expression selects, too, such as 'level:error'
${DECODING_HELP}`;

/** Most records or lines around a match. */
const MAX_CONTEXT = 100_000;

export const search: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      'ignore-case': { type: 'boolean', short: 'i', default: false },
      'fixed-strings': { type: 'boolean', short: 'F', default: false },
      context: { type: 'string', short: 'C', default: '0' },
      'line-number': { type: 'boolean', short: 'n', default: false },
      'invert-match': { type: 'boolean', short: 'v', default: false },
      'only-matching': { type: 'boolean', short: 'o', default: false },
      count: { type: 'boolean', short: 'c', default: false },
      'files-with-matches': { type: 'boolean', short: 'l', default: false },
      files: { type: 'boolean', default: false },
      stats: { type: 'boolean', default: false },
      decode: { type: 'boolean', default: false },
      ...DECODING_OPTIONS,
      where: { type: 'string' },
    });
    if (values.files) return listFiles(positionals, context);
    const [text, ...files] = positionals;
    if (text === undefined) throw new UsageError('search needs a regular expression.');
    if (files.length === 0 && process.stdin.isTTY) throw new UsageError('search needs a file (- is standard input).');
    const around = parseCount('--context', values.context);
    if (around > MAX_CONTEXT) throw new UsageError(`--context must be at most ${MAX_CONTEXT}`);
    if (values.decode && values['line-number']) throw new UsageError('-n numbers lines, and --decode prints records: give one of them');
    if (!values.decode && values.where !== undefined) throw new UsageError('--where selects messages, which are there with --decode');
    const pattern: Pattern = { text, ignoreCase: values['ignore-case'], fixed: values['fixed-strings'] };
    const paths = files.length === 0 ? ['-'] : files;
    const form = parseForm(values);
    const { stats: sums, 'invert-match': inverted } = values;
    if (values.decode && (form !== 'lines' || sums || inverted))
      throw new UsageError('-v, -o, -c, -l and --stats are about lines, and --decode prints records: give one of them');
    if (around > 0 && (form !== 'lines' || sums))
      throw new UsageError('-C prints lines around: it goes with none of -o, -c, -l and --stats');
    if (form === 'matches' && inverted) throw new UsageError('-o prints what matches, and -v finds what does not: give one of them');
    if (!values.decode) return printLines(paths, { pattern, around, numbers: values['line-number'], inverted, form, sums }, context);
    takeLookups(values);
    const where = values.where === undefined ? null : parseExpression('--where', values.where);
    await checked(pattern);
    const [{ parseDecoding }, { printRecords }] = await Promise.all([import('../file-decoders.ts'), import('../search/print-records.ts')]);
    return printRecords(paths, { pattern, around, where }, parseDecoding(values, context.complain), context);
  },
};

interface LinesWanted {
  readonly pattern: Pattern;
  readonly around: number;
  readonly numbers: boolean;
  /** Lines are wanted that do not match. */
  readonly inverted: boolean;
  readonly form: LineForm;
  /** Sums are told at the end. */
  readonly sums: boolean;
}

function parseForm(values: {
  readonly 'only-matching': boolean;
  readonly count: boolean;
  readonly 'files-with-matches': boolean;
}): LineForm {
  const given: LineForm[] = [];
  if (values['only-matching']) given.push('matches');
  if (values.count) given.push('count');
  if (values['files-with-matches']) given.push('files');
  if (given.length > 1) throw new UsageError('-o, -c and -l print different things: give one of them');
  return given[0] ?? 'lines';
}

/** Prints the names of files. @returns the exit code */
async function listFiles(paths: readonly string[], { out, signal, complain }: CommandContext): Promise<number> {
  if (paths.length === 0) throw new UsageError('--files needs a file, a folder or a pattern.');
  let failed = false;
  for await (const { file, problem } of namedFiles(paths, complain)) {
    if (signal.aborted) break;
    if (problem === undefined) out.add(`${file}\n`);
    else complain(messageOf(problem));
    failed ||= problem !== undefined;
    await out.room();
  }
  return failed ? Exit.trouble : Exit.ok;
}

async function printLines(paths: readonly string[], wanted: LinesWanted, context: CommandContext): Promise<number> {
  const { pattern, around, numbers, inverted, form, sums } = wanted;
  const { out, signal, complain } = context;
  const print = (bytes: Uint8Array): Promise<void> => out.write(bytes);
  const direct = keepsNothing();
  const names = await severalFiles(paths);
  const more = inverted ? ['--invert-match'] : [];
  const search: LineSearch = { pattern, context: around, numbers, names, more, print, direct, notice: complain, signal };
  const output = new LineOutput(form, search, sums);
  let found = false;
  let failed = false;
  for await (const { file, problem } of namedFiles(paths, complain)) {
    if (signal.aborted) break;
    try {
      if (problem !== undefined) throw problem;
      const told = await output.of(file, names, (options) => searchLines(file, options));
      found ||= told.found;
      if (told.line !== '') await out.write(Buffer.from(told.line));
    } catch (error) {
      if (signal.aborted) break;
      if (errorCode(error) === '') throw error;
      if (errorCode(error) === 'search.failed') await checked(pattern);
      complain(messageOf(error));
      failed = true;
    }
  }
  if (sums) tellLines(`${output.sums.join('\n')}\n`);
  if (out.closed) return Exit.ok;
  if (signal.aborted) return Exit.interrupted;
  return failed ? Exit.trouble : found ? Exit.ok : Exit.none;
}

/** @throws {UsageError} for a pattern that is none */
async function checked(pattern: Pattern): Promise<void> {
  try {
    await checkPattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const [first = '', ...details] = error.message.split('\n');
    throw new UsageError(first, { details, cause: error });
  }
}

async function severalFiles(paths: readonly string[]): Promise<boolean> {
  if (paths.length > 1 || paths.some(isPattern)) return true;
  for await (const { file } of namedFiles(paths)) if (file !== paths[0]) return true;
  return false;
}
