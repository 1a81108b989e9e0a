import { describe, expect, it } from 'vitest';
import { fuzzyFilter, fuzzyScore } from '../../../../renderer/src/frame/fuzzy.ts';

describe('fuzzy search', () => {
  it.each([
    ['', 'Anything', true],
    ['gra', 'Go to: Graphs', true],
    ['of', 'Open files…', true],
    ['xyz', 'Open files…', false],
    ['OPEN', 'Open files…', true],
    ['lo', 'l xo l', true],
  ])('%j in %j: %s', (typed, title, found) => expect(fuzzyScore(typed, title) !== null).toBe(found));

  it('puts beginnings of words first', () => {
    const titles = ['Close all files', 'Show the log format', 'Open files…'];
    expect(fuzzyFilter('of', titles, (title) => title)[0]).toBe('Open files…');
    expect(fuzzyFilter('', titles, (title) => title)).toEqual(titles);
  });
});
