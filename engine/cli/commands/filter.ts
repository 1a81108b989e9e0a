import { printableJson } from '../../api/printable.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { eachLine } from '../each.ts';
import { FilterSteps, type Step } from '../filter-steps.ts';
import { endedText } from '../failures.ts';
import { keepHeapSmall } from '../heap.ts';
import { ScriptJob } from '../script-job.ts';
import { LogDecoding } from '../log-decoding.ts';
import { MessagePrinter } from '../message-printer.ts';
import { readInputs, type InputChunk } from '../message-source.ts';
import { parseArguments, parseChoice, parseCount, parseSettings, SANDBOX_HELP, SANDBOX_OPTIONS, takeSandboxOptions } from '../settings.ts';
import { formatBatch } from '../../message/json/json-encode.ts';
import { sandboxSpec } from '../../plugins/sandboxes.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { parseParameters } from '../../plugins/parameters.ts';
import { endOf } from '../../sandbox/contract/errors.ts';
import { NO_RESULT, type Sandbox, type SandboxKind, type SandboxResult } from '../../sandbox/contract/types.ts';
import { processWhole } from '../../sandbox/calls/whole-call.ts';

const help = `Usage: sluicebox filter FILTER [OPTIONS] [FILE…|-]

Runs messages through a filter and prints what it injects, one JSON object a line. Messages come in as JSON, one a line, as decode prints
them, or as a framed protobuf stream; a log is decoded by the decoder that it is recognised by (not with --each). An input line {"timer":TIME} calls timer_event at that time (nanoseconds or a date); as long as
there is none, the messages' own time makes the ticks, and there is a last one at the end.

FILTER is the name of a bundled filter or the path of a script (.js, .ts).

  -s KEY=VALUE              sets a parameter of the filter; may be given several times
${SANDBOX_HELP}      --ticker SECONDS      time between two ticks (0: only the last one)
      --from auto|json|protobuf
                            what the input is (auto)
      --each                prints exactly one line for each input, in order: {"status":0,"messages":[…]} or
                            {"status":-1,"error":"…","messages":[]}; status 1: the filter has ended
`;

export const filter: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    keepHeapSmall();
    const { values, positionals } = parseArguments(args, {
      set: { type: 'string', short: 's', multiple: true, default: [] },
      ...SANDBOX_OPTIONS,
      ticker: { type: 'string', default: '0' },
      from: { type: 'string', default: 'auto' },
      each: { type: 'boolean', default: false },
    });
    const [name, ...files] = positionals;
    if (name === undefined) throw new UsageError('filter needs the name of a filter.');
    const form = parseChoice('--from', values.from, ['auto', 'json', 'protobuf']);
    const ticker = parseCount('--ticker', values.ticker);
    const modules = takeSandboxOptions(values);
    const sandboxes = commandSandboxes();
    const plugin = findPlugin('filter', name);
    const config = parseParameters(plugin, parseSettings(values.set));
    try {
      const sandbox = await sandboxes.start(sandboxSpec('filter', plugin, { config, modules, clock: 'message' }));
      const job = new FilterJob(sandbox, { each: values.each, ticker }, context);
      await using logs = new LogDecoding(context);
      const options = { form, signal: context.signal, ...(values.each ? {} : { decodeLog: logs.decodeLog }) };
      const notice = ({ text }: { text: string }): void => context.complain(text);
      for (const file of files.length === 0 ? ['-'] : files) await job.run(readInputs(file, { ...options, notice }));
      return await job.finish();
    } finally {
      await sandboxes.close();
    }
  },
};

interface Done {
  readonly step: Step;
  readonly result: SandboxResult | null;
}

/** A chunk and what came of its steps. */
interface Worked {
  readonly chunk: InputChunk;
  readonly done: readonly Done[];
}

interface EachEntry {
  readonly status: number;
  readonly error: string | undefined;
  readonly messages: string[];
}

/** Runs messages and ticks through a script, and prints what it injects. */
export class FilterJob extends ScriptJob<Worked> {
  readonly #kind: SandboxKind;
  readonly #sandbox: Sandbox;
  readonly #ticker: number;
  readonly #lastTick: boolean;
  readonly #steps: FilterSteps;
  readonly #printer: MessagePrinter;
  /** `--each`: the last input's line, until the next input comes: a last tick belongs to it. */
  #held: EachEntry | null = null;
  /** `--each`: what the clock's ticks injected since the last input. */
  #ticked: string[] = [];

  /**
   * @param options `lastTick`: without an interval there is one tick all the same, at the end; by default, unless there is a line for each input
   * @param kind what messages call the script
   */
  constructor(
    sandbox: Sandbox,
    options: { readonly each: boolean; readonly ticker: number; readonly lastTick?: boolean },
    context: CommandContext,
    kind: SandboxKind = 'filter',
  ) {
    super(options.each, context);
    this.#printer = new MessagePrinter(context.out);
    this.#kind = kind;
    this.#sandbox = sandbox;
    this.#ticker = options.ticker;
    this.#lastTick = options.lastTick ?? !options.each;
    this.#steps = new FilterSteps(options.ticker);
  }

