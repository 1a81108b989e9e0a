import { basename } from 'node:path';
import type { SectionData } from '../../config/toml-write.ts';

/** Prefix of the names of sections that hold typed commands. */
export const COMMAND_PREFIX = 'command_';

/** The section for a typed command line. The command runs once, in a shell; its standard output and error are both shown. */
export function commandSection(line: string, directory: string | undefined): SectionData {
  const command =
    process.platform === 'win32' ? { bin: 'cmd.exe', args: ['/d', '/s', '/c', line] } : { bin: '/bin/sh', args: ['-c', line] };
  return {
    type: 'ProcessInput',
    ticker_interval: 0,
    splitter: 'line',
    stderr: true,
    can_exit: true,
    command: { 0: { ...command, ...(directory === undefined ? {} : { directory }) } },
  };
}

/** A free name for the section of a command line, made from the name of its program. */
export function commandName(line: string, taken: (name: string) => boolean): string {
  const words = line.trim().split(/\s+/);
  const program = words.find((word) => !/^\w+=/.test(word) && word !== 'sudo') ?? 'command';
  const stem = `${COMMAND_PREFIX}${basename(program)
    .replaceAll(/[^\w-]+/g, '_')
    .slice(0, 40)}`;
  for (let i = 1; ; i++) {
    const name = i === 1 ? stem : `${stem}_${i}`;
    if (!taken(name)) return name;
  }
}
