import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cuts, initialState, type Outlook } from '../../../../engine/inputs/splitter.ts';
import { RegexSplitter } from '../../../../engine/inputs/splitters/regex.ts';
import { recordText } from '../../../../engine/inputs/text.ts';

/** The records of bytes, and how many of them are used up. */
function cut(splitter: RegexSplitter, bytes: Buffer, outlook: Outlook = 'end'): { records: string[]; starts: number[]; used: number } {
  const [cuts, state] = [new Cuts(), initialState()];
  const [records, starts]: [string[], number[]] = [[], []];
  let at = 0;
  while (at < bytes.length) {
    const to = splitter.cut(bytes, at, outlook, state, cuts);
    if (to === at) break;
    at = to;
    const { values } = recordText(bytes, cuts);
    records.push(...Array.from(values.starts, (start, i) => values.text.slice(start, values.ends[i])));
    starts.push(...cuts.starts.slice(0, cuts.count));
  }
  return { records, starts, used: at };
}
const records = (pattern: string, text: string, eol = true, max = 1000): string[] =>
  cut(new RegexSplitter(pattern, eol, max), Buffer.from(text)).records;

describe('RegexSplitter', () => {
  it.each<[pattern: string, eol: boolean, text: string, records: string[]]>([
    ['\\n', true, 'a\nb\n', ['a', 'b']],
    ['(\\n)', true, 'a\nb\nc', ['a\n', 'b\n', 'c']],
    ['\\n(#)', false, '#a\n#b\nc\n#d', ['#a', '#b\nc', '#d']],
    [';+', true, 'a;;b;', ['a', 'b']],
    ['\\n(#)', false, '\0\0#a\n\0\0#b\0\nc\n\0\0\0', ['#a', '#b\nc\n']],
    ['\\n', true, '\n\na\n', ['a']],
    ['x', true, 'no delimiter', ['no delimiter']],
    ['\\n', true, 'é\n😀\n', ['é', '😀']],
  ])('%s %s %j', (pattern, eol, text, expected) => expect(records(pattern, text, eol)).toEqual(expected));

  it('waits for the rest of a record', () => {
    const splitter = new RegexSplitter('\\n', true, 1000);
    expect(cut(splitter, Buffer.from('a\nb'), 'more')).toEqual({ records: ['a'], starts: [0], used: 2 });
    expect(cut(splitter, Buffer.from('a\n'), 'more').used).toBe(0);
    expect(cut(splitter, Buffer.concat([Buffer.from('a\nb'), Buffer.of(0xc3)]), 'more').used).toBe(2);
  });

  it('knows the first bytes of records', () => {
    const { starts, used } = cut(new RegexSplitter('\\n', true, 1000), Buffer.from('é\n€\nb\n'));
    expect([starts, used]).toEqual([[0, 3, 7], 9]);
  });

  it('cuts records that are too long, once', () => {
    expect(records('\\n', `${'x'.repeat(5000)}\nb\n`, true, 10)).toEqual(['x'.repeat(10), 'b']);
  });

  it('gives the same records however the bytes come', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '\n', '\r\n', '😀'), { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat(20), (whole, at) => {
        const bytes = Buffer.from(whole);
        const splitter = new RegexSplitter('\\r?\\n', true, 1000);
        const first = cut(splitter, bytes.subarray(0, at), 'more');
        const rest = cut(splitter, bytes.subarray(first.used));
        expect([...first.records, ...rest.records]).toEqual(cut(splitter, bytes).records);
      }),
    );
  });
});
