import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const text = (name: string, value: string) => ({ name, value: [value] });

/** Files of this machine, where it has them. */
function realFiles(): [decoder: string, path: string, field: string][] {
  const files: [string, string, string][] = [
    ['linux_loadavg', '/proc/loadavg', 'NumProcesses'],
    ['linux_memstats', '/proc/meminfo', 'MemTotal'],
    ['linux_procstat', '/proc/stat', 'cpu'],
  ];
  for (const disk of directory('/sys/block')) files.push(['linux_diskstats', `/sys/block/${disk}/stat`, 'ReadsCompleted']);
  return files.filter(([, path]) => content(path) !== null);
}

function directory(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function content(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

test.each(realFiles())('%s decodes %s', (name, path, field) => {
  expect(decoder(name)(content(path) as string, [text('FilePath', path)])).toHaveProperty(field);
});
