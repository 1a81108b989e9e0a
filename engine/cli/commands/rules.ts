import { printableJson, printableLine } from '../../api/printable.ts';
import { messageOf } from '../../base/errors.ts';
import { formatTimestamp } from '../../message/timestamp.ts';
import { formatMessage } from '../../message/json/json-format.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { checkedRules } from '../../rules/checked-rules.ts';
import { RuleEngine, type Hit } from '../../rules/engine.ts';
import { loadRules } from '../../rules/folder.ts';
import { LEVELS, type Rule } from '../../rules/model.ts';
import { problemText } from '../../rules/problem-text.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { FailureReport } from '../failures.ts';
import { keepHeapSmall } from '../heap.ts';
import { LogDecoding } from '../log-decoding.ts';
import { readInputs, type InputChunk } from '../message-source.ts';
import { recordLine } from '../record-line.ts';
import { isFolder, LOOKUPS_HELP, LOOKUPS_OPTION, parseArguments, parseChoice, takeLookups } from '../settings.ts';

const help = `Usage: sluicebox rules check [OPTIONS] RULES…
       sluicebox rules run [OPTIONS] RULES… [--] FILE…

check reads Sigma rules, says what it does not know of them, with file and line, and which of their fields no decoder makes. The exit code is 0 when
all rules were loaded, 1 when some were not, and 2 when there are no files of rules.

run finds the records of logs for which rules are true. RULES are folders, and files that end with .yml or .yaml; all other arguments are FILEs. Each log
is decoded by the decoder that it is recognised by; messages come in as JSON, one a line, or as a framed protobuf stream, too. The exit code is
0 when a rule was true, 1 when none was, and 2 when something cannot be read.

      --level informational|low|medium|high|critical
                            only rules of this level and above (informational)
      --to json|text        how hits are printed: an object with time, rule, level and record, or a line for people (json)
      --fields              check: prints each field that no decoder makes, with the number of rules
      --from auto|json|protobuf
                            what the files are (auto)
${LOOKUPS_HELP}`;

export const rules: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    keepHeapSmall();
    const { values, positionals } = parseArguments(args, {
      level: { type: 'string', default: 'informational' },
      to: { type: 'string', default: 'json' },
      fields: { type: 'boolean', default: false },
      from: { type: 'string', default: 'auto' },
      ...LOOKUPS_OPTION,
    });
    takeLookups(values);
    const [action, ...paths] = positionals;
    if (action !== 'check' && action !== 'run') throw new UsageError('rules needs check or run.');
    const level = parseChoice('--level', values.level, LEVELS);
    const to = parseChoice('--to', values.to, ['json', 'text']);
    const form = parseChoice('--from', values.from, ['auto', 'json', 'protobuf']);
    if (action === 'check') return check(paths, values.fields, context);
    const [folders, files] = partOf(paths);
    if (folders.length === 0) throw new UsageError('rules run needs a folder or file of rules.');
    const loaded = await loadRules(folders);
    if (loaded.problems.length > 0)
      context.complain(
        `${countOf(loaded.problems.length, 'rule')} of ${loaded.rules.length + loaded.problems.length} not loaded: sluicebox rules check says why`,
        'warning',
      );
    const onFull = ({ title }: Rule): void =>
      context.complain(`${title}: it has more groups than are kept; the oldest ones are forgotten`, 'warning');
    return new RuleJob(new RuleEngine(loaded.rules, { level, onFull }), to, context).run(files.length === 0 ? ['-'] : files, form);
  },
};

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Rules, and what they are run on. */
function partOf(paths: readonly string[]): readonly [rules: readonly string[], files: readonly string[]] {
  const isRules = (path: string): boolean => /\.ya?ml$/i.test(path) || isFolder(path);
  const first = paths.findIndex((path) => !isRules(path));
  return first < 0 ? [paths, []] : [paths.slice(0, first), paths.slice(first)];
}

