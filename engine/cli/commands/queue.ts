import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '../../api/quantities.ts';
import { EngineError, errorCode, messageOf } from '../../base/errors.ts';
import { terminalColumns } from '../../base/process/terminal.ts';
import { nearOrAll } from '../../base/text/suggest.ts';
import { BatchBuilder } from '../../message/batch/builder.ts';
import { PackedPieces } from '../../message/batch/packed.ts';
import { decodeMessage } from '../../message/protobuf/protobuf.ts';
import { formatTimestamp } from '../../message/timestamp.ts';
import { builtInEncoder, FORMS, type BatchEncoder, type Form } from '../../outputs/encode.ts';
import { isQueue, waitingRecords } from '../../queue/waiting.ts';
import { queuePath } from '../../service/buffering.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { claimFolder } from '../folder-lock.ts';
import { MAX_STREAM_MESSAGE } from '../message-source.ts';
import { QUEUE_ACTIONS } from '../queue-actions.ts';
import { drainQueue, FileTarget, type DrainTarget } from '../queue-drain.ts';
import { serviceFolder, serviceIn, type ServiceFolder } from '../service-folder.ts';
import { parseArguments, parseChoice, parseCount } from '../settings.ts';
import { textTable } from '../text-table.ts';

const help = `Usage: sluicebox queue list [--json] CONFIG
       sluicebox queue peek [-n N] [--to FORM] CONFIG NAME
       sluicebox queue drain --out FILE|- [--to FORM] CONFIG NAME
       sluicebox queue drain --drop CONFIG NAME

Looks into the disk buffers (use_buffering) of a service, by its configuration or its base_dir, or empties one. NAME is the filter or output.

list prints what waits in each buffer: messages, bytes, and the time of the oldest message. peek prints the first messages. Both read only, also while
the service runs: what it delivers meanwhile, or has not noted yet, may still be listed.

drain writes all messages into a new file, or to standard output with -, and takes them out of the buffer. It is refused while the service runs. When it is
interrupted, the same command goes on: a file has each message once; of standard output, the last messages may come again.

      --out FILE|-          where drain writes
      --drop                drain throws the messages away
      --to json|text|protobuf
                            how messages are written (json)
  -n N                      messages that peek prints (10)
      --json                list prints one JSON object a line
      --anyway              drain does not ask for a lock, which a service without a base_dir does not take: no service may run
`;

const OPTIONS = {
  out: { type: 'string' },
  drop: { type: 'boolean', default: false },
  to: { type: 'string', default: 'json' },
  n: { type: 'string', short: 'n', default: '10' },
  json: { type: 'boolean', default: false },
  anyway: { type: 'boolean', default: false },
} as const;

export const queue: Command = {
  help,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, OPTIONS);
    const [word = '', given, name, ...more] = positionals;
    const action = parseChoice('the action', word, QUEUE_ACTIONS);
    if (given === undefined) throw new UsageError(`queue ${action} needs the configuration, or the base_dir, of the service.`);
    if (more.length > 0 || (action === 'list' && name !== undefined)) throw new UsageError(`queue ${action} takes no more arguments.`);
    const folder = await serviceFolder(given);
    if (action === 'list') return list(folder, values.json, context);
    if (name === undefined) throw new UsageError(`queue ${action} needs the name of a filter or output.`);
    const path = await queueOf(folder, name);
    const form = parseChoice('--to', values.to, FORMS);
    if (action === 'peek') return peek(path, parseCount('-n', values.n), form, context);
    if (values.drop === (values.out !== undefined)) throw new UsageError('queue drain needs either --out FILE or --drop.');
    return drain(folder, path, { out: values.out ?? null, form, anyway: values.anyway }, context);
  },
};

/** The folders of buffers, by the names of their sections. */
async function queuesIn({ path, names }: ServiceFolder): Promise<ReadonlyMap<string, string>> {
  const root = join(path, 'output_queue');
  const found = await readdir(root).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const queues = new Map<string, string>();
  for (const name of found.sort()) if (await isQueue(join(root, name))) queues.set(names.get(name) ?? name, join(root, name));
  return queues;
}

async function queueOf(folder: ServiceFolder, name: string): Promise<string> {
  const path = queuePath(folder.path, name);
  if (await isQueue(path)) return path;
  const known = [...(await queuesIn(folder)).keys()];
  const hint = known.length === 0 ? `there is none in ${folder.path}` : nearOrAll(name, known);
  throw new UsageError(`${name} has no disk buffer: ${hint}`);
}

interface Waiting {
  readonly name: string;
  readonly messages: number;
  readonly bytes: number;
  /** Time of the first message. */
  readonly oldest: string | null;
}

