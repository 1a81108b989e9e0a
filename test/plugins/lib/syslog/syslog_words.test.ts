import { describe, expect, it } from 'vitest';
import { facilityIn, facilityWord, severityIn, severityWord } from '../../../../plugins/lib/syslog/syslog_words.ts';

describe('words of syslog', () => {
  it.each<[word: string, severity: number]>([
    ['emerg', 0],
    ['panic', 0],
    ['ALERT', 1],
    ['error', 3],
    ['err', 3],
    ['WARN', 4],
    ['warning', 4],
    ['debug', 7],
  ])('%s is severity %i', (word, severity) => {
    expect(severityWord(`.${word}<`, 1, word.length + 2)).toBe(word.length + 1);
    expect(severityIn(`.${word}<`, 1, word.length + 1)).toBe(severity);
  });

  it.each<[word: string, facility: number]>([
    ['kern', 0],
    ['auth', 4],
    ['security', 4],
    ['authpriv', 10],
    ['AUTHPRIV', 10],
    ['local0', 16],
    ['local7', 23],
  ])('%s is facility %i', (word, facility) => {
    expect(facilityWord(word, 0, word.length)).toBe(word.length);
    expect(facilityIn(word, 0, word.length)).toBe(facility);
  });

  it.each(['', 'Error', 'er', 'none', 'Kern', 'local'])('%j is none', (word) => {
    expect([severityWord(word, 0, word.length), facilityWord(word, 0, word.length)]).toEqual([-1, -1]);
  });

  it('ends where the text ends', () => expect(severityWord('warning', 0, 4)).toBe(4));
});
