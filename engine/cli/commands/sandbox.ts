import { resolve } from 'node:path';
import { readTextSync } from '../../base/files/regular-file.ts';
import { MAX_SCRIPT_BYTES } from '../../sandbox/code/script-files.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { runInput } from '../input-job.ts';
import { readInputs, type InputChunk, type MessageForm } from '../message-source.ts';
import { runScriptTests, testTableOf } from '../scripts/script-tests.ts';
import { parseArguments, parseChoice, parseCount, parseSettings, SANDBOX_HELP, SANDBOX_OPTIONS, takeSandboxOptions } from '../settings.ts';
import { usageReport } from '../usage-report.ts';
import { DecodeJob, usualSplit } from './decode.ts';
import { byScript, EncodeJob } from './encode.ts';
import { FilterJob } from './filter.ts';
import { parseSplit, type SplitOptions } from '../../inputs/splitters/index.ts';
import { sandboxSpec, type SpecOptions } from '../../plugins/sandboxes.ts';
import { findPlugin, kindOfScript } from '../../plugins/catalog.ts';
import { parseParameters } from '../../plugins/parameters.ts';
import { KINDS, type PluginScript } from '../../plugins/types.ts';
import { tellLines } from '../../base/process/terminal.ts';
import {
  DEFAULT_LIMITS,
  type InputSandbox,
  type Sandbox,
  type SandboxKind,
  type SandboxLimits,
  type SandboxSpec,
} from '../../sandbox/contract/types.ts';
import { placeOf } from '../../sandbox/ours/seating.ts';
import { ThreadPool } from '../../sandbox/ours/thread-pool.ts';

const help = `Usage: sluicebox sandbox SCRIPT [OPTIONS] [FILE…|-]
       sluicebox sandbox SCRIPT --test [TABLE]
       sluicebox sandbox SCRIPT --where

Tries a script: runs it on records or messages as the pipeline would, prints what it emits, and then on standard error what it used of each
limit and which of its lines took the steps. Time is that of the messages, so the same input gives the same result each time. An input reads
FILE, as it is or, with --split, as records; of an output what it writes is printed.

SCRIPT is the path of a script (.js, .ts; a classic script or an ES module), or the name of a bundled one.

  -t, --type KIND           decoder, filter, encoder, input or output; not needed when the script's meta names its kind
  -s KEY=VALUE              sets a parameter of the script; may be given several times
${SANDBOX_HELP}      --ticker SECONDS      filters, outputs: time between two calls of timer_event, by the messages' clock (0: only a last one).
                            An input line {"timer":TIME} calls it at that time instead (nanoseconds or a date)
      --from lines|json|protobuf|auto
                            what the input is: text, messages as JSON, one a line, or a framed protobuf stream (decoders: lines; else: auto,
                            which is JSON or protobuf)
      --split line|none|regex:RE
                            how lines of text are cut into records (line; slow query logs: in front of each entry; inputs: not at all)
      --each                prints exactly one line for each input, in order, with its status and its messages
      --runs N              inputs: how often process_message is called (1)
      --state FILE          keeps the script's global variables in this file, from one run to the next
      --memory-limit BYTES, --instruction-limit STEPS, --output-limit BYTES
                            limits other than the usual ones (0: none)
      --test                runs the tests in TABLE, or beside the script in its NAME.test.json, and prints the result of each
      --where               prints where the script runs: in the process, in a thread of it, or in a sandbox host
`;

type Values = ReturnType<typeof parse>['values'];

interface Trial {
  readonly files: readonly string[];
  readonly values: Values;
  readonly context: CommandContext;
}

const parse = (args: readonly string[]) =>
  parseArguments(args, {
    type: { type: 'string', short: 't' },
    set: { type: 'string', short: 's', multiple: true, default: [] },
    ...SANDBOX_OPTIONS,
    ticker: { type: 'string', default: '0' },
    from: { type: 'string' },
    split: { type: 'string' },
    each: { type: 'boolean', default: false },
    runs: { type: 'string', default: '1' },
    state: { type: 'string' },
    'memory-limit': { type: 'string' },
    'instruction-limit': { type: 'string' },
    'output-limit': { type: 'string' },
    test: { type: 'boolean', default: false },
    where: { type: 'boolean', default: false },
  });

