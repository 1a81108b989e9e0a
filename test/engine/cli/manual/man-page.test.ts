import { expect, it } from 'vitest';
import { manPage } from '../../../../engine/cli/manual/man-page.ts';

const help = `Usage: sluicebox ask FILE

Asks. Of .hidden files and \\d, too:

.hidden is a name.

  -q                        says nothing
`;

it('writes man(7) macros, and escapes what roff would take for its own', () => {
  expect(manPage('1.2.3', [{ name: 'ask', summary: 'ask a file', help }]).split('\n')).toEqual(
    expect.arrayContaining([
      '.TH SLUICEBOX 1 "" "Sluicebox 1.2.3" "User Commands"',
      '.SS ask \\- ask a file',
      '.B sluicebox ask FILE',
      'Asks. Of .hidden files and \\ed, too:',
      '\\&.hidden is a name.',
      '.TP',
      '.B \\-q',
      'says nothing',
    ]),
  );
});
