import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { TextSource } from '../inputs/shared/read.ts';
import type { InputBatch, InputNotice } from '../inputs/types.ts';
import { recordsAsWritten } from '../pipeline/written.ts';
import { messageOf } from '../base/errors.ts';
import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import type { TextPool } from '../message/text-pool.ts';
import type { FrameRecord } from '../message/protobuf/framing.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';

/** Format of input messages. `auto` decides by the first bytes. */
export type MessageForm = 'lines' | 'json' | 'protobuf' | 'auto';

/** An entry between messages, before row `row`: an unreadable input, or the time of a tick. */
export type Mark =
  | { readonly row: number; readonly line: number; readonly kind: 'broken'; readonly reason: string }
  | { readonly row: number; readonly line: number; readonly kind: 'timer'; readonly ns: bigint };

/** Some consecutive inputs of a command. */
export interface InputChunk {
  /** Name of the file, for messages about it. */
  readonly source: string;
  readonly batch: MessageBatch;
  /** Times at which the records of a text were written, by row; null: just now, or not known. Absent: the rows are messages, which have times. */
  readonly written?: BigInt64Array | null | undefined;
  /** Line (or record number) of each row, 1-based. */
  readonly lineOf: (row: number) => number;
  /** Ascending by row; marks after the last row have the batch's length as their row. */
  readonly marks: readonly Mark[];
  /** Releases the texts of the records: nothing reads them any more. */
  readonly release?: () => void;
}

export interface MessageSourceOptions {
  readonly form: MessageForm;
  readonly split?: SplitOptions | undefined;
  /** Memory for the texts of records; whoever gives it releases the chunks. */
  readonly texts?: TextPool | undefined;
  readonly notice?: ((notice: InputNotice) => void) | undefined;
  readonly signal: AbortSignal;
  /** Decodes what `auto` finds to be a log; absent: that is taken for messages as JSON. */
  readonly decodeLog?: ((source: TextSource) => AsyncGenerator<InputChunk>) | undefined;
  /** Waits for more at the end of a protobuf file, until `signal` is aborted. */
  readonly follow?: boolean;
  /** Called at the end of a file that is followed, before the wait. */
  readonly onEnd?: () => Promise<void>;
}

/**
 * Reads the messages of a file (`-`: standard input), or of a source that is open, in chunks of bounded size.
 * @throws InputError when the file cannot be read; earlier chunks have been yielded
 */
export async function* readInputs(source: string | TextSource, options: MessageSourceOptions): AsyncGenerator<InputChunk> {
  if (options.follow === true && typeof source === 'string' && (await canGrow(source))) {
    yield* followedChunks(source, options);
    return;
  }
  const opened = typeof source === 'string' ? await openText(source, options.signal) : source;
  const form = options.form === 'auto' ? await autoForm(opened) : options.form;
  if (form === 'log' && options.decodeLog !== undefined) yield* options.decodeLog(opened);
  else if (form === 'protobuf') yield* framedChunks(opened.bytes(), opened.name, options);
  else if (form === 'json' || form === 'log') yield* jsonChunks(opened, { ...options, form: 'json' });
  else for await (const records of recordBatches(opened, { ...options, form })) yield lineChunk(records);
}

/** Bytes by which the form is told. */
const HEAD_BYTES = 1 << 14;

async function autoForm(source: TextSource): Promise<'protobuf' | 'json' | 'log'> {
  const [head, { formOf }] = await Promise.all([source.firstBytes(HEAD_BYTES), import('./input-form.ts')]);
  return formOf(head);
}

async function openText(path: string, signal: AbortSignal): Promise<TextSource> {
  const { TextSource } = await import('../inputs/shared/read.ts');
  return new TextSource(path, { signal });
}

async function* recordBatches(source: TextSource, options: MessageSourceOptions): AsyncGenerator<InputBatch> {
  const { notice, split, texts } = options;
  // A message in JSON may be larger than a line of a log.
  const maxRecord = options.form === 'lines' ? undefined : 64 << 20;
  for await (const batch of source.records({ notice, split, maxRecord, texts })) {
    if (options.signal.aborted) return;
    yield batch;
  }
}

/** The records of an input, to be decoded. */
export function lineChunk(records: InputBatch): InputChunk {
  const { firstLine, source = '' } = records;
  const batch = recordsAsWritten(records);
  const written = batch === records.batch ? null : batch.timestamps;
  return { source, batch, written, lineOf: (row) => firstLine + row, marks: [], release: () => records.acknowledge() };
}

