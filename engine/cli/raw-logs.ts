import type { TextSource } from '../inputs/shared/read.ts';
import type { Sandboxes } from '../plugins/starter.ts';
import { MessageBatch } from '../message/batch/batch.ts';
import { DIRECT_BATCHES } from '../sandbox/ours/here-seat.ts';
import type { CommandContext } from './command.ts';
import { commandSandboxes } from './command-sandboxes.ts';
import { decodeChunk, FileTimes, withoutUnchanged, type Decoded } from './decoded.ts';
import { endedText } from './failures.ts';
import { FileDecoders } from './file-decoders.ts';
import { mapInOrder } from './in-order.ts';
import type { InputChunk } from './message-source.ts';

/** Decodes logs that are given to a command for messages, each by the decoder that it is recognised by. */
export class RawLogs {
  readonly #context: CommandContext;
  readonly #sandboxes: Sandboxes = commandSandboxes();
  readonly #decoders: FileDecoders;

  constructor(context: CommandContext) {
    this.#context = context;
    const decoding = { name: null, settings: {}, scripts: null, quiet: false, onlyDecoded: false, strict: false };
    this.#decoders = new FileDecoders(this.#sandboxes, decoding, context);
  }

  /** The messages of a log; a record that no decoder takes is one with decode_error. */
  async *read(source: TextSource): AsyncGenerator<InputChunk> {
    const { complain, signal } = this.#context;
    const { decoder, sandbox, second } = await this.#decoders.start(source);
    const times = new FileTimes();
    const isWhole = decoder?.[0].meta?.comments !== true;
    const decode = (chunk: InputChunk): Promise<Decoded> => decodeChunk(sandbox, chunk, second);
    let count = 0;
    for await (const decoded of mapInOrder(this.#decoders.read(source, decoder), decode, DIRECT_BATCHES, signal)) {
      const { chunk, refused } = decoded;
      const timed = times.timed(decoded);
      const { injected, origins, terminated } = isWhole ? timed : withoutUnchanged(timed);
      count += refused.length;
      const batch = injected ?? new MessageBatch({ length: 0, timestamps: new BigInt64Array(0) });
      const lineOf = (row: number): number => chunk.lineOf(origins?.[row] ?? row);
      const end = terminated === null ? [] : [{ row: batch.length, kind: 'broken', reason: endedText('decoder', terminated) } as const];
      yield {
        source: chunk.source,
        batch,
        lineOf,
        marks: end.map((mark) => ({ ...mark, line: chunk.lineOf(Math.max(0, terminated?.row ?? 0)) })),
      };
      chunk.release?.();
      if (terminated !== null) break;
    }
    if (signal.aborted) return;
    if (count > 0)
      complain(`${source.name}: ${count === 1 ? '1 record was' : `${count} records were`} refused by its decoder, with decode_error`);
    await sandbox.stop();
    await second?.stop();
  }

  close(): Promise<void> {
    return this.#sandboxes.close();
  }
}
