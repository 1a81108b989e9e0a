import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { instrument, ScriptSyntaxError } from '../../../../engine/sandbox/host/instrument.ts';

/** Runs instrumented code with a counter; the value and the steps, or the reason of the end. */
function run(source: string, limit = 1_000_000): { value: unknown; steps: number } | string {
  const { code } = instrument(source, 'classic');
  const counter = `let $__n = ${limit}; const $__t = () => { throw 'exhausted'; }; const $__c = (n) => { if (($__n -= n) < 0) $__t(); return $__n; };`;
  try {
    return runInNewContext(`${counter}\nconst value = (() => eval(${JSON.stringify(code)}))();\n({ value, steps: ${limit} - $__n })`) as {
      value: unknown;
      steps: number;
    };
  } catch (error) {
    return String(error);
  }
}

describe('instrumented code gives the same value', () => {
  const programs: readonly (readonly [source: string, value: unknown, steps: number])[] = [
    ['1 + 1', 2, 0],
    ['let n = 0; for (let i = 0; i < 5; i++) n += i; n', 10, 5],
    ['let n = 0; for (;;) if (++n > 3) break; n', 4, 4],
    ['let n = 0; while (n < 3) n++; n', 3, 3],
    ['let n = 0; do n++; while (n < 3); n', 3, 3],
    ['let n = 0; for (const k in { a: 1, b: 2 }) n++; n', 2, 2],
    ['let n = 0; for (const k of [1, 2, 3]) { n += k; } n', 6, 3],
    ['let n = 0; a: for (;;) { for (;;) { if (n++ > 2) break a; continue a; } } n', 4, 8],
    ['(function () { for (let i = 0; i < 100; i++); return 7; })()', 7, 101],
    ['(function () { let n = 0; for (let i = 0; i < 1000; i++) n++\n return n })()', 1000, 1001],
    ['(function () { "use strict"\n return this === undefined })()', true, 1],
    ['(function () { "use strict"; "other"; return this })()', undefined, 1],
    ['(() => 5)()', 5, 1],
    ['(() => ({ a: 5 }))().a', 5, 1],
    ['(() =>\n// comment\n5)()', 5, 1],
    ['(() => (1, 2))()', 2, 1],
    ['((a) => (b) => (c) => a + b + c)(1)(2)(3)', 6, 3],
    ['((a = () => 4) => a())()', 4, 2],
    ['[1, 2, 3].map((n) => n * 2).join()', '2,4,6', 3],
    ['(function f(n) { return n === 0 ? 0 : 1 + f(n - 1) })(5)', 5, 6],
    ['(function () { for (const a of [1, 2]) return a; })()', 1, 2],
    ['(function () { for (const a of [1, 2]) if (a > 1) return a; else continue; return 9; })()', 2, 3],
    ['(function () { if (1) return 5; else return 6 })()', 5, 1],
    ['(function () { for (;;) try { return 1 } finally { return 2 } })()', 2, 2],
    ['class A { x = (() => 3)(); static { for (let i = 0; i < 2; i++); } get y() { return this.x; } } new A().y', 3, 4],
    ['function* g() { for (let i = 0; i < 3; i++) yield i; } [...g()].join()', '0,1,2', 4],
    ['switch (1) { case 1: for (let i = 0; i < 2; i++); }', undefined, 2],
    ['function leaf(c) { return c === 32; } let n = 0; for (let i = 0; i < 3; i++) if (leaf(32)) n++; n', 3, 3],
    ['function leaf(c) { return c + 1; } [1, 2].map(leaf).join()', '2,3', 2],
    ['function f() { return g(); } function g() { return 1; } f()', 1, 1],
    ['function f(n) { return n < 1 ? 0 : f(n - 1); } f(3)', 0, 4],
    ['var o = { m() { return 1; }, get p() { return 2; }, f: function () { return 3; } }; o.m() + o.p + o.f()', 6, 3],
    ['`${(() => 1)()}`', '1', 1],
    ...[0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 71, 200].flatMap((turns) => loopsOf(turns)),
    ['(function (n) { while (n > 0) try { n--; } finally { n--; } return n; })(7)', -1, 5],
    ['(function (n) { a: for (let i = 0; i < 3; i++) { while (n < 5) n++; continue a; } return n; })(0)', 5, 9],
    ['(function (s) { let n = 0; while (s[n] !== "//") n++; return n; })(["a", "//"])', 1, 2],
    ['(function (n) { while (n) n-- // down\n; return n; })(20)', 0, 21],
    ['(function (n) { while (n) { n-- /* down */ } return n; })(20)', 0, 21],
    [
      '(function (n) { let f = []; for (let i = 0; i < n; i++) f.push(() => i); return f.map((g) => g()).join(""); })(12)',
      '01234567891011',
      37,
    ],
    ['(function* (n) { while (n > 0) yield n--; })(3).next().value', 3, 2],
    ['(function (n) { for (; n > 0; ) n--\n return n })(10)', 0, 11],
    // The language's additions for web browsers.
    ['(function () { if (true) function inner() { return 1; } label: function other() {} return inner() })()', 1, 1],
    ['(function () { var n = 0; for (var i = (n++, 0) in { a: 1 }) n++; return n + i })()', '2a', 2],
    ['1 <!-- 2\n--> 3', 1, 0],
    ['(function () { for (var i = 0; i < 3; i++) l: if (i) continue; return i })()', 3, 4],
    ['(function () { a: { for (;;) { break a } } return 1 })()', 1, 2],
    ['(function () { a: b: for (;;) { try { continue a } finally { break b } } return 1 })()', 1, 2],
    ['(function () { do try { continue } finally { 1 } while (0); return 1 })()', 1, 2],
    ['(function () { for (const x of [1]) switch (x) { case 1: continue; default: throw 1 } return 2 })()', 2, 2],
    ['((a, b = () => a, { c = b() } = {}) => { var a = 2; return b() + c })(1)', 2, 3],
    ['(function (a = () => arguments.length) { return a() })()', 0, 2],
    [
      '(function f() { return new.target === f })() || new (class { constructor() { return { t: new.target !== undefined } } })().t',
      true,
      2,
    ],
    ['((t) => t`a${1}b`)((s, ...v) => s.raw.join() + v)', 'a,b1', 2],
    ['(() => async => async)()(7)', 7, 2],
    ['(() => /=>/.source)()', '=>', 1],
    ['(a => /* => */ ({ b: a }))(3).b', 3, 1],
    ['var yield_ = function* () { const x = yield* [1, 2]; return x }; [...yield_()].join()', '1,2', 1],
    ['class B { static #n = 0; static { for (const i of [1, 2]) B.#n += i } static get n() { return this.#n } } B.n', 3, 3],
    ['class C { accessor = 1; static async = 2; get = 3; static = 4 } new C().accessor + C.async + new C().get + new C().static', 10, 0],
    ['(function () { "use strict"\n/* c */; let n = 0; while (n < 9) n++; return [n, this] + "" })()', '9,', 10],
    ['(() => { try { null.x } catch { for (const a of "ab") if (a > "a") return a } finally { 1 } })()', 'b', 3],
    ['var o = { get a() { return 1 }, set a(v) {}, *b() { yield 2 }, ["c" + 1]() { return 3 } }; o.a + [...o.b()][0] + o.c1()', 6, 3],
    ['(function () { let f; for (let i = 0, g = () => i; i < 3; i++) f ??= g; return f() })()', 0, 5],
    ['(function () { for (let [a = 1, ...b] = [, 2, 3]; b.length; b.pop()); return 1 })()', 1, 3],
    ['(function () { outer: for (const a of [1, 2]) for (const b of [1, 2]) { if (b > 1) continue outer; } return 1 })()', 1, 7],
    ['(function (n) { for (let i = 0, k = 9; i < k; i++, k--) n += i; return n; })(0)', 10, 6],
  ];

  /** Loops of so many rounds, in the forms that are unrolled; each returns the number of rounds. */
  function loopsOf(turns: number): [string, unknown, number][] {
    const made = (body: string): [string, unknown, number] => [
      `(function (n) { let i = 0; ${body} return i; })(${turns})`,
      turns,
      turns + 1,
    ];
    return [
      made('while (i < n) i++;'),
      made('while (i < n) { i++; }'),
      made('while (i < n) { i++ }'),
      made('for (let k = 0; k < n; k++) i++;'),
      made('for (; i < n; i++);'),
      made('for (; i < n; i++) { if (i > n) i = 0; else if (i < 0) { i = 0 } }'),
      made('while (i < n && i >= 0 && [i].length === 1) i = i + 1;'),
    ];
  }

  test.each(programs)('%s', (source, value, steps) => {
    expect(run(source)).toEqual({ value, steps });
  });

  test('and ends when the steps are used up', () => {
    for (const source of ['for (;;);', '(function () { for (;;); })()', '(() => { for (;;) try { (() => 1)(); } catch {} })()']) {
      expect(run(source, 1000)).toBe('exhausted');
    }
  });
});

