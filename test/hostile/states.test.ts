import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../engine/sandbox/contract/types.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../engine/sandbox/harness.ts';

/** Long enough for what ends by itself on a machine that is at work. */
const CALL_MS = 4000;

const bench = new SandboxBench({ hosts: 1, graceMs: 300 });
afterAll(() => bench.close());
const modules = [join(import.meta.dirname, '../../plugins/modules')];

/** A neighbour on the same host, who is to notice nothing. */
const witness = bench.start(`var seen = 0; function process_message() { inject_message({ Payload: String(++seen) }); return 0; }`);
let asked = 0;

async function askWitness(): Promise<void> {
  const result = await (await witness).process(batchOf([line('')]), null);
  expect(messagesOf(result).map(({ payload }) => payload)).toEqual([`${++asked}`]);
}

const SCRIPT = `const { CircularBuffer } = require('circular_buffer');
  var graph = new CircularBuffer(3, 1, 60), list = [1, { a: 1 }], map = new Map([['k', 1]]), bytes = new Uint8Array(4), date = new Date(5), x = 1;
  function process_message() { inject_message({ Payload: 'alive' }); return 0; }`;

interface Forged {
  readonly lines: readonly string[];
  readonly block?: Uint8Array;
  readonly head?: Readonly<Record<string, unknown>>;
  /** Changes the bytes of the file at the end. */
  readonly spoil?: (bytes: Buffer) => Buffer;
}

let files = 0;
const newFile = (): string => join(bench.folder, `state-${files++}.data`);

/** A state file as somebody writes one by hand who knows the format, with a checksum that is right. */
function forge({ lines, block = new Uint8Array(0), head = {}, spoil = (bytes) => bytes }: Forged): string {
  const text = Buffer.from(lines.join('\n'), 'latin1');
  const state = { wide: false, version: null };
  const sha256 = createHash('sha256')
    .update(JSON.stringify([state.wide, state.version]))
    .update(text)
    .update(block)
    .digest('hex');
  const first = { format: 'sluicebox-state-2', ...state, text: text.byteLength, block: block.byteLength, sha256, ...head };
  const path = newFile();
  writeFileSync(path, spoil(Buffer.concat([Buffer.from(`${JSON.stringify(first)}\n`), text, block])));
  return path;
}

/** Starts a script with a state and gives it a message: `alive`, or why it did not load or ended. */
async function outcome(preservation: string, script = SCRIPT): Promise<string> {
  let sandbox: Sandbox;
  try {
    sandbox = await bench.start(script, { modules, preservation, limits: { callMs: CALL_MS } });
  } catch (error) {
    return (error as Error).message;
  }
  const result = await sandbox.process(batchOf([line('')]), null);
  await sandbox.stop();
  return result.terminated?.reason ?? messagesOf(result)[0]?.payload ?? `failed: ${result.failures[0]?.reason}`;
}

/** Ends that are in order: what was restored is harmless, or the script does not run, and its reason names the state, a limit or the script. */
const CONTAINED =
  /^alive$|its data cannot be restored: |memory_limit|time limit|is not preserved data|is damaged|cannot read the preserved data|^process_message is missing$/;

const numbered = (count: number, lineAt: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => lineAt(i));

