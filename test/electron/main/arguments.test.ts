import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchArguments } from '../../../electron/main/arguments.ts';

const CASES: readonly [name: string, argv: readonly string[], packaged: boolean, files: readonly string[]][] = [
  ['a package without files', ['/opt/sluicebox'], true, []],
  ['a package, files alone', ['/opt/sluicebox', 'a.log', '/var/log/b.log'], true, ['a.log', '/var/log/b.log']],
  ['a package, switches of Chromium', ['/opt/sluicebox', '--no-sandbox', 'a.log', '--lang=de'], true, ['a.log']],
  ['a package, a file named like a switch', ['/opt/sluicebox', 'a.log', '--', '--b.log'], true, ['a.log', '--b.log']],
  ['a package, standard input', ['/opt/sluicebox', '-', '--lang=de'], true, ['-']],
  ['development, standard input', ['electron', '.', '--', '-', 'a.log'], false, ['-', 'a.log']],
  ['development, the project is not a file', ['electron', '.', '--no-sandbox'], false, []],
  ['development, files behind the separator', ['electron', '.', '--', 'a.log'], false, ['a.log']],
];

describe('the command line of the shell', () => {
  it.each(CASES)('%s', (_name, argv, packaged, files) => {
    expect(launchArguments(argv, '/home/me', packaged, () => false).files).toEqual(
      files.map((file) => (file === '-' ? file : resolve('/home/me', file))),
    );
  });

  it.each<[given: readonly string[], there: readonly string[], files: readonly string[], at: { path: string; number: number } | undefined]>(
    [
      [['a.log#120'], ['a.log'], ['a.log'], { path: 'a.log', number: 120 }],
      [['a.log#120', 'a.log', 'b#1#2'], ['a.log', 'b#1'], ['a.log', 'b#1'], { path: 'b#1', number: 2 }],
      [['a.log#120'], ['a.log#120', 'a.log'], ['a.log#120'], undefined],
      [['a.log#120', 'a.log#0', 'a.log#x'], [], ['a.log#120', 'a.log#0', 'a.log#x'], undefined],
    ],
  )('%j, where there are %j', (given, there, files, at) => {
    const path = (name: string): string => resolve('/home/me', name);
    const isThere = (file: string): boolean => there.map(path).includes(file);
    const asked = launchArguments(['/opt/sluicebox', ...given], '/home/me', true, isThere);
    expect(asked).toEqual({ files: files.map(path), ...(at && { at: { ...at, path: path(at.path) } }) });
  });
});