test('turns that an error ends are counted as far as they were done together', () => {
  const source = '(function (n) { try { while (true) { if (n < 0) null.x; n--; } } catch { return n; } })(100)';
  expect(run(source)).toMatchObject({ value: -1 });
  expect((run(source) as { steps: number }).steps).toBeGreaterThan(90);
});

test('lines stay, and columns are found again', () => {
  const source = 'function f(a) {\n  for (const b of a)\n    if (b) return () => b.c.d;\n}\n';
  const { code, original } = instrument(source);
  const lines = code.split('\n');
  expect(lines).toHaveLength(source.split('\n').length);
  for (const [i, line] of source.split('\n').entries()) {
    for (const word of ['const', 'if (b)', 'return () ', 'b.c', 'for (']) {
      const at = line.indexOf(word);
      if (at >= 0) expect(original(i + 1, (lines[i] as string).indexOf(word) + 1)).toEqual({ line: i + 1, column: at + 1 });
    }
  }
});

describe('the form of a script', () => {
  test.each([
    ['var a = 1', 'classic'],
    ['export const a = 1', 'module'],
    ['import "./a.js"', 'module'],
    ['delete a.b; var let_ = arguments', 'classic'],
  ])('%s', (source, form) => {
    expect(instrument(source).form).toBe(form);
  });
});

