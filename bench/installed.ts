import { spawnSync } from 'node:child_process';

/** A program of others that is measured beside ours. */
export interface Tool {
  readonly name: string;
  /** A command that succeeds where all that is needed is installed; the first number that it prints is the version. */
  readonly check: readonly string[];
  /** Packages of Debian that bring it. */
  readonly packages: readonly string[];
}

/** The version of a tool; null where it is not installed. */
export function installedVersion({ check: [command = '', ...args] }: Tool): string | null {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? (/\d+(?:\.\d+)+[\w-]*/.exec(`${stdout}${stderr}`)?.[0] ?? '') : null;
}

export const isInstalled = (tool: Tool): boolean => installedVersion(tool) !== null;

/** Says which tools are left out and how all of them are installed. */
export function leftOut(missing: readonly Tool[]): string {
  const names = missing.map(({ name }) => name).join(', ');
  return `Left out, as not installed: ${names}. To install: apt-get install ${missing.flatMap(({ packages }) => packages).join(' ')}`;
}

export const LUAJIT: Tool = {
  name: 'LuaJIT + LPeg',
  check: ['luajit', '-e', 'require("lpeg") print(jit.version)'],
  packages: ['luajit', 'lua-lpeg'],
};
export const LNAV: Tool = { name: 'lnav', check: ['lnav', '-V'], packages: ['lnav'] };
export const RIPGREP: Tool = { name: 'ripgrep', check: ['rg', '--version'], packages: ['ripgrep'] };
export const RSYSLOGD: Tool = { name: 'rsyslogd', check: ['rsyslogd', '-v'], packages: ['rsyslog'] };
export const GOACCESS: Tool = { name: 'goaccess', check: ['goaccess', '--version'], packages: ['goaccess'] };
export const MAWK: Tool = { name: 'mawk', check: ['mawk', '-W', 'version'], packages: ['mawk'] };
export const PERF: Tool = { name: 'perf', check: ['perf', '--version'], packages: ['linux-perf'] };
export const STRACE: Tool = { name: 'strace', check: ['strace', '--version'], packages: ['strace'] };
export const GNU_TIME: Tool = { name: 'GNU time', check: ['/usr/bin/time', '--version'], packages: ['time'] };
