import type { SectionData } from '../../config/toml-write.ts';
import { EngineError } from '../../base/errors.ts';
import { findProgram } from '../../inputs/process/find-program.ts';
import type { TypedTarget } from './typed-target.ts';

export type RemoteTarget = TypedTarget & { readonly kind: 'remote' };

/** No question may be asked where nobody can answer it, and a machine that is gone is noticed. */
const OPTIONS = ['BatchMode=yes', 'ConnectTimeout=15', 'ServerAliveInterval=15', 'ServerAliveCountMax=3'];

/**
 * The section of a file of another machine: the system's ssh runs `tail -F` there. ssh gets its arguments one by one, without a shell; the path is quoted
 * for the shell of the other machine.
 * @throws {EngineError} `program.missing`
 */
export function remoteSection({ host, path }: RemoteTarget, search?: string): SectionData {
  const ssh = findProgram('ssh', search);
  if (ssh === null)
    throw new EngineError(
      'program.missing',
      'ssh was not found. Install it (the package openssh-client), or mount the folder of the other machine.',
    );
  const options = OPTIONS.flatMap((option) => ['-o', option]);
  return {
    type: 'ProcessInput',
    ticker_interval: 0,
    splitter: 'line',
    stderr: true,
    can_exit: true,
    command: {
      0: { bin: 'ssh', args: ['-T', ...options, '--', host.replace(/\[(.*)\]$/, '$1'), `exec tail -n +1 -F -- ${quotedPath(path)}`] },
    },
  };
}

/** A free name for the section of a file of another machine. */
export function remoteName({ host, path }: RemoteTarget, taken: (name: string) => boolean): string {
  return freeName(`${host}:${path}`, taken);
}

/** A name that is not taken: with a number, if need be. */
export function freeName(stem: string, taken: (name: string) => boolean): string {
  for (let i = 1; ; i++) {
    const name = i === 1 ? stem : `${stem} ${i}`;
    if (!taken(name)) return name;
  }
}

/** Quoted for a POSIX shell; `~` and `~user` at the beginning stay outside. */
function quotedPath(path: string): string {
  const home = /^~[\w-]*(?=\/|$)/.exec(path)?.[0] ?? '';
  return `${home}'${path.slice(home.length).replaceAll("'", String.raw`'\''`)}'`;
}