describe('a state that was written by hand', () => {
  const variables = [
    'null',
    '5',
    '"x"',
    '{}',
    '[]',
    '[',
    '',
    '["x"]',
    '[1,2]',
    '[null,null]',
    '[[],{}]',
    '["x",{"a":1}]',
    '["x",[["o",0]]]',
  ];
  const own = [
    '["own"]',
    '["own",-5,"a",1]',
    '["own",1e9]',
    '["own","x"]',
    '["own",1,"x"]',
    '["own",1,null,null]',
    '["own",{}]',
    '["own",1e999]',
  ];
  const names = [
    '["globals","__proto__",["o",0]]',
    '["globals","constructor",["o",0],"toString",["o",0],"valueOf",1]',
    '["globals","process_message",1]',
    '["globals","process_message",["o",0],"timer_event",["o",0]]',
    '["globals","inject_message",null,"read_message",0,"write_message",1,"require",["o",0],"read_config",2]',
    '["globals","Object",1,"Array",["o",0],"JSON",2,"Symbol",3,"Map",4,"Promise",5,"Error",["o",0],"Uint8Array",7]',
    '["globals","globalThis",1,"undefined",2,"NaN",3,"Infinity",4,"this",5,"",6]',
    '["globals","Function",["o",0],"eval",["o",0],"WebAssembly",["o",0],"SharedArrayBuffer",["o",0],"Atomics",["o",0]]',
    '["globals","_PRESERVATION_VERSION",5]',
  ];
  const values = [
    ...['["o",99]', '["o",-1]', '["o",0.5]', '["o","length"]', '["o","__proto__"]', '["o",null]', '["o"]', '["o",1e999]', '["o",{}]'],
    ...[
      '["n","x"]',
      '["n",{}]',
      '["n"]',
      '["b","x"]',
      '["b",5]',
      '["b","1.5"]',
      '["b"]',
      '["s"]',
      '["s",{}]',
      '["h"]',
      '["u",5]',
      '["?"]',
      '[[]]',
      '{}',
    ],
  ];
  const objects = [
    ...['null', '5', '"list"', '{}', '[]', '[null]', '["unknown"]', '["__proto__"]', '["constructor"]', '[["list"]]', '', '['],
    ...['{"0":"list","length":4294967295}', '{"0":"object","length":1e15}', '{"0":"set","length":-1}', '["list",["x"]]', '["x"]'],
    ...[
      '["object","__proto__",["o",0]]',
      '["object","constructor",["o",0],"toString",1,"toJSON",["o",0]]',
      '["object",5,5]',
      '["object","a"]',
    ],
    ...['["object",{},{}]', '["object",["o",0],1]', '["bare","__proto__",["o",0],"then",["o",0]]', '["module","CircularBuffer",1]'],
    ...['["array",4294967295]', '["array",4294967296]', '["array",-1]', '["array",1.5]', '["array","x"]', '["array",5,"__proto__",1]'],
    ...['["array",5,"length",1e9]', '["array",1,4294967294,1]', '["array",{"valueOf":1}]', '["array"]', '["list",["o",0],["h"],["o",5]]'],
    ...['["map",["o",0],["o",0]]', '["map",1]', '["map",["s","x"],1,["h"],["h"]]', '["set",["o",0],["o",0],["h"]]', '["date",["o",0]]'],
    ...[
      '["date",1e999]',
      '["date","x"]',
      '["date"]',
      '["date",["b","5"]]',
      '["buffer",0,1e15]',
      '["buffer",-1,5]',
      '["buffer",0,4294967296]',
    ],
    ...[
      '["buffer",1e9,1e9]',
      '["buffer",0,2000000000]',
      '["buffer","x","y"]',
      '["buffer",0.5,1.5]',
      '["buffer"]',
      '["view","Uint8Array",0,0,5]',
    ],
    ...[
      '["view","constructor",0,0,5]',
      '["view","Float64Array",99,1,1e9]',
      '["view","DataView",0]',
      '["view"]',
      '["view","Array",0,0,1e9]',
    ],
    ...[
      '["class","CircularBuffer",["o",0]]',
      '["class","CircularBuffer",5]',
      '["class","Object",["o",0]]',
      '["class","__proto__",1]',
      '["class"]',
    ],
    ...[
      '["class","constructor",["o",0]]',
      '["instance","CircularBuffer","rows",1e9]',
      '["instance","Object","__proto__",["o",0]]',
      '["instance"]',
    ],
  ];

  test.each([
    ...[...variables, ...variables.map((first) => first.replace('[', '["globals",')), ...own].map(
      (first) => [first, { lines: [first, '["object","a",1]'] }] as const,
    ),
    ...names.map((first) => [first, { lines: [first, '["object","process_message",5,"length",1e9]'] }] as const),
    ...values.map((value) => [value, { lines: [`["globals","x",${value},"list",${value}]`, `["object","a",${value}]`] }] as const),
    ...objects.map((object) => [`a variable ${object}`, { lines: ['["globals","x",["o",0]]', object] }] as const),
    ...objects.map(
      (object) =>
        [
          `an object ${object}`,
          { lines: ['["globals","graph",["o",0],"list",["o",0],"map",["o",0],"bytes",["o",0],"date",["o",0]]', object] },
        ] as const,
    ),
  ])('%s', async (_what, forged) => {
    expect(await outcome(forge(forged))).toMatch(CONTAINED);
    await askWitness();
  });

  test.each<[string, () => Forged]>([
    ['lists in 100,000 lists, in one line', () => ({ lines: [`["globals","x",${'['.repeat(100_000)}${']'.repeat(100_000)}]`] })],
    [
      'an object in 100,000 objects',
      () => ({ lines: ['["globals","x",["o",0]]', ...numbered(100_000, (i) => `["object","a",["o",${i + 1}]]`), '["list"]'] }),
    ],
    [
      'what cannot be saved in 100,000 objects',
      () => ({
        lines: ['["globals","x",["o",0]]', ...numbered(100_000, (i) => `["list",["o",${i + 1}],["s","why"]]`), '["list",["s","x"]]'],
      }),
    ],
    ['objects in a circle', () => ({ lines: ['["globals","x",["o",0]]', '["map",["o",1],["o",1]]', '["set",["o",0],["o",1]]'] })],
    [
      'what cannot be saved in a circle',
      () => ({ lines: ['["globals","x",["o",0]]', '["object","a",["o",1]]', '["object","a",["o",0],"b",["s","why"]]'] }),
    ],
    ['100,000 variables', () => ({ lines: [`["globals",${numbered(100_000, (i) => `"v${i}",${i}`).join()}]`] })],
    ['a million empty lines', () => ({ lines: ['["globals","x",1]', ...numbered(1_000_000, () => '')] })],
    ['a name of five million characters', () => ({ lines: [`["globals","${'n'.repeat(5e6)}",1]`] })],
    ['a text of twenty million characters', () => ({ lines: [`["globals","x","${'t'.repeat(2e7)}"]`] })],
    ['a number of 300,000 digits', () => ({ lines: [`["globals","x",["b","${'9'.repeat(3e5)}"]]`] })],
    [
      'a hundred buffers over the same bytes',
      () => ({ lines: ['["globals","x",["o",0]]', ...numbered(100, () => '["buffer",0,1000000]')], block: new Uint8Array(1e6) }),
    ],
    ['bytes beside what it says', () => ({ lines: ['["globals","x",["o",0]]', '["buffer",0,64]'], block: new Uint8Array(8) })],
    ['texts in another width', () => ({ lines: ['["globals","x",1]'], head: { wide: true } })],
    ['lengths below zero', () => ({ lines: ['["globals","x",1]'], head: { text: -1, block: -1 } })],
    ['lengths beyond the file', () => ({ lines: ['["globals","x",1]'], head: { text: 2 ** 53 - 1, block: 2 ** 53 - 1 } })],
    ['lengths that are not numbers', () => ({ lines: ['["globals","x",1]'], head: { text: '7', block: null } })],
    ['a version that is not a number', () => ({ lines: ['["globals","x",1]'], head: { version: {} } })],
    ['another format', () => ({ lines: ['["globals","x",1]'], head: { format: 'sluicebox-state-3' } })],
    ['a checksum that is none', () => ({ lines: ['["globals","x",1]'], head: { sha256: ['x'] } })],
    ['a changed byte', () => ({ lines: ['["globals","x",1]'], spoil: (bytes) => bytes.fill(0x32, bytes.length - 2, bytes.length - 1) })],
    ['more at its end', () => ({ lines: ['["globals","x",1]'], spoil: (bytes) => Buffer.concat([bytes, Buffer.from('x')]) })],
    ['nothing at all', () => ({ lines: [], spoil: () => Buffer.alloc(0) })],
    ['nothing but zeros', () => ({ lines: [], spoil: () => Buffer.alloc(1e5) })],
    ['no line end', () => ({ lines: [], spoil: () => Buffer.alloc(1e7, '[') })],
    ['a gigabyte of nothing', () => ({ lines: ['["globals","x",1]'] })],
  ])('with %s', async (what, forged) => {
    const path = forge(forged());
    if (what.startsWith('a gigabyte')) truncateSync(path, 2 ** 30);
    expect(await outcome(path)).toMatch(CONTAINED);
    await askWitness();
  });

  test('cut off anywhere', async () => {
    const path = forge({ lines: ['["globals","x",["o",0]]', '["buffer",0,64]'], block: new Uint8Array(64) });
    const { length } = readFileSync(path);
    for (let at = 0; at < length; at += 7) {
      const cut = newFile();
      writeFileSync(cut, readFileSync(path).subarray(0, at));
      expect(await outcome(cut), `cut at ${at}`).toMatch(/is not preserved data|is damaged/);
    }
    await askWitness();
  });

  test('gives no more than a script could have had: no code, no function, and the built-in objects as they are', async () => {
    const probe = `${SCRIPT}
      process_message = function () {
        const plain = [{}, [], new Map(), () => 0].every((value) => Object.keys(Object.getPrototypeOf(value)).length === 0);
        inject_message({ Payload: [typeof x, plain, ({}).polluted, typeof inject_message, JSON.stringify([1])].join() });
        return 0;
      };`;
    const lines = [
      '["globals","__proto__",["o",0],"x",["o",0],"JSON",1,"inject_message",2]',
      '["object","__proto__",["o",1],"polluted",1]',
      '["object","polluted",1]',
    ];
    expect(await outcome(forge({ lines }), probe)).toBe('object,true,,function,[1]');
  });
});

