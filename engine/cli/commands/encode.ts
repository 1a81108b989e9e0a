import { isUtf8 } from 'node:buffer';
import { isBundled } from '../../base/product/bundled.ts';
import { printableJson } from '../../api/printable.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { commandSandboxes } from '../command-sandboxes.ts';
import { ScriptJob } from '../script-job.ts';
import { LogDecoding } from '../log-decoding.ts';
import { readInputs, type InputChunk, type Mark } from '../message-source.ts';
import { parseArguments, parseChoice, parseSettings, SANDBOX_HELP, SANDBOX_OPTIONS, takeSandboxOptions } from '../settings.ts';
import { encodeWithScript, NO_OUTPUT, type EncodedBatch } from '../../outputs/script-encoder.ts';
import type { RowsEncoder } from '../../outputs/encode.ts';
import { columnEncoder } from '../../service/column-encoder.ts';
import { sandboxSpec } from '../../plugins/sandboxes.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { parseParameters } from '../../plugins/parameters.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { endOf } from '../../sandbox/contract/errors.ts';
import type { Processor } from '../../sandbox/contract/types.ts';

const help = `Usage: sluicebox encode ENCODER [OPTIONS] [FILE…|-]

Encodes messages and writes the bytes as they are, one output behind the other. Messages come in as JSON, one a line, as decode prints
them, or as a framed protobuf stream; a log is decoded by the decoder that it is recognised by (not with --each). What the encoder refuses goes to standard error with its file and line; the exit code is then 1.

ENCODER is the name of a bundled encoder or the path of a script (.js, .ts). Messages that it leaves alone are written as protobuf, without
framing; 'sluicebox cat' writes all messages as JSON, text or framed protobuf.

  -s KEY=VALUE              sets a parameter of the encoder; may be given several times
${SANDBOX_HELP}      --from auto|json|protobuf
                            what the input is (auto)
      --each                prints exactly one line for each input, in order: {"status":0,"payload":"…"}, for bytes that are not text
                            {"status":0,"payload":"…","encoding":"base64"}, without output {"status":-2}, when it is refused
                            {"status":-1,"error":"…"}; status 1: the encoder has ended
`;

export const encode: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      set: { type: 'string', short: 's', multiple: true, default: [] },
      ...SANDBOX_OPTIONS,
      from: { type: 'string', default: 'auto' },
      each: { type: 'boolean', default: false },
    });
    const [name, ...files] = positionals;
    if (name === undefined) throw new UsageError('encode needs the name of an encoder.');
    const form = parseChoice('--from', values.from, ['auto', 'json', 'protobuf']);
    const modules = takeSandboxOptions(values);
    const plugin = findPlugin('encoder', name);
    const config = parseParameters(plugin, parseSettings(values.set));
    const sandboxes = commandSandboxes();
    try {
      // A bundled encoder has the limits that it has where an output names it.
      const limits = isBundled(plugin.path) ? { output: 0 } : {};
      const spec = sandboxSpec('encoder', plugin, { config, modules, clock: 'message', limits });
      const own = columnEncoder(spec, plugin);
      const job = new EncodeJob(own === null ? byScript(await sandboxes.start(spec)) : byOwn(own), values.each, context);
      await using logs = new LogDecoding(context);
      const options = { form, signal: context.signal, ...(values.each ? {} : { decodeLog: logs.decodeLog }) };
      const notice = ({ text }: { text: string }): void => context.complain(text);
      for (const file of files.length === 0 ? ['-'] : files) await job.run(readInputs(file, { ...options, notice }));
      return job.exitCode();
    } finally {
      await sandboxes.close();
    }
  },
};

interface Done {
  readonly chunk: InputChunk;
  readonly result: EncodedBatch;
}

type Encode = (batch: MessageBatch) => Promise<EncodedBatch>;

/** Encodes by a script. */
export const byScript =
  (script: Processor): Encode =>
  (batch) =>
    encodeWithScript(script, batch, null);

const byOwn =
  (encode: RowsEncoder): Encode =>
  (batch) =>
    Promise.resolve({ ...encode(batch, null), terminated: null });

const NOTHING: EncodedBatch = { ...NO_OUTPUT, failures: [], terminated: null };

/** Encodes messages, and writes the bytes. */
export class EncodeJob extends ScriptJob<Done> {
  readonly #encode: Encode;

  constructor(encode: Encode, each: boolean, context: CommandContext) {
    super(each, context);
    this.#encode = encode;
  }

  protected async work(chunk: InputChunk): Promise<Done> {
    if (chunk.batch.length === 0) return { chunk, result: NOTHING };
    try {
      return { chunk, result: await this.#encode(chunk.batch) };
    } catch (error) {
      return { chunk, result: { ...NOTHING, terminated: { ...endOf(error), row: 0 } } };
    }
  }

  protected async print(done: Done): Promise<void> {
    if (!this.each) await this.context.out.write(done.result.pieces.bytes);
    this.#report(done);
  }

  /** Goes through the inputs of a chunk in order: prints lines for `--each`, and what failed. */
  #report({ chunk, result }: Done): void {
    const { batch, marks } = chunk;
    const { pieces, rows, failures, terminated } = result;
    if (!this.each && failures.length === 0 && marks.length === 0 && terminated === null && this.ended === null) return;
    const reasons = new Map(failures.map(({ row, reason }) => [row, reason]));
    const ended = this.ended ?? terminated;
    const end = this.ended !== null ? 0 : terminated === null ? Infinity : Math.max(0, terminated.row);
    let mark = 0;
    let piece = 0;
    for (let row = 0; row <= batch.length; row++) {
      for (; marks[mark]?.row === row; mark++) this.#refuse(chunk, (marks[mark] as Mark).line, -1, reasonOf(marks[mark] as Mark));
      if (row === batch.length) break;
      if (ended !== null && row >= end) {
        this.ended = ended;
        this.#print(1, this.failures.addEnded(chunk.source, chunk.lineOf(row), 'encoder', ended));
        if (!this.each) return;
        continue;
      }
      const reason = reasons.get(row);
      if (reason !== undefined) this.#refuse(chunk, chunk.lineOf(row), -1, reason);
      else if (this.each) this.context.out.add(outputLine(rows[piece] === row ? pieces.piece(piece++) : undefined));
    }
  }

  #refuse(chunk: InputChunk, line: number, status: number, reason: string): void {
    this.failures.add(chunk.source, line, reason);
    this.#print(status, reason);
  }

  #print(status: number, error: string): void {
    if (this.each) this.context.out.add(`${printableJson(JSON.stringify({ status, error }))}\n`);
  }
}

function reasonOf(mark: Mark): string {
  return mark.kind === 'broken' ? mark.reason : 'encoders have no timer';
}

/** One line of `--each` for a message that was not refused. */
function outputLine(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return '{"status":-2}\n';
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return `{"status":0,"payload":${printableJson(JSON.stringify(buffer.toString()))}}\n`;
  return `{"status":0,"payload":"${buffer.toString('base64')}","encoding":"base64"}\n`;
}
