import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../engine/api/commands.ts';
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

  it('finds by an older name', () => {
    const found = (typed: string): string[] =>
      fuzzyFilter(typed, COMMANDS, ({ group, title, also = [] }) => [`${group}: ${title}`, ...also]).map(({ title }) => title);
    expect(found('Graphs')[0]).toBe('Charts');
    expect(found('Plugins')[0]).toBe('Scripts');
    expect(found('Items')[0]).toBe('Frequent items');
    expect(found('Schema')[0]).toBe('Schema');
    expect(found('Patterns')[0]).toBe('Patterns');
    expect(found('Add a filter')[0]).toBe('Add a script…');
  });

  it('puts beginnings of words first', () => {
    const titles = ['Close all files', 'Show the log format', 'Open files…'];
    expect(fuzzyFilter('of', titles, (title) => [title])[0]).toBe('Open files…');
    expect(fuzzyFilter('', titles, (title) => [title])).toEqual(titles);
  });
});
