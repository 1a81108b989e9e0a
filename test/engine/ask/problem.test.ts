import { describe, expect, it } from 'vitest';
import { plainProblem, problemOf, withPlace } from '../../../engine/ask/problem.ts';

const error = (exception_message: string, position?: number): string =>
  `Invalid Input Error: ${JSON.stringify({ exception_type: 'Catalog', exception_message, ...(position === undefined ? {} : { position: String(position) }) })}`;

describe('the mistake in a query', () => {
  it.each([
    ['words of its own', 'no', { text: 'no', at: null, error: null }],
    ['an error of the database', error('No x', 7), { text: 'Catalog Error: No x', at: 7, error: 'Catalog' }],
    ['a place behind letters beyond ASCII', error('No x', 11), { at: 10 }],
    ['advice to change settings', error('Too much\nPossible solutions:\n* Set\n'), { text: 'Catalog Error: Too much' }],
    [
      'advice to load an extension',
      error('Type "INET" is not in the catalog, but it exists in the inet extension.\n\nPlease try:\nINSTALL inet;\nLOAD inet;'),
      { text: 'Catalog Error: Type "INET" is not in the catalog, but it is of the extension inet, which a query cannot load.' },
    ],
    [
      'a table whose name is a word of SQL',
      error('syntax error at or near "y"', 20),
      {
        text: 'Catalog Error: syntax error at or near "y", which is a word of SQL: as the name of a table it stands in double quotes, "y"',
      },
    ],
    ['a word of SQL elsewhere', error('syntax error at or near "x"', 13), { text: 'Catalog Error: syntax error at or near "x"' }],
    ['damaged JSON', 'x: {"exception_type":}', { text: 'x: {"exception_type":}', error: null }],
  ])('%s', (_, message, problem) => {
    expect(problemOf(message, "SELECT 'ä', x FROM y", false)).toMatchObject(problem);
  });

  it('is shown with its line and a mark below its place', () => {
    expect(withPlace({ text: 'No x', at: 15 }, 'SELECT a,\n\tb, x\nFROM y')).toBe('No x\n\nLINE 2:  b, x\n             ^');
    expect(withPlace(plainProblem('No x'), 'SELECT x')).toBe('No x');
  });
});
