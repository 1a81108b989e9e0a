import { parseArgs } from 'node:util';
import { SEVERITY_NAMES, severityNamed } from '../../api/severities.ts';
import { isStandardInput } from '../../inputs/shared/standard-input.ts';
import { messageOf } from '../../base/errors.ts';
import { hint } from '../../base/text/suggest.ts';
import { Exit, UsageError, type Command } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { parseExpression } from '../expression.ts';
import { parseDecoding } from '../file-decoders.ts';
import { keepHeapSmall } from '../heap.ts';
import { LOOKUPS_HELP, LOOKUPS_OPTION, parseArguments, parseCount, SCRIPTS_HELP, SCRIPTS_OPTION, takeLookups } from '../settings.ts';
import { firstOf, lastOf, oneAfterOther, withNeighbours } from '../view/around.ts';
import { LOCAL, UNIVERSAL, zoneNamed, type ZoneOffset } from '../view/clock.ts';
import { ViewedFiles } from '../view/files.ts';
import { mergedByTime } from '../view/merge.ts';
import { PREFERENCES, readPreferences, type Preferences } from '../view/preferences.ts';
import { openScreen } from '../view/screen.ts';
import { countTo, csvTo, jsonTo, linesTo, rawTo, type RecordWriter } from '../view/writers.ts';
import { sortedBy, sortKeyOf } from '../view/sort.ts';
import { statsTo } from '../view/stats.ts';
import { timeOf, withDashesJoined } from '../view/times.ts';
import type { LineForm } from '../view/lines.ts';
import type { Output } from '../output.ts';

const help = `Usage: sluicebox view [OPTIONS] FILE…|-

Shows the records of log files, or of standard input, as lines for people: time, level, the file where there are several, what the record says,
and behind it the fields that this does not tell. Each file is decoded by the decoder that fits its first lines, and several files are
merged by time, each in its own order. Compressed files are unpacked. A folder stands for the files in it, an archive (tar, zip) for the
logs in it, a pattern ('/var/log/**/*.log') for the files that it fits. The name of the command can be left out before files and options.

  sluicebox app.log                                     all of it, in a pager when at a terminal
  sluicebox view -l warning -w 'status:5xx' access.log app.log.*.gz
  sluicebox view --tail 50 --fields logger,message app.log
  sluicebox -f -l warning /var/log/app/*.log            what comes from now on

Times are universal time, as logs without a zone are read: --local and --tz show others, and those of --since and --until are of the same
zone. What is outside of these times is skipped unread in plain files whose records are in order of time, and --tail reads only their ends. Control characters are shown as escapes. At a
terminal, lines have colours and go through a pager: SLUICEBOX_PAGER, PAGER, or less with the options FRX.

  -l, --level LEVEL         the records that are at least so bad: emergency, alert, critical, error, warning, notice, info or debug
  -w, --where EXPR          the records that an expression selects: a text, level:error, status:5xx, 'remote_addr in 10.0.0.0/8', or one of docs/matcher.md
      --since TIME          the records from a time on: 12:40, yesterday 9:00, monday, 11-22, '2026-11-22 12:40', 1h (ago), or any with a zone of its own
      --until TIME          the records before a time
  -C, --context N           shows N records before and after each selected one, too
  -n, --lines N             the first N records
      --tail N              the last N records
  -f, --follow              goes on with what is added to the files, through rotation and truncation, and with files that appear later. Of what is there
                            it shows the last 10 records, or what --tail, --since or -n say
      --sort NAME[:desc]    by a field or a header, such as duration_ms:desc, instead of by time; without -n all are held in memory
      --fields NAME[,NAME…] shows these fields and headers in place of what the record says
      --hide NAME[,NAME…]   does not show these fields and headers
      --fold                one line for each record: further lines of it are counted alone
      --local               shows times as the clocks of this machine do
      --tz ZONE             shows times of a zone, such as Europe/Berlin
      --raw                 prints the records as they were read
      --json                prints them as JSON, one message a line, as decode does
      --csv                 prints them as a table: --fields names its columns, by default time, level, message and the fields of the first records
      --count               prints how many there are
      --stats               prints a page about them: their time, levels, the most frequent values of their fields, and the patterns of what they say
      --color auto|always|never
                            colours (auto: at a terminal, unless NO_COLOR is set; FORCE_COLOR gives them elsewhere, too)
      --no-pager            prints at a terminal directly
      --decoder NAME        the decoder of all files, a bundled one or a script
  -s KEY=VALUE              sets a parameter of the decoder; may be given several times
${SCRIPTS_HELP}${LOOKUPS_HELP}
Options for all calls can stand in the file ~/.config/sluicebox/cli.toml (XDG_CONFIG_HOME) and in SLUICEBOX_OPTIONS; those of the command line count
more than those of the environment, and these more than the file. The file has settings of these names:

${PREFERENCES.map(({ key, example, about }) => `  ${key} = ${example}`.padEnd(36) + `# ${about}\n`).join('')}`;

