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
    expect(launchArguments(argv, '/home/me', packaged).files).toEqual(
      files.map((file) => (file === '-' ? file : resolve('/home/me', file))),
    );
  });
});
