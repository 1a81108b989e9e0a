import { Exit, UsageError, type Command } from '../command.ts';
import { parseExpression } from '../expression.ts';
import { FailureReport } from '../failures.ts';
import { keepHeapSmall } from '../heap.ts';
import { LogDecoding } from '../log-decoding.ts';
import { MessagePrinter } from '../message-printer.ts';
import { readInputs } from '../message-source.ts';
import { LOOKUPS_HELP, LOOKUPS_OPTION, parseArguments, parseChoice, takeLookups } from '../settings.ts';
import { messageOf } from '../../base/errors.ts';

const help = `Usage: sluicebox match EXPRESSION [OPTIONS] [FILE…|-]

Prints the messages that an expression selects, one JSON object a line: of the matcher's language, or in the short forms of the filter bar, as in
level:error or 'status:5xx timeout' (docs/matcher.md). Messages come in as JSON, one a
line, as decode prints them, or as a framed protobuf stream; a log is decoded by the decoder that it is recognised by. The first bytes tell which.

The exit code is 0 when a message is selected, 1 when none is, and 2 when something cannot be read.

  -c, --count               prints only how many there are
  -v, --invert              selects the messages that the expression does not select
      --from auto|json|protobuf
                            what the input is (auto)
${LOOKUPS_HELP}`;

export const match: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    const { out, signal, complain } = context;
    keepHeapSmall();
    const { values, positionals } = parseArguments(args, {
      count: { type: 'boolean', short: 'c', default: false },
      invert: { type: 'boolean', short: 'v', default: false },
      from: { type: 'string', default: 'auto' },
      ...LOOKUPS_OPTION,
    });
    const [expression, ...files] = positionals;
    if (expression === undefined) throw new UsageError('match needs an expression.');
    const form = parseChoice('--from', values.from, ['auto', 'json', 'protobuf']);
    takeLookups(values);
    const matcher = parseExpression('the expression', expression);
    const failures = new FailureReport();
    const printer = new MessagePrinter(out);
    await using logs = new LogDecoding(context);
    const options = { form, signal, notice: ({ text }: { text: string }): void => complain(text), decodeLog: logs.decodeLog };
    let unreadable = false;
    let count = 0;
    for (const file of files.length === 0 ? ['-'] : files) {
      try {
        for await (const chunk of readInputs(file, options)) {
          for (const mark of chunk.marks) {
            failures.add(chunk.source, mark.line, mark.kind === 'broken' ? mark.reason : 'a timer is not a message');
          }
          const selected = matcher.select(chunk.batch);
          const rows = values.invert ? others(selected, chunk.batch.length) : selected;
          count += rows === null ? chunk.batch.length : rows.length;
          if (!values.count) await printer.print(chunk.batch, rows);
          await out.flush();
        }
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof Error && 'code' in error)) throw error;
        complain(messageOf(error));
        unreadable = true;
      }
    }
    if (values.count) out.add(`${count}\n`);
    if (signal.aborted && !out.closed) return Exit.interrupted;
    if (failures.count > 0 || unreadable) return Exit.trouble;
    return count > 0 || out.closed ? Exit.ok : Exit.none;
  },
};

/** The rows that are not among these; null: all. */
function others(rows: Uint32Array | null, length: number): Uint32Array {
  if (rows === null) return new Uint32Array(0);
  const rest = new Uint32Array(length - rows.length);
  let at = 0;
  let next = 0;
  for (let row = 0; row < length; row++) {
    if (rows[at] === row) at++;
    else rest[next++] = row;
  }
  return rest;
}
