import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { instrument } from '../../../../engine/sandbox/host/instrument.ts';
import { randomProgram } from '../random-program.ts';

const helpers = `
  const trace = [];
  const t = (value) => { if (trace.length > 20000) throw 'too much'; trace.push(typeof value === 'function' ? 'function' : String(value)); return value; };
  const tag = (strings, ...values) => strings.join('|') + values.join();
  const throw0 = (f) => { try { f(); } catch (e) { t('thrown ' + e); } };`;

/** The trace of a program, and how it ended; instrumented code counts into \`steps\`. */
function traceOf(code: string, limit = 1e9): { trace: string; steps: number } {
  const counter = `let $__n = ${limit}; const $__t = () => { throw 'exhausted'; }; const $__c = (n) => { if (($__n -= n) < 0) $__t(); return $__n; };`;
  const run = `let end = 'done'; try { (function () {\n${code}\n})(); } catch (e) { end = String(e); }`;
  return runInNewContext(`${counter}${helpers}${run}; ({ trace: trace.join('\\n') + '\\n' + end, steps: ${limit} - $__n })`) as ReturnType<
    typeof traceOf
  >;
}

const COUNT = 300;

test('random programs do the same with a counter as without one, in the same number of steps each time', () => {
  let counted = 0;
  let done = 0;
  for (let seed = 1; seed <= COUNT; seed++) {
    const source = randomProgram(seed);
    const plain = traceOf(source);
    const { code } = instrument(`(function () {\n${source}\n})()`, 'classic');
    const first = traceOf(`return ${code}`);
    expect(first.trace, source).toBe(plain.trace);
    expect(traceOf(`return ${code}`).steps, source).toBe(first.steps);
    // As many steps as it takes are enough, and one less is not: then the counter goes below zero.
    expect(traceOf(`return ${code}`, first.steps), source).toEqual(first);
    if (first.steps > 0) expect(traceOf(`return ${code}`, first.steps - 1).steps, source).toBeGreaterThanOrEqual(first.steps);
    counted += first.steps;
    if (plain.trace.endsWith('done')) done++;
  }
  expect(counted).toBeGreaterThan(COUNT * 5);
  expect(done).toBeGreaterThan(COUNT / 2);
});