export const sandbox: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    const { values, positionals } = parse(args);
    const [name, ...files] = positionals;
    if (name === undefined) throw new UsageError('sandbox needs a script.');
    const modules = takeSandboxOptions(values);
    const kind = kindOf(name, values.type);
    const plugin = findPlugin(kind, name);
    if (values.where) {
      for (const row of placesOf(kind, plugin, limitsOf(values))) context.out.addLine(row);
      return Exit.ok;
    }
    const options: SpecOptions = {
      limits: limitsOf(values),
      modules,
      profile: !values.test,
      clock: 'message',
      preservation: values.state === undefined ? undefined : resolve(values.state),
    };
    const sandboxes = commandSandboxes();
    try {
      if (values.test) {
        const table = testTableOf(plugin.path, files);
        return await runScriptTests({ kind, plugin, table, options, starter: sandboxes, context });
      }
      const config = parseParameters(plugin, parseSettings(values.set));
      const reads = values.split === undefined ? 'chunks' : 'records';
      const ports = kind === 'output' ? { writes: true } : kind === 'input' ? { reads } : {};
      const running = await sandboxes.start(sandboxSpec(kind, plugin, { ...options, ...ports, config } as SpecOptions));
      const code = await runOn(running, plugin, { files, values, context });
      await report(running, plugin, context);
      await running.stop();
      return values.state === undefined ? code : await stateCode(running, code, context);
    } finally {
      await sandboxes.close();
    }
  },
};

/** Where a script runs, whatever its parameters are: a line for each kind of process that starts it. */
function placesOf(kind: SandboxKind, plugin: PluginScript, limits: Partial<SandboxLimits>): string[] {
  const spec: SandboxSpec = { ...sandboxSpec(kind, { ...plugin, meta: null }, { limits }), stateless: plugin.meta?.stateless === true };
  const threads = new ThreadPool().size;
  const rows = [
    ['commands, and services that end with their input', { here: true, threads }],
    ['services that go on, and the window', { here: false, threads }],
  ] as const;
  return rows.map(([who, seats]) => `${who}: ${placeOf(spec, seats)}`);
}

function kindOf(name: string, type: string | undefined): SandboxKind {
  if (type !== undefined) return parseChoice('--type', type, KINDS);
  const kind = kindOfScript(name);
  if (kind === null) throw new UsageError(`what is ${name}? It has no meta that says so: give --type ${KINDS.join('|')}.`);
  return kind;
}

function limitsOf(values: Values): Partial<SandboxLimits> {
  const limit = (option: 'memory-limit' | 'instruction-limit' | 'output-limit', usual: number): number => {
    const value = values[option];
    return value === undefined ? usual : parseCount(`--${option}`, value);
  };
  return {
    memory: limit('memory-limit', DEFAULT_LIMITS.memory),
    instructions: limit('instruction-limit', DEFAULT_LIMITS.instructions),
    output: limit('output-limit', DEFAULT_LIMITS.output),
  };
}

/** Gives the script all there is. @returns the exit code */
async function runOn(running: Sandbox, plugin: PluginScript, { files, values, context }: Trial): Promise<number> {
  const { kind } = running.spec;
  if (kind === 'input') {
    const split = values.split === undefined ? null : parseSplit(values.split);
    const runs = parseCount('--runs', values.runs);
    return runInput(running as Sandbox & InputSandbox, { files, split, runs, each: values.each }, context);
  }
  const form: MessageForm = parseChoice('--from', values.from ?? (kind === 'decoder' ? 'lines' : 'auto'), FORMS);
  const usual = (): SplitOptions => usualSplit(plugin, running.spec.config, values.each);
  const split = form !== 'lines' ? {} : { split: values.split === undefined ? usual() : parseSplit(values.split) };
  const notice = ({ text }: { text: string }): void => context.complain(text);
  const inputs = (file: string): AsyncIterable<InputChunk> => readInputs(file, { form, notice, signal: context.signal, ...split });
  const job = jobOf(running, plugin, values, context);
  for (const file of files.length === 0 ? ['-'] : files) await job.run(inputs(file));
  return job instanceof FilterJob ? job.finish() : job.exitCode();
}

const FORMS = ['lines', 'json', 'protobuf', 'auto'] as const;

function jobOf(
  running: Sandbox,
  { path }: PluginScript,
  { each, ticker }: Values,
  context: CommandContext,
): DecodeJob | EncodeJob | FilterJob {
  const { kind } = running.spec;
  if (kind === 'decoder') return new DecodeJob(running, each, context);
  if (kind === 'encoder') return new EncodeJob(byScript(running), each, context);
  // A tick that nobody takes ends the script, and its state would not be kept.
  const lastTick = !each && readTextSync(path, MAX_SCRIPT_BYTES).includes('timer_event');
  return new FilterJob(running, { each, ticker: parseCount('--ticker', ticker), lastTick }, context, kind);
}

/** The exit code, after the state was to be kept. */
async function stateCode(running: Sandbox, code: number, { complain }: CommandContext): Promise<number> {
  const { stateProblem, unkept } = await running.report();
  if (unkept !== undefined) complain(`not kept in the state: ${unkept.join(', ')}`);
  if (stateProblem === undefined) return code;
  complain(stateProblem);
  return Exit.trouble;
}

async function report(running: Sandbox, { path }: PluginScript, { out }: CommandContext): Promise<void> {
  await out.flush();
  const use = await running.report();
  const hints = (use.hints ?? []).map((hint) => `hint: ${hint}\n`).join('');
  tellLines(hints + usageReport(use, { path, text: readTextSync(path, MAX_SCRIPT_BYTES) }));
}