  /** The last tick. @returns the exit code */
  async finish(): Promise<number> {
    const ns = this.#steps.end;
    if (ns !== null && !this.stopped && this.ended === null && (this.#ticker > 0 || this.#lastTick)) {
      const result = await this.#sandbox.timer(ns).catch(terminatedBy);
      // Without an interval a filter need not have a timer_event.
      const quiet = this.#ticker === 0 && result.terminated?.code === 'script.timer-missing';
      await this.#print(null, { kind: 'tick', ns }, quiet ? { ...result, terminated: null } : result);
      this.#held?.messages.push(...this.#ticked.splice(0));
    }
    this.#flushHeld();
    return this.exitCode();
  }

  protected async work(chunk: InputChunk): Promise<Worked> {
    const done = [...this.#steps.of(chunk)].map(async (step): Promise<Done> => {
      const call = this.#call(chunk, step);
      return { step, result: call === null ? null : await call.catch(terminatedBy) };
    });
    return { chunk, done: await Promise.all(done) };
  }

  protected async print({ chunk, done }: Worked): Promise<void> {
    for (const { step, result } of done) await this.#print(chunk, step, result);
  }

  #call(chunk: InputChunk, step: Step): Promise<SandboxResult> | null {
    if (step.kind === 'broken') return null;
    if (step.kind !== 'rows') return this.#sandbox.timer(step.ns);
    const { from, to } = step;
    const whole = from === 0 && to === chunk.batch.length;
    return processWhole(this.#sandbox, chunk.batch, whole ? null : Uint32Array.from({ length: to - from }, (_, i) => from + i));
  }

  async #print(chunk: InputChunk | null, step: Step, result: SandboxResult | null): Promise<void> {
    const source = chunk?.source ?? '';
    if (this.each) this.#printEach(step, result);
    else if (result?.injected) await this.#printer.print(result.injected);
    else if (result?.written !== undefined) await this.context.out.write(Buffer.concat(result.written));
    if (step.kind === 'broken') this.failures.add(source, step.line, step.reason);
    if (result === null) return;
    if (chunk !== null) for (const { row, reason } of result.failures) this.failures.add(source, chunk.lineOf(row), reason);
    if (result.terminated === null || this.ended !== null) return;
    const { row } = result.terminated;
    this.ended = result.terminated;
    const line = step.kind === 'timer' ? step.line : chunk !== null && row >= 0 ? chunk.lineOf(row) : 0;
    this.failures.addEnded(source || 'the last tick', line, this.#kind, this.ended);
  }

  #printEach(step: Step, result: SandboxResult | null): void {
    const lines = linesOf(result);
    switch (step.kind) {
      case 'tick':
        this.#ticked.push(...lines);
        break;
      case 'timer':
        this.#hold(this.#statusOf(result, Infinity), lines);
        break;
      case 'broken':
        this.#hold({ status: -1, error: step.reason }, []);
        break;
      case 'rows': {
        const origins = result?.writtenRows ?? result?.origins ?? null;
        let next = 0;
        for (let row = step.from; row < step.to; row++) {
          const own: string[] = [];
          for (; next < lines.length && (origins === null ? step.from + next : (origins[next] as number)) <= row; next++)
            own.push(lines[next] as string);
          this.#hold(this.#statusOf(result, row), own);
        }
      }
    }
  }

  #statusOf(result: SandboxResult | null, row: number): { status: number; error: string | undefined } {
    if (this.ended !== null) return { status: 1, error: endedText(this.#kind, this.ended) };
    const { terminated, failures } = result ?? NO_RESULT;
    if (terminated !== null && row >= terminated.row) return { status: 1, error: endedText(this.#kind, terminated) };
    const failed = row === Infinity ? undefined : failures.find((failure) => failure.row === row);
    return failed ? { status: -1, error: failed.reason } : { status: 0, error: undefined };
  }

  #hold(status: { status: number; error: string | undefined }, messages: string[]): void {
    this.#flushHeld();
    this.#held = { ...status, messages: [...this.#ticked.splice(0), ...messages] };
  }

  #flushHeld(): void {
    if (this.#held !== null) this.context.out.add(eachLine(this.#held.status, this.#held.messages, this.#held.error));
    this.#held = null;
  }
}

/** Formats the result of a call as JSON: messages, or the texts that an output has written. */
function linesOf(result: SandboxResult | null): string[] {
  if (result?.written !== undefined) return result.written.map((record) => printableJson(JSON.stringify(Buffer.from(record).toString())));
  return result?.injected ? [...formatBatch(result.injected)] : [];
}

function terminatedBy(error: unknown): SandboxResult {
  return { ...NO_RESULT, terminated: { ...endOf(error), row: -1 } };
}
