import { rm } from 'node:fs/promises';
import type { RecordQuery } from '../../api/types.ts';
import { atTerminal } from '../../base/process/terminal.ts';
import { Exit, UsageError, type Command } from '../command.ts';
import { DECODING_HELP, DECODING_OPTIONS } from '../decoding-options.ts';
import { parseExpression } from '../expression.ts';
import type { ComparedFiles } from '../query/compared-files.ts';
import { differenceJson, differenceLines, type SideNames } from '../query/difference-text.ts';
import { temporaryFolder } from '../query/temporary-folder.ts';
import { parseArguments, parseChoice, takeLookups } from '../settings.ts';
import { UNIVERSAL } from '../view/clock.ts';
import { timeOf, withDashesJoined } from '../view/times.ts';

const help = `Usage: sluicebox diff [OPTIONS] A B
       sluicebox diff [OPTIONS] --at TIME FILE…
       sluicebox diff [OPTIONS] [--a EXPRESSION] --b EXPRESSION FILE…

Says how records B differ from records A, in ten sentences at most, those that say most first: patterns of texts that are new, gone or changed in
rate, values and ranges of fields that explain the difference, numbers that shifted, clocks that went back, and times without records. All
records are counted. What chance may explain is left out: for each row the bound on chance is told, over all that was compared, by how much
shares vary within each side.

  sluicebox diff yesterday.log today.log                two files; each may be a folder, an archive or a pattern ('web*.log')
  sluicebox diff --at 12:40 access.log                  before and after a time
  sluicebox diff --since 12:40 --until 12:55 app.log    this time, and the same length of time before it
  sluicebox diff --b 'host:web3' *.log                  the records of one host, and all others
  sluicebox diff --a 'host:web1' --b 'host:web3' *.log  two hosts, deployments, or values of any field

The exit code is 0 when there is a difference, 1 when there is none, and 2 when something cannot be read.

      --at TIME             A is before a time of universal time, B from it on: 12:40, yesterday 9:00, '2026-11-22 12:40', 1h (ago)
      --since TIME          B is from a time on, A before it
      --until TIME          with --since: B ends before this time, A is of the same length
      --a EXPRESSION        the records of A, such as 'status:5xx' or 'host:web1' (all that are not B)
      --b EXPRESSION        the records of B (all that are not A)
  -w, --where EXPRESSION    compares only the messages that an expression selects
      --without NAME[,NAME…]
                            does not compare these fields and headers
      --format text|json    how the rows are printed (text); json: an object a line
${DECODING_HELP}`;