async function check(paths: readonly string[], tellsFields: boolean, { out, complain }: CommandContext): Promise<number> {
  if (paths.length === 0) throw new UsageError('rules check needs a folder or file of rules.');
  const { rules: loaded, problems } = await loadRules(paths);
  for (const problem of problems) complain(printableLine(problemText(problem)));
  const all = loaded.length + problems.length;
  if (all === 0) {
    complain('there are no rules');
    return Exit.trouble;
  }
  const { unknownFields, withoutDecoder } = checkedRules(loaded);
  const share = ((100 * loaded.length) / all).toFixed(1);
  out.add(`${loaded.length} of ${countOf(all, 'rule')} loaded (${share} %)\n`);
  for (const [source, count] of withoutDecoder)
    out.add(
      `${countOf(count, 'rule')} for ${printableLine(source)}: no decoder of its own, messages are found by the names of their fields\n`,
    );
  if (tellsFields)
    for (const { source, field, rules: count } of unknownFields)
      out.add(`${printableLine(`${field} (${source})`)}: a field that no decoder makes, in ${countOf(count, 'rule')}\n`);
  else if (unknownFields.length > 0)
    out.add(
      `${countOf(unknownFields.length, 'field')} of them no decoder makes: ${printableLine(unknownFields.map(({ field }) => field).join(', '))}\n`,
    );
  return problems.length > 0 ? Exit.failed : Exit.ok;
}

/** Runs rules over files and prints their hits. */
class RuleJob {
  readonly #engine: RuleEngine;
  readonly #to: 'json' | 'text';
  readonly #context: CommandContext;
  readonly #failures = new FailureReport();
  #count = 0;
  #unreadable = false;

  constructor(engine: RuleEngine, to: 'json' | 'text', context: CommandContext) {
    this.#engine = engine;
    this.#to = to;
    this.#context = context;
  }

  async run(files: readonly string[], form: 'auto' | 'json' | 'protobuf'): Promise<number> {
    const { signal, complain, out } = this.#context;
    await using logs = new LogDecoding(this.#context);
    const options = { form, signal, notice: ({ text }: { text: string }): void => complain(text), decodeLog: logs.decodeLog };
    for (const file of files) {
      try {
        for await (const chunk of readInputs(file, options)) await this.#take(chunk);
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof Error && 'code' in error)) throw error;
        complain(messageOf(error));
        this.#unreadable = true;
      }
    }
    if (signal.aborted && !out.closed) return Exit.interrupted;
    if (this.#failures.count > 0 || this.#unreadable) return Exit.trouble;
    return this.#count > 0 || out.closed ? Exit.ok : Exit.none;
  }

  async #take({ source, batch, marks, lineOf }: InputChunk): Promise<void> {
    const { out } = this.#context;
    for (const mark of marks) this.#failures.add(source, mark.line, mark.kind === 'broken' ? mark.reason : 'a timer is not a message');
    for (const hit of this.#engine.run(batch)) {
      this.#count++;
      out.add(`${this.#to === 'json' ? jsonLine(hit, batch, source, lineOf(hit.row)) : textLine(hit, batch, source, lineOf(hit.row))}\n`);
    }
    await out.flush();
  }
}

function jsonLine({ rule, row, found }: Hit, batch: MessageBatch, file: string, line: number): string {
  const head = {
    time: formatTimestamp(batch.timestamps[row] as bigint),
    rule: rule.title,
    ...(rule.id === null ? {} : { id: rule.id }),
    level: rule.level,
    tags: rule.tags,
    ...(found === undefined ? {} : { group: found.group, count: found.count }),
    file,
    line,
  };
  const text = printableJson(JSON.stringify(head));
  return `${text.slice(0, -1)},"record":${formatMessage(batch.message(row))}}`;
}

function textLine({ rule, row, found }: Hit, batch: MessageBatch, file: string, line: number): string {
  const counted = found === undefined ? '' : ` (${[...found.group, found.count].join(', ')})`;
  return printableLine(`${rule.level.padEnd(13)} ${rule.title}${counted} · ${file}:${line} · `) + recordLine(batch.message(row));
}
