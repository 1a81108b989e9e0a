import type { EndCode } from '../../engine/api/ends.ts';

/** Beginning of every bomb: texts of one million characters, in two bytes each and in one. */
const BEGIN = `const wide = 'ж'.repeat(1 << 20), thin = 'x'.repeat(1 << 20); let kept = [];
const flat = (text) => text.charCodeAt(7);`;

/** A script that takes much memory in one native call, or in few. */
export interface MemoryBomb {
  readonly name: string;
  readonly script: string;
  /** Where it goes off. */
  readonly at: 'load' | 'process' | 'timer';
  readonly ends: EndCode;
}

const inCall = (name: string, body: string, ends: EndCode): MemoryBomb => ({
  name,
  ends,
  at: 'process',
  script: `${BEGIN}\nfunction process_message() {\n${body}\nreturn 0; }`,
});

/** Statements that go off by themselves, by the built-in function that they use. */
const CALLS: Readonly<Record<string, string>> = {
  // Texts.
  'join of wide texts': `kept = new Array(500).fill(wide).join('-')`,
  'repeat, indexed': `flat(wide.repeat(500))`,
  'repeat in one byte': `flat(thin.repeat(500))`,
  'repeat, matched': `/y/.test(wide.repeat(300))`,
  'repeat, as a key of a map': `new Map().set(wide.repeat(300), 1)`,
  'repeat, as a name': `({})[wide.repeat(300)] = 1`,
  padStart: `flat(''.padStart(5e8, wide))`,
  'template literal': 'let a = wide; for (let i = 0; i < 8; i++) a = `${a}${a}`; flat(a)',
  'replaceAll that grows': `kept = flat('a'.repeat(400).replaceAll('a', wide))`,
  'replace by an expression': `kept = flat(thin.replace(/x/g, wide.slice(0, 200)))`,
  'replace by what was found': `kept = thin.replace(/x+/g, '$&'.repeat(400))`,
  'split into characters': `kept = thin.repeat(30).split('')`,
  'spread of a text': `kept = [...thin.repeat(30)]`,
  normalize: `kept = '\\ufdfa'.repeat(1 << 20).normalize('NFKD')`,
  toUpperCase: `kept = 'ß'.repeat(2e8).toUpperCase()`,
  toWellFormed: `kept = (wide.repeat(300) + '\\ud800').toWellFormed()`,
  encodeURIComponent: `kept = encodeURIComponent(wide.repeat(40))`,
  link: `flat(thin.link('"'.repeat(5e7)))`,
  'reason that is thrown': `throw wide.repeat(400)`,
  'text that is returned': `return [-1, wide.repeat(400)]`,
  // Lists.
  'fill of an array': `kept = new Array(3e7).fill(0)`,
  'concat of arrays': `let a = new Array(1e5).fill(0); for (let i = 0; i < 9; i++) a = a.concat(a); kept = a`,
  'array of doubles': `kept = new Array(3e7).fill(0.5)`,
  'iterator to an array': `kept = thin.repeat(30)[Symbol.iterator]().toArray()`,
  matchAll: `kept = [...thin.repeat(2).matchAll(/x/g)]`,
  'map from entries': `kept = new Map(new Array(3e5).fill(0).map((_, i) => [i, [i]])); const all = []; for (let i = 0; i < 99; i++) all.push(new Map(kept)); kept = all`,
  // Bytes.
  'array buffers': `for (;;) kept.push(new ArrayBuffer(1 << 20))`,
  'large array buffers, caught': `for (let i = 0; i < 20; i++) try { kept.push(new Uint8Array(3e6).fill(1)) } catch {} for (;;) kept.push([])`,
  'small typed arrays': `for (;;) kept.push(new Uint8Array(64).fill(1))`,
  'typed array of each kind': `for (;;) for (const Kind of [Int8Array, Uint8ClampedArray, Int16Array, Float16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array]) kept.push(new Kind(1e5))`,
  'typed array of a generator': `kept = Float64Array.from((function* () { for (let i = 0; i < 3e7; i++) yield i; })())`,
  'resizable buffer': `kept = new ArrayBuffer(0, { maxByteLength: 1e9 }); kept.resize(1e9); new Uint8Array(kept).fill(1)`,
  'resizable buffers, many': `for (;;) { const b = new ArrayBuffer(1 << 20, { maxByteLength: 1 << 24 }); new Uint8Array(b).fill(1); kept.push(b); }`,
  'resizable buffer that grows': `const b = new ArrayBuffer(0, { maxByteLength: 1e9 }); const view = new Uint8Array(b); for (let i = 1; i < 900; i++) { b.resize(i << 20); view.fill(1); }`,
  'slice of a buffer': `const b = new ArrayBuffer(1 << 20); for (;;) kept.push(b.slice(0))`,
  'transfer of a resizable buffer': `const b = new ArrayBuffer(8, { maxByteLength: 1e9 }).transfer(5e8); new Uint8Array(b).fill(1); kept = b.transferToFixedLength()`,
  'bytes as hexadecimal text': `const b = new Uint8Array(3e6); for (;;) kept.push(b.toHex?.() ?? b.join())`,
  'bytes as a list in text': `kept = new Uint8Array(3e6).fill(200).join(thin.slice(0, 100))`,
  // JSON.
  'JSON.stringify of texts': `kept = JSON.stringify(new Array(400).fill(wide))`,
  'JSON.stringify with an indent': `kept = JSON.stringify(new Array(3e5).fill([[[[[[0]]]]]]), null, '          ')`,
  'JSON.stringify of escapes': `kept = JSON.stringify(new Array(40).fill('\\u0001'.repeat(1 << 20)))`,
  'JSON.parse of a list': `kept = JSON.parse('[' + '[],'.repeat(3e6) + '[]]')`,
  // Numbers.
  'BigInt shifts': `for (;;) kept.push(1n << 1000000000n)`,
  'BigInt text': `kept = (1n << 500000000n).toString(2)`,
  'BigInt from text': `kept = BigInt('0x' + 'f'.repeat(2e8))`,
  // Expressions.
  'expression with many branches': `new RegExp('(?:' + 'ab|'.repeat(1e6) + ')').test('y')`,
  'expression with many classes': `new RegExp('[\\\\p{L}]'.repeat(3e4), 'iu').test('y')`,
  'expression that keeps its way': `/(?:x|(y))*z/.test(thin.repeat(7))`,
  // Work.
  'recursion with closures': `const f = (n, g) => { const a = new Array(200).fill(n); return n === 0 ? g : f(n - 1, () => [a, g]); }; for (;;) kept.push(f(1000, null))`,
  generators: `function* g() { const a = new Array(100).fill(0); yield a; } for (;;) { const it = g(); it.next(); kept.push(it); }`,
  'date formats': `for (;;) kept.push(new Intl.DateTimeFormat('ja', { dateStyle: 'full', timeStyle: 'full' }))`,
  collators: `for (;;) kept.push(new Intl.Collator('sv', { numeric: true }))`,
  // Functions of the sandbox.
  'inject_payload with a long name': `inject_payload('txt', wide.repeat(400), 'x')`,
  'read_message of a long name': `read_message('Fields[' + wide.repeat(400) + ']')`,
  'require of a long name': `require(wide.repeat(400))`,
};

