import { describe, expect, it } from 'vitest';
import { isErrorCode } from '../../../engine/api/errors.ts';
import {
  bytesText,
  damagedProblem,
  directoryProblem,
  errorText,
  fileProblem,
  InputError,
  portProblem,
  retriedFileProblem,
  specialFileProblem,
  truncatedNotice,
} from '../../../engine/inputs/notices.ts';

const systemError = (code: string): Error => Object.assign(new Error(`${code}: said`), { code });

describe('problems of files', () => {
  it.each<[code: string, problem: string, words: string]>([
    ['ENOENT', 'file.missing', '/a does not exist'],
    ['ENOTDIR', 'file.missing', '/a does not exist'],
    ['EACCES', 'file.denied', '/a may not be read'],
    ['EPERM', 'file.denied', '/a may not be read'],
    ['ELOOP', 'file.link-loop', 'leads back to itself'],
    ['EISDIR', 'file.directory', '/a/*.log'],
    ['EMFILE', 'file.too-many-open', 'too many files are open'],
    ['EIO', 'file.unreadable', '/a cannot be read: EIO: said.'],
  ])('%s is %s', (code, problem, words) => {
    const error = fileProblem('/a', systemError(code));
    expect([error.code, isErrorCode(error.code)]).toEqual([problem, true]);
    expect(error.message).toContain(words);
    if (code !== 'EISDIR') expect(error.cause).toMatchObject({ code });
  });

  it('are told as notices', () => {
    const error = specialFileProblem('/dev/x');
    expect(error.toNotice()).toEqual({ level: 'error', code: 'file.special', text: error.message });
    expect(fileProblem('/a', error)).toBe(error);
    expect(fileProblem('', systemError('ENOENT')).message).toContain('is empty');
    expect(directoryProblem('/a/').message).toContain('/a/*.log');
    expect(damagedProblem('/a.gz', new Error('bad')).message).toContain('(bad)');
  });

  it('say that they are tried again where that may help', () => {
    expect(retriedFileProblem('/a', systemError('EIO')).message).toMatch(/It is tried again\.$/);
    expect(retriedFileProblem('/a', systemError('ENOENT')).message).not.toMatch(/tried again/);
  });
});

it.each<[code: string, problem: string]>([
  ['EADDRINUSE', 'port.in-use'],
  ['EACCES', 'port.denied'],
  ['EADDRNOTAVAIL', 'port.bad-address'],
  ['ENOTFOUND', 'port.bad-address'],
  ['ERR_SOCKET_BAD_PORT', 'port.bad-address'],
  ['EIO', 'port.failed'],
])('%s of a port is %s', (code, problem) => {
  const error = portProblem('udp', '127.0.0.1:514', systemError(code));
  expect(error).toBeInstanceOf(InputError);
  expect(error.code).toBe(problem);
  expect(error.message).toMatch(/^udp 127\.0\.0\.1:514 /);
});

it.each<[bytes: number, text: string]>([
  [1 << 20, '1 MiB'],
  [3 << 20, '3 MiB'],
  [65_536, '64 KiB'],
  [1000, '1000 bytes'],
])('%i bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
  expect(truncatedNotice('a', bytes).text).toContain(`only their first ${text} are read`);
});

it('what is thrown is told by its message', () => expect([errorText(new Error('x')), errorText('y')]).toEqual(['x', 'y']));