/** Parses lines that each hold a message or `{"timer":"ns"}`; empty lines are skipped. */
async function* jsonChunks(source: TextSource, options: MessageSourceOptions): AsyncGenerator<InputChunk> {
  const [{ parseJsonLine }, { JsonReader }] = await Promise.all([import('./json-lines.ts'), import('../message/json/json-reader.ts')]);
  const reader = new JsonReader();
  for await (const { batch, firstLine, source: name = '' } of recordBatches(source, options)) {
    const { payload } = batch;
    const texts = payload?.constant === undefined && payload?.rows === null ? payload : null;
    reader.begin(texts?.text ?? '');
    const lines: number[] = [];
    const marks: Mark[] = [];
    for (let i = 0; i < batch.length; i++) {
      const line = firstLine + i;
      if (texts !== null && reader.add(texts.starts[i] as number, texts.ends[i] as number)) {
        lines.push(line);
        continue;
      }
      const text = textAt(payload, i) ?? '';
      if (/^\s*$/.test(text)) continue;
      const parsed = parseJsonLine(text);
      if (typeof parsed === 'string') marks.push({ row: lines.length, line, kind: 'broken', reason: parsed });
      else if (typeof parsed === 'bigint') marks.push({ row: lines.length, line, kind: 'timer', ns: parsed });
      else {
        reader.append(parsed);
        lines.push(line);
      }
    }
    yield { source: name, batch: reader.build(), lineOf: (row) => lines[row] ?? 0, marks };
  }
}

const PROTOBUF_ROWS = 2048;
/** Largest message of a stream in bytes, well above the limit of any service that may have written it. */
export const MAX_STREAM_MESSAGE = 64 << 20;

/** A pipe has an end of its own. */
async function canGrow(path: string): Promise<boolean> {
  const { stat } = await import('node:fs/promises');
  const info = await stat(path).catch(() => null);
  return info === null || info.isFile() || info.isDirectory();
}

/** Reads a framed stream that grows. */
async function* followedChunks(path: string, options: MessageSourceOptions): AsyncGenerator<InputChunk> {
  const { openFile } = await import('../inputs/shared/open-file.ts');
  const { fileProblem } = await import('../inputs/notices.ts');
  try {
    await using handle = await openFile(path);
    yield* framedChunks(fileBytes(handle, path, options), path, options);
  } catch (error) {
    throw fileProblem(path, error);
  }
}

const FOLLOW_POLL_MS = 100;

/** Yields the bytes of a file and those appended later. */
async function* fileBytes(handle: FileHandle, name: string, options: MessageSourceOptions): AsyncGenerator<Buffer> {
  const { onEnd, signal, notice } = options;
  const buffer = Buffer.allocUnsafeSlow(1 << 18);
  for (let position = 0, ended = false; !signal.aborted;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    position += bytesRead;
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
    else {
      if (!ended) await onEnd?.();
      ended = true;
      if ((await handle.stat()).size < position) {
        notice?.({ level: 'warning', code: 'file.truncated', text: `${name}: was cut short, it is read from its beginning` });
        position = 0;
        continue;
      }
      await delay(FOLLOW_POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Cuts a framed stream. Bytes outside of records are skipped and reported; a record that is not a message becomes a `broken` mark. */
async function* framedChunks(stream: AsyncIterable<unknown>, name: string, options: MessageSourceOptions): AsyncGenerator<InputChunk> {
  const [{ EncodedReader }, { FrameSplitter }] = await Promise.all([
    import('../message/protobuf/encoded-reader.ts'),
    import('../message/protobuf/framing.ts'),
  ]);
  const complain = (text: string): void => options.notice?.({ level: 'warning', code: 'stream.damaged', text: `${name}: ${text}` });
  let total = 0;
  let ending = false;
  const onSkip = (bytes: number, offset: number): void => {
    const cut = ending && offset + bytes === total;
    complain(
      cut
        ? `ends within a record: ${bytes} bytes from byte ${offset} on are skipped`
        : `${bytes} bytes from byte ${offset} on are not a record and are skipped`,
    );
  };
  const splitter = new FrameSplitter({ onProblem: complain, onSkip, maxMessageSize: MAX_STREAM_MESSAGE, transient: true });
  let number = 0;
  const reader = new EncodedReader();
  const chunkOf = (records: readonly FrameRecord[]): InputChunk => {
    const [first] = records;
    if (first !== undefined) reader.begin(first.bytes, first.start);
    const numbers: number[] = [];
    const marks: Mark[] = [];
    for (const { start, end } of records) {
      number++;
      try {
        reader.add(start, end);
        numbers.push(number);
      } catch (error) {
        marks.push({ row: numbers.length, line: number, kind: 'broken', reason: messageOf(error) });
      }
    }
    return { source: name, batch: reader.build(), lineOf: (row) => numbers[row] ?? 0, marks };
  };
  for await (const bytes of stream) {
    if (options.signal.aborted) return;
    total += (bytes as Buffer).length;
    const records = splitter.push(bytes as Buffer);
    for (let at = 0; at < records.length; at += PROTOBUF_ROWS) yield chunkOf(records.slice(at, at + PROTOBUF_ROWS));
  }
  ending = splitter.pending > 0;
  const last = splitter.end();
  if (last.length > 0) yield chunkOf(last);
}
