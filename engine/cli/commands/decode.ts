import { existsSync } from 'node:fs';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { REFUSED_HELP, REFUSED_OPTIONS, SELECTION_OPTIONS, TIME_HELP } from '../decoding-options.ts';
import { FileDecoders, type StartedDecoder } from '../file-decoders.ts';
import { FollowedFiles } from '../followed-files.ts';
import { decodeChunk, FileTimes, withoutUnchanged, type Decoded } from '../decoded.ts';
import { eachLine } from '../each.ts';
import { keepHeapSmall } from '../heap.ts';
import { MessagePrinter } from '../message-printer.ts';
import { namedFiles } from '../named-files.ts';
import { Recogniser } from '../recogniser.ts';
import { ScriptJob } from '../script-job.ts';
import { readInputs, type InputChunk, type Mark, type MessageForm } from '../message-source.ts';
import { selectionOf } from '../view/selection.ts';
import { withDashesJoined } from '../view/times.ts';
import { parseScripts } from '../script-folder.ts';
import {
  LOOKUPS_HELP,
  LOOKUPS_OPTION,
  MODULE_HELP,
  MODULE_OPTION,
  SCRIPTS_HELP,
  SCRIPTS_OPTION,
  parseArguments,
  parseChoice,
  parseModules,
  parseSettings,
  takeLookups,
} from '../settings.ts';
import { SecondReading } from '../../detect/second-reading.ts';
import { TextSource } from '../../inputs/shared/read.ts';
import { isStandardInput } from '../../inputs/shared/standard-input.ts';
import { parseSplit, type SplitOptions } from '../../inputs/splitters/index.ts';
import type { Matcher } from '../../matcher/matcher.ts';
import { TextPool } from '../../message/text-pool.ts';
import { formatBatch } from '../../message/json/json-encode.ts';
import { sandboxSpec } from '../../plugins/sandboxes.ts';
import { bundledNames, findPlugin } from '../../plugins/catalog.ts';
import { parseParameters, type Config } from '../../plugins/parameters.ts';
import { decoderSplit } from '../../plugins/split.ts';
import type { PluginScript } from '../../plugins/types.ts';
import type { Sandbox, SandboxResult } from '../../sandbox/contract/types.ts';

const help = `Usage: sluicebox decode [DECODER] [OPTIONS] [FILE…|-]

Decodes the records of files, or of standard input, and prints one JSON object for each message. A record that the decoder refuses is offered to
others, unless DECODER is named; when none takes it, it is printed with its text, the field decode_error and the time and level that are found in it,
and standard error says where it is and why.

DECODER is the name of a bundled decoder, the path of a script (.js, .ts), or auto. With auto, and without DECODER, each file is recognised by
its first lines, and standard error says as what; what is not recognised is printed line by line. A word that names a bundled decoder is
DECODER also where a file has that name: write ./NAME for the file, or auto before it. A folder stands for the files in it, an archive (tar,
zip) for the logs in it, a pattern ('/var/log/**/*.log') for the files that it fits.

  -w, --where EXPRESSION    prints only the messages that an expression selects, such as 'level:error' or 'status:5xx -uri:/health'
${TIME_HELP}  -f, --follow              goes on with what is added to the files, through rotation and truncation, and with files that appear later
  -s KEY=VALUE              sets a parameter of the decoder; may be given several times; with auto it replaces the recognised one
${MODULE_HELP}${SCRIPTS_HELP}${LOOKUPS_HELP}      --split line|none|regex:RE
                            how the input is cut into records (the way of the decoder, which is by lines for most; with --each: line)
      --from lines|json|protobuf
                            what the input is: text (lines), messages as JSON, one a line, or a framed protobuf stream (lines)
      --each                prints exactly one line for each input, in order: {"status":0,"messages":[…]} or
                            {"status":-1,"error":"…","messages":[]}; status 1: the decoder has ended
${REFUSED_HELP}  -q, --quiet               does not print which decoder was chosen for a file
`;

