import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../engine/cli/commands.ts';
import { optionsOf, parseHelp } from '../../../../engine/cli/manual/help-text.ts';

const HELP = `Usage: sluicebox ask [OPTIONS] FILE
       sluicebox ask --all

Asks a file. What is
refused is told.

  sluicebox ask a.log
  sluicebox ask b.log      another

load      takes CONFIG,
          and more

  -q, --quiet               says nothing
      --from lines|json     what it is, with --key KEY
      --dir DIR[;DIR…]
                            folders that are
                            searched
`;

describe('parseHelp', () => {
  it('reads usage, paragraphs, examples and lists', () => {
    expect(parseHelp(HELP)).toEqual({
      usage: ['ask [OPTIONS] FILE', 'ask --all'],
      blocks: [
        { kind: 'paragraph', text: 'Asks a file. What is refused is told.' },
        { kind: 'example', lines: ['sluicebox ask a.log', 'sluicebox ask b.log      another'] },
        { kind: 'list', entries: [{ term: 'load', text: 'takes CONFIG, and more' }] },
        {
          kind: 'list',
          entries: [
            { term: '-q, --quiet', text: 'says nothing' },
            { term: '--from lines|json', text: 'what it is, with --key KEY' },
            { term: '--dir DIR[;DIR…]', text: 'folders that are searched' },
          ],
        },
      ],
    });
  });

  it('finds the options with their values, and those that are only named', () => {
    expect(optionsOf(parseHelp(HELP)).map(({ name, takesValue, choices }) => [name, takesValue, choices])).toEqual([
      ['-q', false, []],
      ['--quiet', false, []],
      ['--from', true, ['lines', 'json']],
      ['--dir', true, []],
      ['--key', true, []],
    ]);
  });

  it.each(Object.entries(COMMANDS))('reads the help of %s', async (name, { load }) => {
    const { help } = await load();
    const { usage, blocks } = parseHelp(help);
    expect(usage.length).toBeGreaterThan(0);
    for (const line of usage) expect(line.split(' ')[0]).toBe(name);
    // Nothing is lost on the way.
    const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
    const read = blocks.map((block) => {
      if (block.kind === 'paragraph') return block.text;
      return block.kind === 'example' ? block.lines.join(' ') : block.entries.map(({ term, text }) => `${term} ${text}`).join(' ');
    });
    expect(words(read.join(' '))).toEqual(words(help.slice(help.indexOf('\n\n'))));
  });
});