/** Further ones that are like those: they are measured, and not tested each time. */
const FURTHER: Readonly<Record<string, string>> = {
  'fromEntries and assign': `const o = Object.fromEntries(new Array(5e4).fill(0).map((_, i) => ['k' + i, i])); for (let i = 0; i < 300; i++) kept.push({ ...o })`,
  'symbols with long names': `for (let i = 0; ; i++) kept.push(Symbol.for(i + thin.slice(0, 1e5)))`,
  'entries of an object': `kept = Object.entries(Object(thin.repeat(20)))`,
  'union of sets': `const s = new Set(new Array(1e5).keys()); for (let i = 0; i < 300; i++) kept.push(s.union(new Set()))`,
  'push of many': `const a = new Array(1e5).fill(0); for (let i = 0; i < 500; i++) kept.push(...a)`,
  'copies of an array': `const a = new Array(3e5).fill(0); for (let i = 0; i < 200; i++) kept.push(a.toReversed())`,
  'bound functions': `const a = new Array(1000).fill(0); for (;;) kept.push(function () {}.bind(null, ...a))`,
  'flatMap of arrays': `const a = new Array(1e5).fill(0); kept = new Array(500).fill(0).flatMap(() => a)`,
  'number formats': `for (;;) kept.push(new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }))`,
  'error with a long text': `kept = flat(new Error(wide.repeat(400)).stack)`,
  'String.fromCharCode': `kept = new Array(20).fill(0).map(() => String.fromCharCode.apply(null, new Uint16Array(100000)).repeat(200)).join()`,
  'String.raw': `flat(String.raw({ raw: new Array(400).fill('') }, ...new Array(400).fill(wide)))`,
  'length and splice': `const a = [1]; a.length = 3e7; kept = a.toSpliced(0, 1)`,
  'Array.from by length': `kept = Array.from({ length: 3e7 })`,
  'expression that repeats groups': `/(?:(x)(x)?)*z/.test(thin.repeat(7))`,
  'join with a long separator': `flat(new Array(500).join(wide))`,
  'toLocaleString of an array': `kept = new Array(400).fill(wide).toLocaleString()`,
  'repeat, compared': `wide.repeat(300).localeCompare(wide.repeat(299))`,
  'repeat, parsed': `parseFloat(wide.repeat(300))`,
  'repeat, searched': `wide.repeat(300).indexOf('y')`,
  'replace by a function': `kept = thin.slice(0, 400).replace(/x/g, () => wide)`,
  'split by an expression': `kept = thin.repeat(7).split(/(x)/)`,
  'concat of texts': `flat(''.concat(...new Array(500).fill(wide)))`,
  segmenters: `for (;;) kept.push(new Intl.Segmenter('th', { granularity: 'word' }).segment(wide))`,
  escape: `kept = escape(wide.repeat(40))`,
  'BigInt product': `let b = 1n << 60n; for (let i = 0; i < 24; i++) b *= b; kept = b`,
  'matches of an expression': `kept = thin.repeat(10).match(/x/g)`,
  'JSON.parse of objects': `kept = JSON.parse('[' + '{"a":{"b":[1]}},'.repeat(5e5) + '0]')`,
  padEnd: `flat(thin.padEnd(5e8, 'ab'))`,
  'flat of arrays': `kept = new Array(500).fill(new Array(1e5).fill(0)).flat()`,
  'long names': `for (let i = 0; ; i++) kept.push(Object.keys({ [i + thin.slice(0, 1e5)]: 1 }))`,
};