export const diff: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    const { values, positionals } = parseArguments(withDashesJoined(args), {
      at: { type: 'string' },
      since: { type: 'string' },
      until: { type: 'string' },
      a: { type: 'string' },
      b: { type: 'string' },
      where: { type: 'string', short: 'w' },
      without: { type: 'string' },
      format: { type: 'string', default: 'text' },
      ...DECODING_OPTIONS,
    });
    const format = parseChoice('--format', values.format, ['text', 'json']);
    takeLookups(values);
    const { sources, sides, names, chosenBy } = sidesOf(values, positionals);
    const told = values.without?.split(',').map((name) => name.trim()) ?? [];
    const folder = await temporaryFolder();
    try {
      const [{ parseDecoding }, { compareFiles }] = await Promise.all([
        import('../file-decoders.ts'),
        import('../query/compared-files.ts'),
      ]);
      const decoding = parseDecoding(values, context.complain);
      const { answer, code } = await compareFiles({ sources, sides, decoding, folder, without: [...told, ...chosenBy] }, context);
      if (context.signal.aborted) return Exit.interrupted;
      for (const [side, { records }] of [['A', answer.a] as const, ['B', answer.b] as const])
        if (records === 0) context.complain(`${side} has no records (${side === 'A' ? names.a : names.b})`);
      if (answer.a.records === 0 || answer.b.records === 0) return Exit.trouble;
      const hasColours = atTerminal() && (process.env['NO_COLOR'] ?? '') === '';
      for (const line of format === 'json' ? differenceJson(answer) : differenceLines(answer, names, hasColours))
        context.out.add(`${line}\n`);
      await context.out.flush();
      if (code !== Exit.ok) return Exit.trouble;
      return answer.rows.length > 0 ? Exit.ok : Exit.none;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Given {
  readonly at?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly a?: string | undefined;
  readonly b?: string | undefined;
  readonly where?: string | undefined;
}

interface ChosenSides {
  readonly sources: ComparedFiles['sources'];
  readonly sides: ComparedFiles['sides'];
  readonly names: SideNames;
  /** Fields by which the sides are chosen. */
  readonly chosenBy: readonly string[];
}

/** The sides that the options and arguments ask for. @throws {UsageError} */
function sidesOf(values: Given, paths: readonly string[]): ChosenSides {
  const isByTime = (values.at ?? values.since) !== undefined;
  const isByValue = (values.a ?? values.b) !== undefined;
  if (values.at !== undefined && values.since !== undefined)
    throw new UsageError('--at and --since both say where B begins: give one of them');
  if (values.until !== undefined && values.since === undefined)
    throw new UsageError('--until says where B ends, and --since where it begins: give both');
  if (isByTime && isByValue)
    throw new UsageError('the sides are two times or two sets of values: give no --a or --b with times, but --where');
  const matcher = expressionOf('--where', values.where);
  if (!isByTime && !isByValue) {
    const [a, b, ...others] = paths;
    if (a === undefined || b === undefined || others.length > 0)
      throw new UsageError(
        `diff compares two files, folders or patterns, not ${paths.length}${paths.length > 2 ? " (quote patterns: 'web*.log')" : ''}; files with --at, --since, --a or --b`,
      );
    const ofSource = (source: 1 | 2): RecordQuery => ({ sources: [source], matcher });
    return {
      sources: [
        { source: 1, paths: [a] },
        { source: 2, paths: [b] },
      ],
      sides: { a: ofSource(1), b: ofSource(2) },
      names: { a, b },
      chosenBy: [],
    };
  }
  if (paths.length === 0) throw new UsageError('diff needs a file (- is standard input).');
  const sources = [{ source: 1, paths }] as const;
  if (!isByTime) return { sources, ...byValue(values, matcher) };
  const option = values.at === undefined ? '--since' : '--at';
  const from = timeIn(option, values.at ?? (values.since as string));
  const to = values.until === undefined ? undefined : timeIn('--until', values.until);
  if (to !== undefined && to <= from) throw new UsageError('--until must be after --since');
  const before = to === undefined ? undefined : from - (to - from);
  const name = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  return {
    sources,
    sides: { a: { from: before, to: from, matcher }, b: { from, to, matcher } },
    names: { a: `before ${name(from)}`, b: `from ${name(from)}` },
    chosenBy: [],
  };
}

/** Records of one side are those of an expression; without one, all others. */
function byValue({ a, b }: Given, where: string | undefined): Omit<ChosenSides, 'sources'> {
  const [ofA, ofB] = [expressionOf('--a', a), expressionOf('--b', b)];
  const queryOf = (own: string | undefined, other: string | undefined): RecordQuery =>
    own === undefined ? { matcher: where, filters: [{ matcher: other, out: true }] } : { matcher: where, filters: [{ matcher: own }] };
  const chosenBy = [a, b].flatMap((text) => {
    if (text === undefined) return [];
    const { headers, fields } = parseExpression('--a', text).variables;
    return [...headers, ...fields];
  });
  return {
    sides: { a: queryOf(ofA, ofB), b: queryOf(ofB, ofA) },
    names: { a: a ?? `not ${b as string}`, b: b ?? `not ${a as string}` },
    chosenBy,
  };
}

function expressionOf(option: string, text: string | undefined): string | undefined {
  if (text !== undefined) parseExpression(option, text);
  return text;
}

const timeIn = (option: string, text: string): number => Number(timeOf(option, text, UNIVERSAL) / 1_000_000n);