export const view: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    keepHeapSmall();
    const preferences = await readPreferences(process.env);
    const { values, positionals } = parseLayers(preferences, args);
    if (positionals.length === 0 && process.stdin.isTTY) throw new UsageError('view needs a file (- is standard input).');
    const keep = values.context === undefined ? 0 : parseCount('--context', values.context);
    const zone = zoneOf(values);
    takeLookups(values);
    const selection = {
      level: values.level === undefined ? null : levelOf(values.level),
      where: values.where === undefined ? null : parseExpression('--where', values.where),
      since: values.since === undefined ? null : timeOf('--since', values.since, zone),
      until: values.until === undefined ? null : timeOf('--until', values.until, zone),
    };
    const isSearch = selection.level !== null || selection.where !== null;
    const form = formOf(values);
    const [first, last] = [values.lines, values.tail].map((count, at) =>
      count === undefined ? null : parseCount(at === 0 ? '--lines' : '--tail', count),
    ) as [number | null, number | null];
    if (first !== null && last !== null && !values.follow)
      throw new UsageError('-n shows the first records, --tail the last: give one of them');
    const sort = values.sort === undefined ? null : sortKeyOf(values.sort);
    if (sort !== null && (values.follow || keep > 0))
      throw new UsageError('--sort takes records out of their places: give no --follow or --context with it');
    if (values.follow) refuseFollowing(form, positionals);
    const [fields, hide] = [namesOf(values.fields), namesOf(values.hide) ?? []];
    await using screen = await openScreen(context, {
      color: values.color,
      pager: preferences.pager,
      isPaged: !values['no-pager'] && !values.follow && form !== 'count',
    });
    const { out, signal, hasColours } = screen;
    const sandboxes = commandSandboxes();
    try {
      const decoding = parseDecoding({ ...values, quiet: true, 'only-decoded': false, strict: false }, context.complain);
      const { follow } = values;
      const shownLast = last ?? (follow && selection.since === null && first === null ? FOLLOWED_LAST : null);
      const files = new ViewedFiles(sandboxes, decoding, {
        context: { ...context, signal },
        selection,
        keepsOthers: keep > 0,
        last: sort === null ? shownLast : null,
        follow,
      });
      const sources = await files.of(positionals.length === 0 ? ['-'] : positionals);
      const read = withNeighbours(mergedByTime(sources), keep);
      const ordered = sort === null ? read : sortedBy(read, sort, first);
      const written = shownLast === null ? ordered : lastOf(ordered, shownLast);
      const all = follow ? oneAfterOther(written, () => withNeighbours(files.coming(positionals), keep)) : written;
      const { labels, machine } = files;
      const lines: LineForm = { hasColours, zone, fold: values.fold, fields, hide, labels, machine };
      const writer = WRITERS[form](out, lines, context.complain);
      let anyShown = false;
      files.onRecords = (part) => writer.expect?.(part);
      for await (const page of first === null ? all : firstOf(all, first)) {
        if (signal.aborted) break;
        anyShown ||= page.length > 0;
        await writer.write(page);
        await out.flush();
      }
      if (!signal.aborted) writer.end();
      await out.flush();
      if (screen.closed) return Exit.ok;
      if (context.signal.aborted) return Exit.interrupted;
      if (files.unreadable || files.failures.count > 0) return Exit.trouble;
      return isSearch && !anyShown ? Exit.none : Exit.ok;
    } finally {
      if (signal.aborted) await sandboxes.close();
    }
  },
};

/** Records that are shown of files before they are followed. */
const FOLLOWED_LAST = 10;

