import { basename } from 'node:path';
import type { InputEnd } from '../types.ts';
import type { ChainResult, CommandOptions } from './command-chain.ts';

/** The exit status of ssh when it could not connect, or lost its connection: ssh(1). */
const SSH_FAILED = 255;

/** The end of commands that have run once. */
export function commandEnd({ status, signal, complaint }: ChainResult, commands: readonly CommandOptions[]): InputEnd {
  const { bin, args } = commands.at(-1) as CommandOptions;
  if (signal !== null) return { status: null, signal, reason: `${bin} was ended by ${signal}.` };
  if (status === 0) return { status, signal, reason: null };
  const isSsh = status === SSH_FAILED && basename(bin) === 'ssh';
  const why = isSsh ? `${sentence(lastLine(complaint))}${sshAdvice(args)}` : lastLine(complaint);
  const what = `${bin} ended with status ${status}`;
  return why === '' ? { status, signal, reason: `${what}.` } : { status, signal, reason: `${what}: ${why}`, why };
}

/** The last line that says something: programs put what matters there, behind warnings or a trace. */
const lastLine = (text: string): string =>
  text
    .trimEnd()
    .split(/[\r\n]+/)
    .at(-1) ?? '';

/** A line in front of another sentence. */
const sentence = (line: string): string => (line === '' ? '' : `${line.replace(/[.:]?$/, '.')} `);

/** ssh may ask nothing where nobody answers. */
function sshAdvice(args: readonly string[]): string {
  const host = args[args.indexOf('--') + 1] ?? '';
  const command = args.includes('--') && host !== '' ? `ssh ${host}` : 'it';
  return `Run ${command} once in a terminal: there it can ask for a password, and whether the key of the host is right.`;
}
