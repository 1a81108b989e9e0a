/** A kind of work, and how the samples of it are known: by the function, and by the library or memory that holds it. */
interface Kind {
  readonly name: string;
  readonly holds: (symbol: string, library: string) => boolean;
}

/** The first one that holds a sample counts it. Code that was compiled at run time lies in no file. */
const KINDS: readonly Kind[] = [
  { name: 'kernel', holds: (_, library) => /kernel|vmlinux/.test(library) },
  {
    name: 'compiled code of scripts and engine',
    holds: (_, library) => /^(?:\/\/anon|\[unknown\]|\[JIT\].*|.*perf-\d+\.map)$/.test(library),
  },
  { name: 'copies (memmove, memset, memcpy)', holds: (symbol) => /^_*(?:memmove|memset|memcpy)/.test(symbol) },
  { name: 'compilers', holds: (symbol) => /compiler::|turboshaft|Turbo|Maglev|maglev|Zone\b/.test(symbol) },
  { name: 'garbage collection', holds: (symbol) => /Mark|Sweep|Scaveng|Heap|GC|Evacu|MemoryChunk/.test(symbol) },
  { name: 'parsing of sources', holds: (symbol) => /Scanner|Parser|Bytecode|interpreter|Preparse|Ast[A-Z]/.test(symbol) },
  { name: "V8's built-in functions", holds: (symbol) => symbol.startsWith('Builtins_') },
];
const OTHER = 'other native code';

/** A line of `perf script -F period,ip,sym,dso`. */
const SAMPLE = /^\s*(\d+)\s+[0-9a-f]+\s+(.*)\s+\(([^()]*)\)$/;

/** The share of each kind of work in samples, in percent, the largest first. @param text as `perf script -F period,ip,sym,dso` prints them */
export function sharesOf(text: string): readonly (readonly [kind: string, percent: number])[] {
  const periods = new Map<string, number>();
  let total = 0;
  for (const line of text.split('\n')) {
    const [, period, symbol = '', library = ''] = SAMPLE.exec(line) ?? [];
    if (period === undefined) continue;
    const kind = KINDS.find(({ holds }) => holds(symbol, library))?.name ?? OTHER;
    periods.set(kind, (periods.get(kind) ?? 0) + Number(period));
    total += Number(period);
  }
  return [...periods].map(([kind, period]) => [kind, (100 * period) / total] as const).sort(([, a], [, b]) => b - a);
}