/** Those that another limit refuses before they take anything. */
const REFUSED: Readonly<Record<string, string>> = {
  'inject_message of a long text': `inject_message({ Payload: wide.repeat(400) })`,
  'inject_message of long fields': `inject_message({ Fields: Object.fromEntries(new Array(100).fill(0).map((_, i) => ['f' + i, wide])) })`,
  'inject_message of a long list': `inject_message({ Fields: { f: new Array(500).fill(wide) } })`,
  'inject_payload of a long text': `inject_payload('txt', 'x', wide.repeat(400))`,
  'add_to_payload of many': `for (;;) add_to_payload(...new Array(500).fill(wide))`,
};

/** Ways to ask for more than a gigabyte in one call, or in a few. */
export const MEMORY_BOMBS: readonly MemoryBomb[] = [
  ...Object.entries(CALLS).map(([name, body]) => inCall(name, body, 'limit.memory')),
  ...Object.entries(REFUSED).map(([name, body]) => inCall(name, body, 'limit.output')),
  {
    name: 'join while it loads',
    script: `${BEGIN}\nkept = new Array(500).fill(wide).join('-'); function process_message() { return 0; }`,
    at: 'load',
    ends: 'limit.memory',
  },
  {
    name: 'compile_function of much',
    script: `${BEGIN}\nfor (let i = 0; i < 10; i++) kept.push(compile_function([], 'return [' + '[],'.repeat(30000) + ']')); function process_message() { for (;;) for (const f of kept.slice(0, 10)) kept.push(f()); }`,
    at: 'process',
    ends: 'limit.memory',
  },
  {
    name: 'compile_function of a long text',
    script: `${BEGIN}\nkept = compile_function([], wide.repeat(400)); function process_message() { return 0; }`,
    at: 'load',
    ends: 'limit.memory',
  },
  {
    name: 'repeat in a tick',
    script: `${BEGIN}\nfunction process_message() { return 0; } function timer_event() { flat(wide.repeat(500)); }`,
    at: 'timer',
    ends: 'limit.memory',
  },
];

/** Those, and further ones that are like them. */
export const ALL_MEMORY_BOMBS: readonly MemoryBomb[] = [
  ...MEMORY_BOMBS,
  ...Object.entries(FURTHER).map(([name, body]) => inCall(name, body, 'limit.memory')),
];