describe('in the place of a state', () => {
  test.each<[string, (path: string) => void]>([
    ['a folder', (path) => mkdirSync(path)],
    ['a link to another file', (path) => symlinkSync('/etc/passwd', path)],
    ['a link to an endless file', (path) => symlinkSync('/dev/zero', path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ])('stands %s', async (_what, make) => {
    const path = newFile();
    make(path);
    const reason = await outcome(path);
    expect(reason).toMatch(/is not preserved data|cannot read the preserved data/);
    expect(reason).toContain(path);
    await askWitness();
    rmSync(path, { recursive: true });
  });
});

describe('a script that takes its state hostilely', () => {
  const setter = (body: string): string =>
    `Object.defineProperty(globalThis, 'x', { configurable: true, enumerable: true, get: () => 1, set(value) { ${body} } });
     function process_message() { inject_message({ Payload: 'alive' }); return 0; }`;
  const saved = (body: string): string =>
    `class Own { toSaved() { return 1; } static fromSaved() {} restore() { ${body} } }
     var x = new Own();
     function process_message() { inject_message({ Payload: 'alive' }); return 0; }`;
  const bodies: readonly [string, string, RegExp][] = [
    ['loops', 'for (;;);', /exceeded 100000000 steps|time limit/],
    ['grows', 'const a = []; for (;;) a.push(new Array(1000).fill(a.length));', /memory_limit|instruction_limit/],
    ['throws', `throw new Error('no');`, /its data cannot be restored: .*no/],
    ['throws a proxy', `throw new Proxy({}, { get() { throw 1; } });`, /its data cannot be restored|alive/],
    ['injects', `for (;;) inject_message({ Payload: 'early' });`, /its data cannot be restored|inject_message|instruction_limit/],
    ['recurses', '(function f() { f(); })();', /its data cannot be restored|call stack/],
  ];
  test.each(bodies.flatMap(([what, body, ends]) => [[`${what} in a setter`, setter(body), ends] as const]))(
    '%s',
    async (_what, script, ends) => {
      expect(await outcome(forge({ lines: ['["globals","x",5]'] }), script)).toMatch(ends);
      await askWitness();
    },
  );
  test.each(bodies.flatMap(([what, body, ends]) => [[`${what} in restore`, saved(body), ends] as const]))(
    '%s',
    async (_what, script, ends) => {
      expect(await outcome(forge({ lines: ['["globals","x",["o",0]]', '["class","Own",5]'] }), script)).toMatch(ends);
      await askWitness();
    },
  );
});
