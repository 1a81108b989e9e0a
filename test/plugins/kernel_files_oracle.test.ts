/** Statistics files of the Linux kernel, and texts that resemble them, against plain regular expressions of their layouts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoder, type Decoded } from './support/decode.ts';

const LOAD = /^(\d+\.\d+)\s(\d+\.\d+)\s(\d+\.\d+)\s(\d+)\/\d+\s\d+/;
const DISK = new RegExp(String.raw`^${String.raw`\s*(\d+)(?!\d)`.repeat(11)}\n`);
const MEMORY = /([^:]+):\s+(\d+)( kB)?\n/y;
const DISK_FIELDS = [
  ...['ReadsCompleted', 'ReadsMerged', 'SectorsRead', 'TimeReading', 'WritesCompleted', 'WritesMerged'],
  ...['SectorsWritten', 'TimeWriting', 'NumIOInProgress', 'TimeDoingIO', 'WeightedTimeDoingIO'],
];

const textOf = (pieces: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((all) => all.join(''));
const ANY = ['1', '007', '0.5', '3.', '.5', '-1', ' ', '  ', '\t', '\n', '\r\n', ' kB\n', ' MB', ':', 'Mem', 'a(b): ', 'cpu0', '1/80', 'é'];
const fields = (names: readonly string[], values: readonly string[]): Decoded =>
  Object.fromEntries(names.map((name, i) => [name, Number(values[i])]));

function load(content: string): Decoded | null {
  const found = LOAD.exec(content);
  return found && { Type: 'stats.loadavg', ...fields(['1MinAvg', '5MinAvg', '15MinAvg', 'NumProcesses'], found.slice(1)) };
}

function disk(content: string): Decoded | null {
  const found = DISK.exec(content);
  return found && { Type: 'stats.diskstats', ...fields(DISK_FIELDS, found.slice(1)) };
}

function memory(content: string): Decoded | null {
  const values = new Map<string, unknown>();
  for (MEMORY.lastIndex = 0; ;) {
    const found = MEMORY.exec(content);
    if (found === null) return values.size === 0 ? null : { Type: 'stats.memstats', ...Object.fromEntries(values) };
    const [, name = '', value, unit] = found;
    values.set(name, [Number(value), unit === undefined ? '' : 'kB']);
  }
}

const blank = fc.constantFrom(' ', ' ', '\t', '  ');
const average = fc.constantFrom('0.20', '12.00', '1.5', '1');
const loadLine = fc
  .tuple(
    average,
    blank,
    average,
    blank,
    average,
    blank,
    fc.constantFrom('1/80', '0/0', 'x/1', '1/'),
    blank,
    fc.constantFrom('1', '9\n', 'x'),
  )
  .map((parts) => parts.join(''));
const diskLine = fc
  .tuple(fc.array(fc.tuple(blank, fc.nat()), { minLength: 10, maxLength: 12 }), fc.constantFrom('\n', '\n', '', ' \n', '\nx'))
  .map(([columns, end]) => columns.flat().join('') + end);
const memoryLines = textOf(['MemTotal:', 'Active(anon): ', 'x\ny: ', ' 5', '12345678901', ' kB', '\n', ' kB\n', ' kB\n', ' MB\n'], 12);

test.each([
  ['linux_loadavg', loadLine, load],
  ['linux_diskstats', diskLine, disk],
  ['linux_memstats', memoryLines, memory],
] as const)('%s is as plain', (name, lines, plain) => {
  const decode = decoder(name);
  fc.assert(
    fc.property(fc.oneof(lines, textOf(ANY, 20)), (content) => {
      const expected = plain(content);
      if (expected === null) expect(decode(content)).toMatch(/^refused: /);
      else expect(decode(content)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
