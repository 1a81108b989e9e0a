import { expect, test } from 'vitest';
import { LineOutput, type LineForm } from '../../../../engine/cli/search/line-output.ts';
import type { LineSearch } from '../../../../engine/search/line-search.ts';

interface Answer {
  readonly printed: string;
  readonly lines: readonly string[];
  readonly sums: readonly string[];
}

/** Searches two files: in the first ripgrep prints these pieces, in the other nothing. */
async function answerOf(form: LineForm, pieces: readonly string[]): Promise<Answer> {
  let printed = '';
  const print = (bytes: Uint8Array): Promise<void> => {
    printed += Buffer.from(bytes).toString();
    return Promise.resolve();
  };
  const output = new LineOutput(form, { print, more: [], names: true, direct: false } as unknown as LineSearch, true);
  const lines: string[] = [];
  const none = form === 'count' ? ['0\n'] : [];
  for (const [file, written] of [
    ['a.log', pieces],
    ['b.log', none],
  ] as const) {
    const run = async (search: LineSearch): Promise<boolean> => {
      for (const piece of written) await search.print(Buffer.from(piece));
      return file === 'a.log';
    };
    lines.push((await output.of(file, true, run)).line);
  }
  return { printed, lines, sums: output.sums };
}

const FILES = ['1 files contained matches', '2 files searched'];

test.each<[LineForm, string[], Answer]>([
  ['lines', ['one\ntwo\n'], { printed: 'one\ntwo\n', lines: ['', ''], sums: ['2 matched lines', ...FILES] }],
  // A return and its line end may come in two pieces.
  ['matches', ['on\r', '\ntw\r\n'], { printed: 'on\ntw\n', lines: ['', ''], sums: ['2 matches', ...FILES] }],
  ['count', ['7\n'], { printed: '', lines: ['a.log:7\n', 'b.log:0\n'], sums: ['7 matched lines', ...FILES] }],
  ['files', ['7\n'], { printed: '', lines: ['a.log\n', ''], sums: ['7 matched lines', ...FILES] }],
])('the form %s', async (form, pieces, expected) => {
  expect(await answerOf(form, pieces)).toEqual(expected);
});
