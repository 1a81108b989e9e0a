import type { Readable, Writable } from 'node:stream';
import { endOf, SearchError, startRipgrep, wordsOf, type Pattern } from './ripgrep.ts';

/** The indexes of the texts of which a line matches, ascending. A line end at the end of a text begins no line. @throws {SearchError} */
export async function matchingTexts(pattern: Pattern, records: readonly string[]): Promise<Uint32Array> {
  if (records.length === 0) return new Uint32Array(0);
  const texts = records.map((text) => (text.endsWith('\n') ? text.slice(0, -1) : text));
  // Of a line that is found only its number is of use.
  const child = startRipgrep(pattern, ['--line-number', '--max-columns=1'], '-');
  const ended = endOf(child);
  const input = child.stdin as Writable;
  input.on('error', () => undefined).end(`${texts.join('\n')}\n`);
  const rows: number[] = [];
  let row = 0;
  let lastLine = linesOf(texts[0] as string);
  for await (const line of lineNumbers(child.stdout as Readable)) {
    while (line > lastLine) lastLine += linesOf(texts[++row] as string);
    if (rows.at(-1) !== row) rows.push(row);
  }
  const { code, complaint } = await ended;
  if (code !== 0 && code !== 1) throw new SearchError(wordsOf(complaint) || 'ripgrep has ended before its time');
  return Uint32Array.from(rows);
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

async function* lineNumbers(output: Readable): AsyncGenerator<number, void, undefined> {
  let rest = '';
  for await (const text of output.setEncoding('latin1') as AsyncIterable<string>) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) yield Number.parseInt(line, 10);
  }
}
