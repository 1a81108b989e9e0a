import { setTimeout as delay } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { after } from '../../base/time/long-timer.ts';
import { streamChunks, type Chunks } from '../chunks.ts';
import { withConstantFields } from '../decorate.ts';
import { InputError, errorText } from '../notices.ts';
import { makeSplitter, type SplitOptions } from '../splitters/index.ts';
import { StreamBatches } from '../shared/stream-batches.ts';
import { Ticker } from '../ticker.ts';
import type { EndingInput, InputEnd, InputSink, InputStats } from '../types.ts';
import { CommandChain, type ChainResult, type CommandOptions } from './command-chain.ts';
import { flag, seconds } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { clock, decoding, FRAMING, framing, splitter } from '../shared/parameters.ts';
import { commandEnd } from './command-end.ts';
import { commandLine, commands, shortened } from './commands.ts';

/** The type `ProcessInput` of sections. */
export const processInput = inputType({
  type: 'ProcessInput',
  summary:
    'Runs commands and reads their output. Its messages have the Type `ProcessInput` and the fields `ProcessInputName` (the name of the input ' +
    'with `.stdout` or `.stderr`), `ExitStatus` (of the run before; -1 when it was killed) and, when commands in front of the last one failed, ' +
    '`SubcmdErrors`. When the service stops, whatever still runs is ended, with everything that it has started.',
  example:
    '[disk_space]\ntype = "ProcessInput"\nticker_interval = 60\nimmediate_start = true\ntimeout = 10\nsplitter = "line"\n' +
    '[disk_space.command.0]\nbin = "df"\nargs = ["-P", "-k"]\n[disk_space.command.1]\nbin = "tail"\nargs = ["-n", "+2"]',
  parameters: () => ({
    command: commands.describe(
      'The commands to run: `[NAME.command.0]` with `bin`, the program; `args`, a list; `env`, a list of `NAME=value` that replaces the whole environment; ' +
        'and `directory`, where to run it. Further ones, `[NAME.command.1]` …, read what the one before them writes.',
    ),
    ticker_interval: seconds
      .default(15)
      .describe(
        'Time between the starts of two runs. A run is skipped while the one before goes on. 0: it runs once; the input then ends when the run ' +
          'succeeds, and starts it again as its retries say when it fails.',
      ),
    immediate_start: flag.default(false).describe('Run once at the start, and not only after the first `ticker_interval`.'),
    timeout: seconds.default(0).describe('A run that takes longer is killed, with all processes that it started. 0: no limit.'),
    stdout: flag.default(true).describe('Read the standard output of the last command.'),
    stderr: flag.default(false).describe('Read the standard error of the last command.'),
    splitter: splitter.default('none').describe(`How the output is cut into records; with \`none\` that of a run is one record.${FRAMING}`),
    ...framing,
    ...decoding,
    clock: clock('For a command that prints a log of the past and ends, `message` gives its graphs.'),
  }),
  source: { form: ({ ticker_interval: wait }) => (wait === 0 ? 'chunks' : 'whole') },
  facts: ({ command }) => ({ kind: 'command', label: shortened(commandLine(command)), location: commandLine(command) }),
  make: (config, { split, hostname, endless: idleWhenQuiet = false }) => {
    const { name, command, ticker_interval: wait, immediate_start: immediately, timeout, stdout, stderr } = config;
    return new ProcessInput({
      name,
      commands: command,
      seconds: wait,
      immediately,
      timeout,
      stdout,
      stderr,
      split,
      hostname,
      idleWhenQuiet,
    });
  },
});

export interface ProcessInputOptions {
  /** Name of the input: Logger of its records. */
  readonly name: string;
  /** Commands that run as a pipe; at least one. */
  readonly commands: readonly CommandOptions[];
  /** Whole seconds between the starts of two runs; 0: it runs once. */
  readonly seconds: number;
  /** The first run comes at once, not after an interval. */
  readonly immediately?: boolean;
  /** Seconds after which a run is killed; 0: never. */
  readonly timeout?: number;
  /** Outputs of the last command that are delivered; by default standard output. */
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  /** Splitting of the output; by default all output of a run is one record. */
  readonly split?: SplitOptions;
  readonly hostname: string;
  readonly pid?: number;
  /** Say `idle` also while a command runs and is silent: for commands that never end. */
  readonly idleWhenQuiet?: boolean;
}

const TYPE = 'ProcessInput';
type Stream = 'stdout' | 'stderr';
const QUIET_MS = 200;

/**
 * Runs commands, once or again and again, and delivers what they write. A tick that comes while a run goes on is left out. A command
 * that cannot be started ends the input; so does the end of commands that run once. It can be started again then.
 */
export class ProcessInput implements EndingInput {
  readonly name: string;
  readonly #options: ProcessInputOptions;
  #ticker: Ticker | null = null;
  #once: Promise<void> = Promise.resolve();
  #chain: CommandChain | null = null;
  #stopped = false;
  #ended = Promise.withResolvers<InputEnd>();
  /** The last run that was completed. */
  #last: Pick<ChainResult, 'status' | 'errors'> = { status: 0, errors: [] };
  /** Made once for all runs, since they tell each kind of problem once. */
  readonly #batches: Partial<Record<Stream, StreamBatches>> = {};
  /** Text of the problem that it had; empty: none. */
  #told = '';
  #bytes = 0;
  #records = 0;
  #runs = 0;

  /** Throws an InputError (`split.bad`) for a way to split that cannot be used. */
  constructor(options: ProcessInputOptions) {
    this.name = options.name;
    this.#options = options;
    if (options.split !== undefined) makeSplitter(options.split);
  }