test.each([
  ['let $__n', 'reserved'],
  ['a.$__x', 'reserved'],
  ['class A { #$__p }', 'reserved'],
  ['with (a) b', 'with statements'],
  ['import("a")', 'dynamic imports'],
  ['export default import.meta', 'import.meta'],
  ['async () => 1', 'async functions'],
  ['export default await 1', 'await'],
  ['({ async *m() {} })', 'async functions'],
  ['1 +', 'Unexpected token'],
  ['@a class A {}', 'decorators are not available'],
  ['\\u0024__n', 'reserved'],
  ['({ $\\u{5f}_t: 1 })', 'reserved'],
  ['class A { async *#m() {} }', 'async functions'],
  ['export {}; for await (const a of b);', 'for await'],
])('%s is refused', (source, reason) => {
  expect(() => instrument(source)).toThrow(reason);
});

test('any text is instrumented or refused with a place', () => {
  const piece = fc.constantFrom(
    ...'for while do if else return ( ) { } [ ] => = ; , . a b c 1 "x" `${ } ` function class async yield try catch finally \n /'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      try {
        const { code } = instrument(pieces.join(' '));
        instrument(code.replaceAll('$__', '__'));
      } catch (error) {
        expect(error).toBeInstanceOf(ScriptSyntaxError);
      }
    }),
    { numRuns: 2000 },
  );
});
