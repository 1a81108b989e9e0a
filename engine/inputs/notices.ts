import type { ErrorCode } from '../api/errors.ts';
import { errorCode, isAway, messageOf } from '../base/errors.ts';
import { TooLargeError } from './packed/errors.ts';
import type { ArchiveForm, Probe } from './probe.ts';
import type { InputNotice } from './types.ts';

/** A problem of an input that has a notice: `code` and `message` are the notice's. */
export class InputError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, text: string, options?: ErrorOptions) {
    super(text, options);
    this.name = 'InputError';
    this.code = code;
  }

  toNotice(): InputNotice {
    return { level: 'error', code: this.code, text: this.message };
  }
}

/** Returns the message of a thrown value. */
export function errorText(error: unknown): string {
  return messageOf(error);
}

/** The problem that a system error means for a file, with what to do about it. */
export function fileProblem(path: string, error: unknown): InputError {
  if (error instanceof InputError) return error;
  const make = (code: ErrorCode, text: string): InputError => new InputError(code, text, { cause: error });
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      if (path === '') return make('file.missing', 'The name of a file is empty. Check the variable or the quotes that it comes from.');
      if (isLossy(path))
        return make('file.missing', `${path} does not exist, or its name is not UTF-8. Check the name and the folder, or rename the file.`);
      return make('file.missing', `${path} does not exist. Check the name and the folder.`);
    case 'EACCES':
    case 'EPERM':
      return make('file.denied', `${path} may not be read by this user. Give read permission, or join the group that owns it (often adm).`);
    case 'ELOOP':
      return make('file.link-loop', `${path} is a symbolic link that leads back to itself. Correct the link.`);
    case 'EISDIR':
      return directoryProblem(path);
    case 'EMFILE':
    case 'ENFILE':
      return make('file.too-many-open', `${path} cannot be opened: too many files are open. Open fewer, or raise the limit (ulimit -n).`);
    default:
      return make('file.unreadable', `${path} cannot be read: ${errorText(error)}.`);
  }
}

/** Whether a name may have had bytes that are not UTF-8: such a file is listed, and cannot be opened by what is listed. */
export const isLossy = (path: string): boolean => path.includes('\ufffd');

/** The problem that a system error means for a file that is read again after a while. */
export function retriedFileProblem(path: string, error: unknown): InputError {
  const problem = fileProblem(path, error);
  if (problem.code !== 'file.unreadable') return problem;
  return new InputError(problem.code, `${problem.message} It is tried again.`, { cause: error });
}

/** Whether a file that cannot be read now is likely to be there all the same. */
export const isPassing = ({ code, cause }: InputError): boolean => code === 'file.too-many-open' || isAway(cause);

export function directoryProblem(path: string): InputError {
  return new InputError(
    'file.directory',
    `${path} is a folder. Open the files in it, for example with ${path.replace(/[\\/]$/, '')}/*.log`,
  );
}

export function specialFileProblem(path: string): InputError {
  return new InputError(
    'file.special',
    `${path} is a pipe, a socket or a device, not a file. Its data can be piped into "sluicebox decode", and a pipe can be read by a command: cat <> PATH`,
  );
}

/** The problem of a source that is no text. */
export function noTextProblem(path: string, found: Exclude<Probe, { kind: 'text' | 'compressed' }>): InputError {
  if (found.kind === 'binary') return new InputError('file.binary', `${path} is ${found.what}. ${found.advice}`);
  return archiveProblem(path, found.format);
}

/** The name of standard input in messages. */
const STANDARD_INPUT = 'standard input';

function archiveProblem(path: string, form: ArchiveForm): InputError {
  const what = `${path} is a ${form} archive, and one file is read here.`;
  const advice =
    path === STANDARD_INPUT
      ? 'Give the name of the archive in place of standard input.'
      : `Name a file in it (${path}/FILE), or open the archive in the window or with decode, search, query or import, which read all its logs.`;
  return new InputError('file.archive', `${what} ${advice}`);
}

/** A file that the kernel writes at each read. */
export function readOnceNotice(path: string): InputNotice {
  const text = `${path} says how the system is now: it is read once. A FilePollingInput reads it again and again.`;
  return { level: 'info', code: 'file.read-once', text };
}

/** The problem that a system error means for a listening address, with what to do about it. */
export function portProblem(protocol: string, address: string, error: unknown): InputError {
  const make = (code: ErrorCode, text: string): InputError => new InputError(code, text, { cause: error });
  const what = `${protocol} ${address}`;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return make(
        'port.in-use',
        `${what} is in use by another program. Stop that program (often a syslog daemon), or listen on another port.`,
      );
    case 'EACCES':
    case 'EPERM':
      return make(
        'port.denied',
        `${what} may not be listened on: ports below 1024 need special rights. Use a higher port, for example 5514.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'EAFNOSUPPORT':
    case 'ERR_SOCKET_BAD_PORT':
      return make(
        'port.bad-address',
        `${what} is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all networks.`,
      );
    default:
      return make('port.failed', `${what} cannot be listened on: ${errorText(error)}.`);
  }
}

/** A file that could not be read for a while. */
export const readableNotice = (path: string): InputNotice => ({ level: 'info', code: 'file.readable', text: `${path} can be read again.` });

/** More files wait to be read than are held open. */
export function notHeldNotice(input: string, most: number, follow: boolean): InputNotice {
  const why = follow ? 'What is removed before that is lost. Raise the limit on open files (ulimit -n), or read fewer files.' : '';
  const text = `Input ${input} holds ${most} files open; the others are opened when those are read. ${why}`.trimEnd();
  return { level: follow ? 'warning' : 'info', code: 'file.not-held', text };
}

/** The problem of a compressed file that cannot be unpacked as a whole. */
export function damagedProblem(path: string, error: unknown): InputError {
  if (error instanceof TooLargeError) {
    const text = `${path} holds ${error.message}, more than is unpacked here. What came before was read. If that is meant, unpack it first.`;
    return new InputError('file.too-large', text, { cause: error });
  }
  const text = `${path} is damaged or ends too early (${errorText(error)}). What could be unpacked was read.`;
  return new InputError('file.damaged', text, { cause: error });
}

export function encodingNotice(path: string): InputNotice {
  const text = `${path} has lines that are not UTF-8: they are read as windows-1252. Convert the file (iconv) if characters look wrong.`;
  return { level: 'warning', code: 'file.encoding', text };
}

/** Something of a framed stream that is no message, or none that may be taken. */
export function damagedStreamNotice(source: string, problem: string): InputNotice {
  const text = `${source} has ${problem}. This part is skipped. Check the program that writes it.`;
  return { level: 'warning', code: 'stream.damaged', text };
}

/** A number of bytes, in KiB or MiB where it is a whole number of them. */
export function bytesText(bytes: number): string {
  if (bytes % (1 << 20) === 0) return `${bytes >> 20} MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}

/** `limit`: bytes. */
export function truncatedNotice(source: string, limit: number): InputNotice {
  const size = bytesText(limit);
  const text = `${source} has records longer than ${size}: only their first ${size} are read. Check how the source is split into records.`;
  return { level: 'warning', code: 'record.truncated', text };
}
