import { runInNewContext } from 'node:vm';
import { parse } from 'acorn';
import { expect, it } from 'vitest';
import { furtherRounds } from '../../../../engine/sandbox/host/unroll.ts';

function rounds(text: string): string | null {
  const [loop] = parse(text, { ecmaVersion: 'latest' }).body;
  return furtherRounds(loop as never, text);
}

it.each([
  ['while (a < b) a++;', ';if($__l>2){R}', 'if(!(a < b))break;--$__l;a++;;'],
  ['for (; a < b; a += 2) f(a);', ';if($__l>2){R}', 'a += 2;if(!(a < b))break;--$__l;f(a);;'],
  ['while (a) { b(); c(); }', ';if($__l>2){R}', 'if(!(a))break;--$__l;b();;c();;'],
])('%s', (text, form, round) => expect(rounds(text)).toBe(form.replace('R', round.repeat(3))));

it.each([
  ['no condition', 'for (;;) a++;'],
  ['another kind of loop', 'do a++; while (a < b);'],
  ['left from within', 'while (a) { if (b) break; }'],
  ['a function', 'while (a) b = () => 1;'],
  ['a declaration', 'while (a) { let b = 1; }'],
  ['a loop within', 'while (a) while (b) c++;'],
  ['a comment', 'while (a) { b /* c */ ++; }'],
  ['over two lines', 'while (a) { b +=\n1; }'],
  ['too long', `while (a) b = ${'c'.repeat(100)};`],
])('not with %s', (_what, text) => expect(rounds(text)).toBeNull());

it('does the same rounds as the loop', () => {
  const loop = 'while (i < n) { sum += i; i++; }';
  const unrolled = `while (i < n) { $__l--; sum += i; i++; ${rounds(loop) ?? ''} }`;
  const run = (code: string, n: number): unknown => runInNewContext(`let i = 0, sum = 0, $__l = 100; ${code} String([i, sum])`, { n });
  for (let n = 0; n < 12; n++) expect(run(unrolled, n)).toEqual(run(loop, n));
});
