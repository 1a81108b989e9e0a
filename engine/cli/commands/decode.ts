import { parseArgs } from 'node:util';
import { UsageError, type Command, type CommandContext } from '../command.ts';
import { eachLine } from '../each.ts';
import { keepHeapSmall } from '../heap.ts';
import { ScriptJob } from '../script-job.ts';
import { readInputs, type InputChunk, type Mark, type MessageForm } from '../message-source.ts';
import { MODULE_HELP, MODULE_OPTION, parseChoice, parseModules, parseSettings } from '../settings.ts';
import { parseSplit, type SplitOptions } from '../../inputs/splitters/index.ts';
import { formatBatch } from '../../message/json-format.ts';
import { sandboxSpec } from '../../plugins/sandboxes.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { parseParameters, type Config } from '../../plugins/parameters.ts';
import { decoderSplit } from '../../plugins/split.ts';
import type { PluginScript } from '../../plugins/types.ts';
import { endOf } from '../../sandbox/errors.ts';
import { NO_RESULT } from '../../sandbox/result.ts';
import type { Sandbox, SandboxResult } from '../../sandbox/types.ts';
import { startSandboxes } from '../../plugins/starter.ts';

const help = `Usage: sluicebox decode DECODER [OPTIONS] [FILE…|-]

Decodes the records of files, or of standard input, and prints one JSON object for each message. What the decoder refuses goes to
standard error with its file and line; the exit code is then 1.

DECODER is the name of a bundled decoder or the path of a script (.js, .ts).

  -s KEY=VALUE              sets a parameter of the decoder; may be given several times
${MODULE_HELP}      --split line|none|regex:RE
                            how the input is cut into records (line; slow query logs: in front of each entry; csv: lines
                            with line ends in quotes)
      --from lines|json|protobuf
                            what the input is: text (lines), messages as JSON, one a line, or a framed protobuf stream (lines)
      --each                prints exactly one line for each input, in order: {"status":0,"messages":[…]} or
                            {"status":-1,"error":"…","messages":[]}; status 1: the decoder has ended
`;

/** Chunks that are decoded while others are read and printed. */
const IN_FLIGHT = 3;

export const decode: Command = {
  help,
  async run(args, context) {
    keepHeapSmall();
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        set: { type: 'string', short: 's', multiple: true, default: [] },
        ...MODULE_OPTION,
        split: { type: 'string' },
        from: { type: 'string', default: 'lines' },
        each: { type: 'boolean', default: false },
      },
    });
    const [name, ...files] = positionals;
    if (name === undefined) throw new UsageError('decode needs the name of a decoder.');
    const form: MessageForm = parseChoice('--from', values.from, ['lines', 'json', 'protobuf']);
    const modules = parseModules(values);
    // The host takes longest to start: what is left to find out is found out meanwhile.
    const sandboxes = startSandboxes({ hosts: 1 });
    sandboxes.warm();
    const plugin = findPlugin('decoder', name);
    const config = parseParameters(plugin, parseSettings(values.set));
    const split = values.split === undefined ? usualSplit(plugin, config, values.each) : parseSplit(values.split);
    try {
      const sandbox = await sandboxes.start(sandboxSpec('decoder', plugin, { config, modules }));
      const job = new DecodeJob(sandbox, values.each, context);
      for (const file of files.length === 0 ? ['-'] : files) {
        const notice = ({ text }: { text: string }): void => context.complain(text);
        await job.run(readInputs(file, { form, notice, signal: context.signal, ...(form === 'lines' ? { split } : {}) }));
      }
      return job.exitCode();
    } finally {
      // An idle host ends by itself when this process does; one that is at work may not notice for long.
      if (context.signal.aborted) await sandboxes.close();
    }
  },
};

/** Records of several lines cannot be read by lines. With `--each` an input is a line whatever the decoder is. */
export function usualSplit(decoder: PluginScript, config: Readonly<Config>, each: boolean): SplitOptions {
  const split = decoderSplit(decoder, config);
  return split.kind === 'none' || each ? { kind: 'line' } : split;
}

interface Decoded {
  readonly chunk: InputChunk;
  readonly result: SandboxResult;
}

/** Runs records through a script that makes messages, and prints these. */
export class DecodeJob extends ScriptJob<Decoded> {
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox, each: boolean, context: CommandContext) {
    super(each, context, IN_FLIGHT);
    this.#sandbox = sandbox;
  }

  protected async work(chunk: InputChunk): Promise<Decoded> {
    if (chunk.batch.length === 0) return { chunk, result: NO_RESULT };
    try {
      return { chunk, result: await this.#sandbox.process(chunk.batch, null) };
    } catch (error) {
      return { chunk, result: { ...NO_RESULT, terminated: { ...endOf(error), row: 0 } } };
    }
  }

  protected async print(decoded: Decoded): Promise<void> {
    return this.each ? this.#printEach(decoded) : this.#printAll(decoded);
  }

  async #printAll({ chunk, result }: Decoded): Promise<void> {
    const { out } = this.context;
    if (result.injected !== null) await out.addLines(formatBatch(result.injected));
    let mark = 0;
    for (const { row, reason } of result.failures) {
      while (mark < chunk.marks.length && (chunk.marks[mark] as Mark).row <= row) this.#refuse(chunk, chunk.marks[mark++] as Mark);
      this.failures.add(chunk.source, chunk.lineOf(row), reason);
    }
    const { terminated } = result;
    const end = terminated === null ? Infinity : Math.max(0, terminated.row);
    while (mark < chunk.marks.length && (chunk.marks[mark] as Mark).row <= end) this.#refuse(chunk, chunk.marks[mark++] as Mark);
    if (terminated !== null) {
      this.ended = terminated;
      this.failures.addEnded(chunk.source, chunk.lineOf(Math.max(0, terminated.row)), 'decoder', terminated);
    }
  }

  async #printEach({ chunk, result }: Decoded): Promise<void> {
    const { out } = this.context;
    const { injected, origins, failures, terminated } = result;
    const lines = injected === null ? null : formatBatch(injected);
    const count = injected?.length ?? 0;
    const endRow = this.ended !== null ? 0 : terminated === null ? Infinity : Math.max(0, terminated.row);
    if (terminated !== null) this.ended ??= terminated;
    let message = 0;
    let failure = 0;
    let mark = 0;
    for (let row = 0; row <= chunk.batch.length; row++) {
      for (; chunk.marks[mark]?.row === row; mark++) {
        const reason = this.#refuse(chunk, chunk.marks[mark] as Mark);
        out.add(eachLine(-1, [], reason));
      }
      if (row === chunk.batch.length) break;
      const own: string[] = [];
      for (; message < count && (origins === null ? message : origins[message]) === row; message++) own.push(lines?.next().value as string);
      const failed = failures[failure]?.row === row ? failures[failure++] : undefined;
      if (this.ended !== null && row >= endRow) {
        out.add(eachLine(1, [], this.failures.addEnded(chunk.source, chunk.lineOf(row), 'decoder', this.ended)));
      } else if (failed) {
        this.failures.add(chunk.source, chunk.lineOf(row), failed.reason);
        out.add(eachLine(-1, [], failed.reason));
      } else out.add(eachLine(0, own));
      await out.room();
    }
  }

  /** An input that is no record. */
  #refuse(chunk: InputChunk, mark: Mark): string {
    const reason = mark.kind === 'broken' ? mark.reason : 'decoders have no timer';
    this.failures.add(chunk.source, mark.line, reason);
    return reason;
  }
}