async function list(folder: ServiceFolder, isJson: boolean, { out, signal, complain }: CommandContext): Promise<number> {
  const holder = serviceIn(folder);
  const rows: Waiting[] = [];
  for (const [name, path] of await queuesIn(folder)) {
    if (signal.aborted) return Exit.interrupted;
    const row = await countedIn(name, path);
    if (isJson) out.add(`${JSON.stringify({ ...row, service: holder })}\n`);
    else rows.push(row);
  }
  if (isJson) return Exit.ok;
  if (rows.length === 0) complain(`there are no disk buffers in ${folder.path}`);
  else {
    const columns = [{ title: 'NAME' }, { title: 'MESSAGES', isNumber: true }, { title: 'BYTES', isNumber: true }, { title: 'OLDEST' }];
    const cells = rows.map(({ name, messages, bytes, oldest }) => [name, String(messages), formatBytes(bytes), oldest ?? '–']);
    for (const line of textTable(columns, cells, terminalColumns() ?? WIDTH)) out.addLine(line);
    if (holder !== null) out.addLine(`${holder} works with them: what it has not noted yet is listed.`);
  }
  return Exit.ok;
}

const WIDTH = 80;

async function countedIn(name: string, path: string): Promise<Waiting> {
  let [messages, bytes] = [0, 0];
  let oldest: string | null = null;
  for await (const records of waitingRecords(path)) {
    messages += records.length;
    for (const { message } of records) bytes += message.length;
    if (oldest === null && records[0] !== undefined) oldest = timeOf(records[0].message);
  }
  return { name, messages, bytes, oldest };
}

function timeOf(message: Uint8Array): string | null {
  try {
    return formatTimestamp(decodeMessage(message).timestamp);
  } catch {
    return null;
  }
}

async function peek(path: string, most: number, form: Form, { out, signal, complain }: CommandContext): Promise<number> {
  const encode = await encoderOf(form, complain);
  let left = most;
  for await (const records of waitingRecords(path)) {
    const wanted = records.slice(0, left).map(({ message }) => message);
    for (const piece of encode(wanted)) await out.write(piece);
    left -= wanted.length;
    if (left <= 0 || signal.aborted) break;
  }
  return signal.aborted && !out.closed ? Exit.interrupted : Exit.ok;
}

interface Drained {
  /** null: nowhere. */
  readonly out: string | null;
  readonly form: Form;
  readonly anyway: boolean;
}

async function drain(folder: ServiceFolder, path: string, { out: to, form, anyway }: Drained, context: CommandContext): Promise<number> {
  const { signal, complain } = context;
  using _claim = anyway ? null : claimed(folder);
  const target = to === null ? nowhere : to === '-' ? standardOutput(context) : await FileTarget.open(to, path);
  try {
    const encode = to === null ? () => [] : await encoderOf(form, complain);
    const count = await drainQueue(path, { target, encode, signal, onProblem: complain });
    const done = `${count} ${count === 1 ? 'message' : 'messages'} ${to === null ? 'dropped' : 'drained'}`;
    complain(signal.aborted ? `${done}; the others wait, and the same command goes on` : done);
    return signal.aborted ? Exit.interrupted : Exit.ok;
  } finally {
    await target.close();
  }
}

/** Keeps services out of the folder. @throws {UsageError} when it cannot; {EngineError} `service.running` */
function claimed(folder: ServiceFolder): Disposable {
  const { path, isOwn } = folder;
  const refuse = (text: string): never => {
    throw new UsageError(`${text}. Stop all services, and say --anyway.`);
  };
  if (!isOwn) refuse(`${path} is the folder of all services without a base_dir, and no lock tells whether one runs`);
  try {
    return { [Symbol.dispose]: claimFolder(path, refuse) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `${serviceIn(folder) ?? 'a service'} works with the buffers in ${path}: stop it first.`, {
      cause: error,
    });
  }
}

const nowhere: DrainTarget = {
  mark: null,
  write: () => Promise.resolve(),
  finish: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const standardOutput = ({ out }: CommandContext): DrainTarget => ({
  ...nowhere,
  async write(pieces) {
    for (const piece of pieces) await out.write(piece);
    if (out.closed) throw new UsageError('nobody reads standard output any more: these messages stay in the buffer.');
  },
});

/** Makes bytes of encoded messages, in their order. Those that are none are told. */
async function encoderOf(form: Form, complain: (text: string) => void): Promise<(messages: readonly Uint8Array[]) => Uint8Array[]> {
  const onError = (reason: string): void => complain(`left out: ${reason}`);
  const encode: BatchEncoder = await builtInEncoder(form, { maxMessageSize: MAX_STREAM_MESSAGE, onError });
  return (messages) => {
    const builder = new BatchBuilder();
    for (const message of messages) {
      try {
        builder.append(decodeMessage(message));
      } catch (error) {
        complain(`a record holds no message: ${messageOf(error)}`);
      }
    }
    if (builder.length === 0) return [];
    const pieces = encode(builder.build(), null);
    if (pieces instanceof PackedPieces) return [pieces.bytes];
    return Array.from(pieces, (piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  };
}
