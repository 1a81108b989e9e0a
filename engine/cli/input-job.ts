import { Exit, type CommandContext } from './command.ts';
import { eachLine } from './each.ts';
import { FailureReport } from './failures.ts';
import { givenFiles } from './given-input.ts';
import { MessagePrinter } from './message-printer.ts';
import { messageOf } from '../base/errors.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { formatBatch } from '../message/json/json-encode.ts';
import type { InputSandbox } from '../sandbox/contract/types.ts';

export interface InputJobOptions {
  /** Files that the script reads; standard input when there is none. */
  readonly files: readonly string[];
  /** Options for splitting the files into records; null: the script splits them. */
  readonly split: SplitOptions | null;
  /** Number of calls of process_message. */
  readonly runs: number;
  /** A line for each call. */
  readonly each: boolean;
}

/** Calls process_message of an input so often, until it ends, and prints what it injects. @returns the exit code */
export async function runInput(running: InputSandbox, options: InputJobOptions, context: CommandContext): Promise<number> {
  const { files, split, runs, each } = options;
  const { out, signal, complain } = context;
  const failures = new FailureReport();
  let unreadable = false;
  const printer = new MessagePrinter(out);
  let messages: string[] = [];
  const deliver = async (batch: MessageBatch): Promise<void> => {
    if (each) messages.push(...formatBatch(batch));
    else await printer.print(batch);
  };
  const onError = (error: unknown): void => {
    if (signal.aborted) return;
    unreadable = true;
    complain(messageOf(error));
  };
  const source = await givenFiles(files, split, deliver, onError, signal);
  for (let run = 1; run <= runs && !signal.aborted; run++) {
    messages = [];
    const status = await running.run((batch) => source.take(batch), source);
    const ended = 'reason' in status;
    await (ended ? source.abandon() : source.finish(async () => undefined));
    const [code, text] = ended ? [1, failures.addEnded('run', run, 'input', status)] : [status.code, status.text];
    if (!ended && code !== 0) failures.add('run', run, text);
    if (each) out.add(eachLine(Math.sign(code), messages, code === 0 ? undefined : text));
    await out.flush();
    if (code > 0) break;
  }
  await source.close();
  if (signal.aborted) return out.closed ? Exit.ok : Exit.interrupted;
  return failures.count > 0 || unreadable ? Exit.trouble : Exit.ok;
}