const OPTIONS = {
  level: { type: 'string', short: 'l' },
  where: { type: 'string', short: 'w' },
  context: { type: 'string', short: 'C' },
  since: { type: 'string' },
  until: { type: 'string' },
  lines: { type: 'string', short: 'n' },
  tail: { type: 'string' },
  follow: { type: 'boolean', short: 'f', default: false },
  sort: { type: 'string' },
  fields: { type: 'string' },
  hide: { type: 'string' },
  fold: { type: 'boolean', default: false },
  local: { type: 'boolean', default: false },
  tz: { type: 'string' },
  raw: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  csv: { type: 'boolean', default: false },
  count: { type: 'boolean', default: false },
  stats: { type: 'boolean', default: false },
  color: { type: 'string', default: 'auto' },
  'no-pager': { type: 'boolean', default: false },
  decoder: { type: 'string' },
  set: { type: 'string', short: 's', multiple: true, default: [] as string[] },
  ...SCRIPTS_OPTION,
  ...LOOKUPS_OPTION,
} as const;

const FORMS = ['raw', 'json', 'csv', 'count', 'stats'] as const;
type Form = (typeof FORMS)[number] | 'lines';

const WRITERS: Readonly<Record<Form, (out: Output, form: LineForm, tell: (text: string) => void) => RecordWriter>> = {
  lines: linesTo,
  raw: rawTo,
  json: jsonTo,
  csv: (out, { fields }, tell) => csvTo(out, fields, tell),
  count: countTo,
  stats: statsTo,
};

function formOf(values: Readonly<Record<(typeof FORMS)[number], boolean>>): Form {
  const asked = FORMS.filter((form) => values[form]);
  if (asked.length > 1) throw new UsageError(`records have one form: give one of ${asked.map((form) => `--${form}`).join(' and ')}`);
  return asked[0] ?? 'lines';
}

/** Options of which one replaces the others. */
const RIVALS = [['local', 'tz'], [...FORMS], ['lines', 'tail']] as const;

/** The options of the command line, and where it has none those of the environment and of the user's file. */
function parseLayers({ layers }: Preferences, args: readonly string[]) {
  const typed = parseArguments(withDashesJoined(args), OPTIONS);
  let before: readonly string[] = [];
  for (const { from, args: own } of layers) {
    try {
      const given = parseArguments(withDashesJoined(own), OPTIONS);
      if (given.positionals.length > 0) throw new UsageError(`options alone, not ${given.positionals.join(' ')}`);
      before = [...withoutRivals(before, own), ...withDashesJoined(own)];
    } catch (error) {
      throw new UsageError(`${from}: ${messageOf(error)}`, { cause: error });
    }
  }
  if (before.length === 0) return typed;
  return parseArguments([...withoutRivals(before, args), ...withDashesJoined(args)], OPTIONS);
}

/** Options without those that later ones replace. */
function withoutRivals(before: readonly string[], after: readonly string[]): string[] {
  const given = new Set(namesIn(after).map(({ name }) => name));
  const isReplaced = (name: string): boolean =>
    RIVALS.some((group: readonly string[]) => group.includes(name) && group.some((one) => given.has(one)));
  return namesIn(before).flatMap(({ name, words }) => (isReplaced(name) ? [] : words));
}

/** The options among some arguments, with the words that each is written in. */
function namesIn(args: readonly string[]): { readonly name: string; readonly words: readonly string[] }[] {
  const { tokens } = parseArgs({ args: withDashesJoined(args), options: OPTIONS, strict: false, allowPositionals: true, tokens: true });
  return tokens.flatMap((token) =>
    token.kind === 'option'
      ? [{ name: token.name, words: [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`] }]
      : [],
  );
}

function refuseFollowing(form: Form, files: readonly string[]): void {
  if (form === 'count' || form === 'stats')
    throw new UsageError(`--${form} tells what it found at the end, and --follow has none: give one of them`);
  if (files.length === 0 || files.some(isStandardInput))
    throw new UsageError('--follow is for files: standard input is shown as it comes without it');
}

function levelOf(word: string): number {
  const level = /^[0-7]$/.test(word) ? Number(word) : severityNamed(word);
  if (level !== null) return level;
  const known = SEVERITY_NAMES.map(([, name]) => name.toLowerCase());
  throw new UsageError(`--level must be one of ${known.join(', ')}, not '${word}'${hint(word, known)}`);
}

function zoneOf({ local, tz }: { readonly local: boolean; readonly tz?: string | undefined }): ZoneOffset {
  if (local && tz !== undefined) throw new UsageError('--local and --tz are two zones: give one of them');
  return tz === undefined ? (local ? LOCAL : UNIVERSAL) : zoneNamed(tz);
}

const namesOf = (list: string | undefined): readonly string[] | null =>
  list === undefined
    ? null
    : list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
