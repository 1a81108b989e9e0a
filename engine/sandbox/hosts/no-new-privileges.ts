import { spawnSync } from 'node:child_process';

/** Ways to start a process that can gain no rights, and that the system kills when this process dies; what knows less comes later. */
const WAYS: readonly (readonly [string, ...string[]])[] = [
  ['/usr/bin/setpriv', '--no-new-privs', '--pdeathsig', 'KILL'],
  ['/usr/bin/setpriv', '--no-new-privs'],
];

let way: readonly string[] | null = null;

/**
 * The beginning of a command line that takes from a host the way to new rights (set-user-ID programs, file capabilities), and makes the system kill it
 * when the engine dies, also in the middle of a call. Empty where there is no `setpriv` of util-linux: a host then has its other restraints alone.
 */
export function noNewPrivileges(): readonly string[] {
  if (process.platform !== 'linux') return [];
  way ??= WAYS.find(([file, ...args]) => spawnSync(file, [...args, file, '--version'], { env: {}, stdio: 'ignore' }).status === 0) ?? [];
  return way;
}
