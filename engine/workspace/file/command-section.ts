import { basename } from 'node:path';
import type { SectionData } from '../../config/toml-write.ts';

/** What the sections are named by that hold typed commands. */
export const COMMAND_PREFIX = 'command_';

/** The section of a command line that somebody typed. It runs once, in a shell, and both of its outputs are shown. */
export function commandSection(line: string, directory: string | undefined): SectionData {
  const command =
    process.platform === 'win32' ? { bin: 'cmd.exe', args: ['/d', '/s', '/c', line] } : { bin: '/bin/sh', args: ['-c', line] };
  return {
    ...{ type: 'ProcessInput', ticker_interval: 0, splitter: 'line', stderr: true, can_exit: true },
    command: { 0: { ...command, ...(directory === undefined ? {} : { directory }) } },
  };
}

/** A name for that section that is not taken: the program's. */
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