  /** Resolves when it has ended by itself, which is after the last `start`. Never, when it was stopped. */
  get ended(): Promise<InputEnd> {
    return this.#ended.promise;
  }

  start(sink: InputSink): Promise<void> {
    const { seconds, immediately = false } = this.#options;
    this.#stopped = false;
    this.#ended = Promise.withResolvers();
    if (seconds === 0) this.#once = this.#run(sink);
    else {
      this.#ticker = new Ticker(seconds * 1000, () => this.#run(sink));
      this.#ticker.start({ immediately });
    }
    return Promise.resolve();
  }

  /** Ends the running commands with their child processes; the output until then is delivered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const ticker = this.#ticker?.stop();
    await this.#chain?.stop();
    await Promise.all([ticker, this.#once]);
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: 0, totalBytes: this.#bytes };
  }

  figures(): Readonly<Record<string, number>> {
    return { RunCount: this.#runs, ExitStatus: this.#last.status };
  }

  async #run(sink: InputSink): Promise<void> {
    const { commands, seconds, stdout = true, stderr = false } = this.#options;
    try {
      const chain = await CommandChain.start(commands, { stdout, stderr });
      this.#runs++;
      this.#chain = chain;
      if (this.#stopped) void chain.stop();
      const result = await this.#finish(chain, sink);
      this.#last = result;
      if (this.#stopped) return;
      if (seconds === 0) this.#end(commandEnd(result, commands));
      else this.#tell(sink, result);
      sink.idle();
    } catch (error) {
      if (this.#stopped) return;
      const reason = error instanceof InputError ? error.message : `Its output is not taken: ${errorText(error)}`;
      this.#end({ status: null, signal: null, reason });
      void this.#ticker?.stop();
    } finally {
      this.#chain = null;
    }
  }

  /** Reads the output of a run to its end, and kills the run at the timeout. */
  async #finish(chain: CommandChain, sink: InputSink): Promise<ChainResult> {
    const { timeout = 0 } = this.#options;
    const timer = timeout === 0 ? null : after(timeout * 1000, () => this.#timeOut(chain, sink));
    try {
      await Promise.all([this.#read('stdout', chain, sink), this.#read('stderr', chain, sink)]);
      return await chain.ended;
    } catch (error) {
      void chain.kill();
      throw error;
    } finally {
      timer?.cancel();
    }
  }

  async #read(stream: Stream, chain: CommandChain, sink: InputSink): Promise<void> {
    if (chain[stream] === null) return;
    const batches = (this.#batches[stream] ??= this.#batchesOf(stream, sink));
    const output = outputChunks(chain, stream);
    const chunks = this.#options.idleWhenQuiet === true ? tellingQuiet(output, () => sink.idle()) : output;
    let read: object | undefined;
    const isStderr = stream === 'stderr';
    for await (const batch of batches.read(this.#counted(chunks))) {
      this.#records += batch.batch.length;
      read = batch.stream;
      await sink.deliver(isStderr ? { ...batch, isStderr } : batch);
    }
    if (read !== undefined) sink.ended?.(read);
  }

  #batchesOf(stream: Stream, sink: InputSink): StreamBatches {
    const { split = { kind: 'none' }, hostname, pid = process.pid } = this.#options;
    const name = `${this.name}.${stream}`;
    return new StreamBatches({
      name,
      split,
      headers: { type: TYPE, logger: this.name, hostname },
      notice: (notice) => sink.notice(notice),
      decorate: (batch) => {
        const { status: ExitStatus, errors } = this.#last;
        const failed = errors.length === 0 ? {} : { SubcmdErrors: errors.join('\n') };
        return withConstantFields(batch, { ProcessInputName: name, ExitStatus, ...failed }).with({ pid: { constant: pid } });
      },
    });
  }

  async *#counted(chunks: Chunks): Chunks {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  #timeOut(chain: CommandChain, sink: InputSink): void {
    const text = `Input ${this.name} killed its command, which took longer than ${this.#options.timeout} s.`;
    sink.notice({ level: 'warning', code: 'process.timeout', text });
    void chain.kill();
  }

  /** Reports the problem of a run, unless the run before had the same one. */
  #tell(sink: InputSink, result: ChainResult): void {
    const { reason } = commandEnd(result, this.#options.commands);
    const text = [...result.errors, ...(reason === null || result.signal !== null ? [] : [reason])].join('; ');
    if (text !== '' && text !== this.#told) sink.notice({ level: 'warning', code: 'process.failed', text: `Input ${this.name}: ${text}` });
    this.#told = text;
  }

  #end(end: InputEnd): void {
    this.#ended.resolve(end);
  }
}

/** The output of a command, to its end or until nobody waits for it any more. */
async function* outputChunks(chain: CommandChain, stream: Stream): Chunks {
  try {
    for await (const chunk of streamChunks(chain[stream] as Readable)) {
      if (stream === 'stderr') chain.hear(chunk);
      yield chunk;
    }
  } catch (error) {
    if (!chain.abandoned) throw error;
  }
}

/** Calls back whenever nothing came for a while. */
async function* tellingQuiet(chunks: Chunks, quiet: () => void): Chunks {
  try {
    for (;;) {
      const next = chunks.next();
      const timer = new AbortController();
      delay(QUIET_MS, undefined, { signal: timer.signal }).then(quiet, () => undefined);
      const { value, done } = await next.finally(() => timer.abort());
      if (done === true) return;
      yield value;
    }
  } finally {
    await chunks.return();
  }
}
