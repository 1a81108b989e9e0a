import { join } from 'node:path';
import { readText } from '../../base/files/regular-file.ts';
import { z } from 'zod';
import { errorCode } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { unwritable } from '../../base/files/unwritable.ts';

/** Bytes of a file that is read. */
const MOST_BYTES = 1 << 30;

const batchSchema = z.object({ subject: z.string(), id: z.string(), sequence: z.number(), body: z.base64() });
const contentSchema = z.object({ mark: z.string().nullable(), batches: z.array(batchSchema) });

/** A batch with what it is published as. */
export interface OutgoingBatch {
  readonly subject: string;
  /** Message id, by which a stream recognises a repeated batch. */
  readonly id: string;
  /** Ascends from batch to batch of one run. */
  readonly sequence: number;
  readonly body: Buffer;
}

/** The batch under another id, which says how often it got one. */
export function withNewId(batch: OutgoingBatch): OutgoingBatch {
  const [, id = batch.id, times = 0] = /^(.*)~(\d+)$/.exec(batch.id) ?? [];
  return { ...batch, id: `${id}~${Number(times) + 1}` };
}

/** Content of an outbox. */
export interface OutboxContent {
  /** Everything up to it is in the stream or in `batches`; null: nothing is known. */
  readonly mark: string | null;
  readonly batches: readonly OutgoingBatch[];
}

const FILE = 'published';
const EMPTY: OutboxContent = { mark: null, batches: [] };

/**
 * Keeps the batches that are being published, so that after the process was killed they are published again as they were: the stream knows them by
 * their ids. Made of the messages anew they would be other batches.
 */
export class Outbox {
  readonly #path: string;

  /** @param folder where its file is */
  constructor(folder: string) {
    this.#path = join(folder, FILE);
  }

  /** Opens the outbox with the batches that an earlier run left; files that cannot be read count as none. @throws errors of the file system */
  static async open(folder: string): Promise<{ readonly outbox: Outbox; readonly left: OutboxContent }> {
    await makeFolder(folder);
    const outbox = new Outbox(folder);
    return { outbox, left: await outbox.#read() };
  }

  /** @throws errors of the file system */
  async write({ mark, batches }: OutboxContent): Promise<void> {
    const encoded = batches.map(({ body, ...head }) => ({ ...head, body: body.toString('base64') }));
    await replaceFile(this.#path, JSON.stringify({ mark, batches: encoded })).catch((error: unknown) => {
      throw new Error(unwritable(this.#path, error), { cause: error });
    });
  }

  async #read(): Promise<OutboxContent> {
    try {
      const { mark, batches } = contentSchema.parse(JSON.parse(await readText(this.#path, MOST_BYTES)));
      return { mark, batches: batches.map(({ body, ...head }) => ({ ...head, body: Buffer.from(body, 'base64') })) };
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError || errorCode(error) === 'ENOENT') return EMPTY;
      throw error;
    }
  }
}
