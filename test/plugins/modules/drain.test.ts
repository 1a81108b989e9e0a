import { expect, test } from 'vitest';
import { Drain, type DrainState } from '../../../plugins/modules/drain.ts';

const OPTIONS = { similarity: 0.5, prefix: 1, maxPatterns: 100 };

function state(): DrainState {
  return { patterns: [], next: 1 };
}

function add(drain: Drain, line: string, time = 0): number {
  return drain.add(
    line.split(' ').filter((word) => word !== ''),
    line,
    time,
  ).id;
}

function patternsOf(lines: readonly string[], options = OPTIONS): string[] {
  const drain = new Drain(options, state());
  for (const line of lines) add(drain, line);
  return drain.state.patterns.map(({ words, count }) => `${count} ${words.join(' ')}`);
}

test.each<[title: string, lines: string[], patterns: string[]]>([
  ['the same line', ['a b', 'a b'], ['2 a b']],
  ['one word differs', ['open file x', 'open file y', 'open file z'], ['3 open file <*>']],
  ['different numbers of words', ['open x', 'open x y'], ['1 open x', '1 open x y']],
  ['different first words', ['open file x', 'close file x'], ['1 open file x', '1 close file x']],
  ['too little in common', ['job a b c', 'job d e f'], ['1 job a b c', '1 job d e f']],
  ['the most similar pattern', ['j a b c', 'j d e f', 'j d e c'], ['1 j a b c', '2 j d e <*>']],
  ['keys of values', ['req user=alice ms=<num>', 'req user=bob ms=<num>'], ['2 req user=<*> ms=<num>']],
  ['different keys', ['a=1 b=2', 'c=1 d=2'], ['1 a=1 b=2', '1 c=1 d=2']],
  ['variable first words', ['<num> jobs ran', 'sda1 jobs ran'], ['2 <*> jobs ran']],
  ['one word', ['start', 'stop', 'start'], ['2 start', '1 stop']],
  ['no words', ['', ' '], ['2 ']],
])('%s', (_title, lines, patterns) => {
  expect(patternsOf(lines)).toEqual(patterns);
});

test('without a prefix first words may vary', () => {
  expect(patternsOf(['alice logged in', 'bob logged in'], { ...OPTIONS, prefix: 0 })).toEqual(['2 <*> logged in']);
});

test.each([0.1, 0.14, 0.28, 0.3, 0.56, 0.6, 0.7, 0.9, 1])('a share of %d of the words is enough', (similarity) => {
  const line = (same: number): string =>
    Array.from({ length: 50 }, (_, i) => (i < same ? `w${'x'.repeat(i)}` : `v${'y'.repeat(i)}${same}`)).join(' ');
  const enough = Math.round(similarity * 50);
  const whole = line(50);
  expect(patternsOf([whole, line(enough)], { ...OPTIONS, similarity })).toHaveLength(1);
  expect(patternsOf([whole, line(enough - 1)], { ...OPTIONS, similarity })).toHaveLength(enough === 1 ? 1 : 2);
});

test('many first words go one way', () => {
  const lines = Array.from({ length: 150 }, (_, i) => `word${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}q same end`);
  const patterns = patternsOf(lines, { ...OPTIONS, maxPatterns: 1000 });
  expect(patterns).toHaveLength(101);
  expect(patterns.at(-1)).toBe('50 <*> same end');
});

test('times, counts and the example', () => {
  const drain = new Drain(OPTIONS, state());
  add(drain, 'open file x', 5);
  add(drain, 'open file y', 9);
  add(drain, 'open file z', 7);
  expect(drain.state.patterns).toEqual([{ id: 1, words: ['open', 'file', '<*>'], count: 3, first: 5, last: 9, example: 'open file x' }]);
});

test('those that were not seen for longest are forgotten', () => {
  const drain = new Drain({ ...OPTIONS, maxPatterns: 10 }, state());
  const line = (i: number): string => `only${'x'.repeat(i)} here`;
  for (let i = 0; i < 10; i++) add(drain, line(i), i);
  add(drain, line(0), 10);
  add(drain, line(10), 11);
  expect(drain.state.patterns.map(({ id }) => id)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(add(drain, line(0), 12)).toBe(1);
  expect(add(drain, line(1), 12)).toBe(12);
});

test('all that it knows is in its state', () => {
  const lines = ['open file x', 'open file y', 'close file x', 'job a b c', 'user=alice left'];
  const first = new Drain(OPTIONS, state());
  const ids = lines.map((line) => add(first, line));
  const second = new Drain(OPTIONS, structuredClone(first.state));
  expect(lines.map((line) => add(second, line))).toEqual(ids);
});
