import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timed, type Times } from './anchors/timed.ts';
import { generatedLog, type LogKind } from './logs.ts';
import { generator } from './random.ts';
import { median, progress, type Benchmark, type Figure } from './report.ts';
import { folder, root } from './samples.ts';

const SLUICEBOX = [process.execPath, join(root, 'bin', 'sluicebox')];
const RULES = 300;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Measures rules on logs beside a matcher that looks at nothing: the difference is what the rules take. */
export const rulesBenchmark: Benchmark = {
  name: 'rules',
  title: `${RULES} Sigma rules on an access log and on a syslog file`,
  async run({ lines, rounds }): Promise<Figure[]> {
    const rules = generatedRules();
    const figures: Figure[] = [];
    for (const kind of ['access', 'syslog'] as const) {
      const { path } = generatedLog(kind, lines);
      const own: Times[] = [];
      const without: Times[] = [];
      for (let round = 1; round <= rounds; round++) {
        progress(`${kind}, round ${round} of ${rounds}`);
        without.push(await timed([...SLUICEBOX, 'match', '-c', 'TRUE', path], { silent: false }));
        own.push(await timed([...SLUICEBOX, 'rules', 'run', rules, path], { silent: false }));
      }
      figures.push(figureOf(kind, lines, own, without));
    }
    return figures;
  },
};

function figureOf(kind: LogKind, lines: number, own: readonly Times[], without: readonly Times[]): Figure {
  const [all, decoding] = [own, without].map((times) => median(times.map(({ cpuSeconds }) => cpuSeconds))) as [number, number];
  return {
    what: `${lines.toLocaleString('en')} lines, ${kind}`,
    value: (all / lines) * 1e6,
    unit: 'µs/line',
    note: `${all.toFixed(2)} s of processor time, ${decoding.toFixed(2)} s without the rules`,
  };
}

/** A folder of rules: half about requests, half about lines of syslog, with several texts and fields each, as published ones have. */
function generatedRules(): string {
  const path = join(folder, 'rules');
  mkdirSync(path, { recursive: true });
  const next = generator();
  const word = (): string =>
    Array.from({ length: 5 + Math.floor(next() * 8) }, () => LETTERS[Math.floor(next() * LETTERS.length)]).join('');
  const words = (count: number): string => Array.from({ length: count }, () => `'${word()}'`).join(', ');
  for (let i = 0; i < RULES; i++) {
    const isWeb = i % 2 === 0;
    const searches = isWeb
      ? `a: { cs-uri-query|contains: [${words(6)}], cs-method: GET }\n    b: { c-useragent|startswith: [${words(4)}] }\n    c: { sc-status: 404, cs-referer|endswith: ${word()} }`
      : `a: [${words(8)}]\n    b: { message|contains|all: [${words(3)}] }\n    c: { message|re: '${word()}.*\\d+ ${word()}' }`;
    const source = isWeb ? 'category: webserver' : 'product: linux, service: syslog';
    const text = `title: Rule ${i}\nlogsource: { ${source} }\ndetection:\n    ${searches}\n    condition: 1 of them\n`;
    writeFileSync(join(path, `${i}.yml`), text);
  }
  // A command that finds nothing says so by its exit code.
  const hits = [
    "title: Bot\nlogsource: { category: webserver }\ndetection: { a: { c-useragent|contains: gardenbot, cs-uri-query|endswith: '77' }, condition: a }",
  ];
  hits.push("title: Number\nlogsource: { product: linux, service: syslog }\ndetection: { a: { message|contains: '777' }, condition: a }");
  hits.forEach((text, i) => writeFileSync(join(path, `hit-${i}.yml`), text));
  return path;
}