export const decode: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    keepHeapSmall();
    const { values, positionals } = parseArguments(withDashesJoined(args), {
      set: { type: 'string', short: 's', multiple: true, default: [] },
      ...MODULE_OPTION,
      ...SCRIPTS_OPTION,
      ...LOOKUPS_OPTION,
      ...SELECTION_OPTIONS,
      follow: { type: 'boolean', short: 'f', default: false },
      split: { type: 'string' },
      from: { type: 'string', default: 'lines' },
      each: { type: 'boolean', default: false },
      ...REFUSED_OPTIONS,
      quiet: { type: 'boolean', short: 'q', default: false },
    });
    if (positionals.length === 0 && process.stdin.isTTY) throw new UsageError('decode needs a decoder or a file.');
    const { name, files } = namedDecoder(positionals);
    const form: MessageForm = parseChoice('--from', values.from, ['lines', 'json', 'protobuf']);
    const modules = parseModules(values);
    const scripts = parseScripts(values, context.complain);
    const settings = parseSettings(values.set);
    const split = values.split === undefined ? null : parseSplit(values.split);
    if (name === null && form !== 'lines') throw new UsageError(`decode --from ${form} needs the name of a decoder.`);
    takeLookups(values);
    const where = selectionOf(values);
    if (values.each && where !== null)
      throw new UsageError('--each prints a line for each input: --where, --since and --until cannot leave out any');
    const sandboxes = commandSandboxes();
    const onlyDecoded = values['only-decoded'];
    const job = new DecodeJob(null, values.each, context, values.strict || values.each, where);
    if (values.follow) {
      if (values.each || form !== 'lines' || split !== null || modules.length > 0)
        throw new UsageError(
          '--follow is for text that is cut as its decoder asks for: give no --each, --from, --split or --module-directory',
        );
      if (files.length === 0 || files.some(isStandardInput))
        throw new UsageError('--follow is for files: standard input is decoded as it comes without it');
      const decoding = { name, settings, scripts, quiet: values.quiet, onlyDecoded, strict: values.strict };
      return followAll(job, new FollowedFiles(new FileDecoders(sandboxes, decoding, context), context), files);
    }
    const notice = ({ text }: { text: string }): void => context.complain(text);
    const options = { form, notice, signal: context.signal, texts: form === 'lines' ? new TextPool() : undefined };
    const cutBy = (plugin: PluginScript, config: Readonly<Config>): SplitOptions => split ?? usualSplit(plugin, config, values.each);
    /** Decodes a file by the decoder that it is recognised by. */
    const decodeAuto = async (recogniser: Recogniser, file: string): Promise<void> => {
      const source = new TextSource(file, { signal: context.signal });
      try {
        const recognised = await recogniser.recognise(source, values.quiet);
        const { decoder, sandbox, second } = recognised;
        job.decodeBy(recognised);
        await job.run(readInputs(source, { ...options, split: decoder === null ? (split ?? LINES) : cutBy(...decoder) }));
        if (context.signal.aborted) return;
        await sandbox.stop();
        await second?.stop();
      } finally {
        await source.close();
      }
    };
    const sources = namedFiles(files.length === 0 ? ['-'] : files, context.complain);
    const decodeAll = async (decodeFile: (file: string) => Promise<unknown>): Promise<void> => {
      for await (const { file, problem } of sources) {
        if (context.signal.aborted) return;
        await job.try(() => (problem === undefined ? decodeFile(file) : Promise.reject(problem)));
      }
    };
    try {
      if (name === null) {
        const recogniser = new Recogniser(sandboxes, { settings, modules, scripts, onlyDecoded }, context.complain);
        await decodeAll((file) => decodeAuto(recogniser, file));
      } else {
        const plugin = findPlugin('decoder', name);
        const config = parseParameters(plugin, settings);
        const second = new SecondReading({
          starter: sandboxes,
          detector: null,
          first: plugin.name,
          keepsRefused: !onlyDecoded,
        });
        const sandbox = await sandboxes.start(sandboxSpec('decoder', plugin, { config, modules }));
        job.decodeBy({ decoder: [plugin, config], sandbox, second });
        const cut = form === 'lines' ? { split: cutBy(plugin, config) } : {};
        await decodeAll((file) => job.run(readInputs(file, { ...options, ...cut })));
      }
      job.tellRefused(!onlyDecoded);
      return job.exitCode();
    } finally {
      // An idle host ends by itself when this process does; one that is at work may not notice for long.
      if (context.signal.aborted) await sandboxes.close();
    }
  },
};

