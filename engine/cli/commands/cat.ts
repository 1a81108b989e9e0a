import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { FailureReport } from '../failures.ts';
import { parseExpression } from '../expression.ts';
import { keepHeapSmall } from '../heap.ts';
import { LogDecoding } from '../log-decoding.ts';
import { MAX_STREAM_MESSAGE, readInputs, type InputChunk } from '../message-source.ts';
import { LOOKUPS_HELP, LOOKUPS_OPTION, parseArguments, parseChoice, parseCount, takeLookups } from '../settings.ts';
import { messageOf } from '../../base/errors.ts';
import type { Matcher } from '../../matcher/matcher.ts';
import { takeRows } from '../../message/batch/gather.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { PackedPieces } from '../../message/batch/packed.ts';
import { builtInEncoder, FORMS, type BatchEncoder } from '../../outputs/encode.ts';

const help = `Usage: sluicebox cat [OPTIONS] [FILE…|-]

Prints the messages of framed protobuf streams, which may be packed, of JSON, one message a line, as decode prints them, or of logs, each decoded by
the decoder that it is recognised by. Bytes of a stream that belong to no record are skipped and reported.

      --to json|text|protobuf
                            how messages are printed (json)
      --match EXPRESSION    prints only messages that the expression selects
      --tail N              prints only the last N of them
      --follow              goes on when the file grows; it is a stream, and not unpacked
${LOOKUPS_HELP}`;

export const cat: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    keepHeapSmall();
    const { values, positionals } = parseArguments(args, {
      to: { type: 'string', default: 'json' },
      match: { type: 'string' },
      tail: { type: 'string' },
      follow: { type: 'boolean', default: false },
      ...LOOKUPS_OPTION,
    });
    takeLookups(values);
    const files = positionals.length === 0 ? ['-'] : positionals;
    if (values.follow && (files.length !== 1 || files[0] === '-')) throw new UsageError('--follow needs exactly one file.');
    const printer = new Printer(
      await builtInEncoder(parseChoice('--to', values.to, FORMS), {
        maxMessageSize: MAX_STREAM_MESSAGE,
        transient: true,
        onError: (reason) => context.complain(`left out: ${reason}`),
      }),
      values.match === undefined ? null : parseExpression('--match', values.match),
      values.tail === undefined ? null : parseCount('--tail', values.tail),
      context,
    );
    const { signal, complain } = context;
    await using logs = new LogDecoding(context);
    const form = values.follow ? 'protobuf' : 'auto';
    for (const file of files) {
      const notice = ({ text }: { text: string }): void => complain(text);
      await printer.run(
        readInputs(file, { form, decodeLog: logs.decodeLog, signal, notice, follow: values.follow, onEnd: () => printer.endTail() }),
      );
    }
    await printer.endTail();
    return printer.exitCode();
  },
};

class Printer {
  readonly #encoder: BatchEncoder;
  readonly #matcher: Matcher | null;
  readonly #context: CommandContext;
  readonly #failures = new FailureReport();
  /** Number of last messages to print; null when all are, and after the end was reached. */
  #tail: number | null;
  readonly #kept: MessageBatch[] = [];
  #keptRows = 0;
  #unreadable = false;

  constructor(encoder: BatchEncoder, matcher: Matcher | null, tail: number | null, context: CommandContext) {
    this.#encoder = encoder;
    this.#matcher = matcher;
    this.#tail = tail;
    this.#context = context;
  }

  async run(chunks: AsyncIterable<InputChunk>): Promise<void> {
    const { signal, complain } = this.#context;
    try {
      for await (const chunk of chunks) {
        for (const mark of chunk.marks) if (mark.kind === 'broken') this.#failures.add(chunk.source, mark.line, mark.reason);
        const rows = this.#matcher?.select(chunk.batch) ?? null;
        if (this.#tail === null) await this.#print(chunk.batch, rows);
        else this.#keep(rows === null ? chunk.batch : takeRows(chunk.batch, rows), this.#tail);
        if (signal.aborted) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Error && 'code' in error)) throw error;
      complain(messageOf(error));
      this.#unreadable = true;
    }
  }

  /** Prints the last messages; what comes later is printed as it comes. */
  async endTail(): Promise<void> {
    if (this.#tail === null) return;
    let extra = this.#keptRows - this.#tail;
    this.#tail = null;
    for (const batch of this.#kept.splice(0)) {
      await this.#print(batch, extra > 0 ? Uint32Array.from({ length: batch.length - extra }, (_, i) => extra + i) : null);
      extra = 0;
    }
  }

  exitCode(): number {
    const { out, signal } = this.#context;
    if (signal.aborted && !out.closed) return Exit.interrupted;
    return this.#failures.count > 0 || this.#unreadable ? Exit.trouble : Exit.ok;
  }

  /** Forgets the oldest batches as soon as the others hold enough. */
  #keep(batch: MessageBatch, count: number): void {
    this.#kept.push(batch);
    this.#keptRows += batch.length;
    for (let [oldest] = this.#kept; oldest !== undefined && this.#keptRows - oldest.length >= count; [oldest] = this.#kept) {
      this.#kept.shift();
      this.#keptRows -= oldest.length;
    }
  }

  async #print(batch: MessageBatch, rows: Uint32Array | null): Promise<void> {
    const { out } = this.#context;
    const pieces = this.#encoder(batch, rows);
    if (pieces instanceof PackedPieces) return out.write(pieces.bytes);
    for (const piece of pieces) {
      if (typeof piece === 'string') out.add(piece);
      else await out.write(piece);
    }
    await out.flush();
  }
}