async function followAll(job: DecodeJob, followed: FollowedFiles, files: readonly string[]): Promise<number> {
  for await (const round of followed.rounds(files)) {
    for (const { chunk, started } of round) {
      job.decodeBy(started);
      await job.run(only(chunk));
    }
  }
  return job.exitCode();
}

async function* only(chunk: InputChunk): AsyncGenerator<InputChunk> {
  yield await Promise.resolve(chunk);
}

const LINES: SplitOptions = { kind: 'line' };

/**
 * Tells the decoder from the files. A word that is neither a decoder nor looks like a path is a decoder that does not exist.
 * @returns the decoder; null: the files are to be recognised
 */
function namedDecoder([first, ...rest]: readonly string[]): { readonly name: string | null; readonly files: readonly string[] } {
  if (first === undefined || first === 'auto') return { name: null, files: rest };
  const isDecoder =
    bundledNames('decoder').includes(first) || /\.(?:[jt]s|mjs)$/.test(first) || (/^\w[\w-]*$/.test(first) && !existsSync(first));
  return isDecoder ? { name: first, files: rest } : { name: null, files: [first, ...rest] };
}

/** Cuts files as the decoder asks for. With `--each` an input is a line whatever the decoder is. */
export const usualSplit = (decoder: PluginScript, config: Readonly<Config>, each: boolean): SplitOptions =>
  each ? LINES : decoderSplit(decoder, config);

type Selector = Pick<Matcher, 'select'>;

/** Runs records through a script that makes messages, and prints these. */
export class DecodeJob extends ScriptJob<Decoded> {
  #sandbox: Sandbox | null;
  #second: SecondReading | null = null;
  #hasComments = false;
  readonly #printer: MessagePrinter;
  readonly #times = new FileTimes();
  readonly #where: Selector | null;

  /**
   * @param sandbox null: it is given later, by `decodeBy`
   * @param where selects the messages that are printed; null: all
   */
  constructor(sandbox: Sandbox | null, each: boolean, context: CommandContext, isStrict = true, where: Selector | null = null) {
    super(each, context, isStrict);
    this.#printer = new MessagePrinter(context.out);
    this.#where = where;
    this.#sandbox = sandbox;
  }

  /** Decodes by this script from the next run on. */
  decodeBy({ sandbox, decoder, second }: StartedDecoder): void {
    this.#hasComments = decoder?.[0].meta?.comments === true;
    this.#sandbox = sandbox;
    this.#second = second;
    this.ended = null;
  }

  /** Says how many records were refused. @param areKept they were printed all the same */
  tellRefused(areKept: boolean): void {
    this.tellCount(areKept ? ', and printed with decode_error' : ', and left out');
  }

  protected work(chunk: InputChunk): Promise<Decoded> {
    return decodeChunk(this.#sandbox, chunk, this.each ? null : this.#second);
  }

  protected async print(decoded: Decoded): Promise<void> {
    const { chunk } = decoded;
    const timed = this.#times.timed(decoded);
    const result = this.#hasComments && !this.each ? withoutUnchanged(timed) : timed;
    await (this.each ? this.#printEach(chunk, result) : this.#printAll(decoded, result));
    chunk.release?.();
  }

  async #printAll({ chunk, refused }: Decoded, result: SandboxResult): Promise<void> {
    if (result.injected !== null) await this.#printer.print(result.injected, this.#where?.select(result.injected) ?? null);
    let mark = 0;
    for (const { row, reason } of refused) {
      while (mark < chunk.marks.length && (chunk.marks[mark] as Mark).row <= row) this.#refuse(chunk, chunk.marks[mark++] as Mark);
      this.failures.addRefused(chunk.source, chunk.lineOf(row), reason);
    }
    const { terminated } = result;
    const end = terminated === null ? Infinity : Math.max(0, terminated.row);
    while (mark < chunk.marks.length && (chunk.marks[mark] as Mark).row <= end) this.#refuse(chunk, chunk.marks[mark++] as Mark);
    if (terminated !== null) {
      this.ended = terminated;
      this.failures.addEnded(chunk.source, chunk.lineOf(Math.max(0, terminated.row)), 'decoder', terminated);
    }
  }

  async #printEach(chunk: InputChunk, result: SandboxResult): Promise<void> {
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
