import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKS } from '../../../bench/anchors/works.ts';
import { isInstalled } from '../../../bench/installed.ts';
import { readOptions } from '../../../bench/options.ts';

const BENCH = resolve(import.meta.dirname, '../../../scripts/bench.mjs');

async function bench(...args: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const child = spawn(process.execPath, [BENCH, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

describe.skipIf(process.platform === 'win32')('npm run bench', () => {
  it('reads the same lines with every program that is installed, and says which are not', async () => {
    const { code, out, err } = await bench('anchors', '--lines', '500', '--rounds', '1');
    // A busy machine may hold a script up for seconds, which is said.
    expect(err.split('\n').filter((line) => line !== '' && !/ holds (?:nothing )?up /.test(line))).toEqual([]);
    expect(code).toBe(0);
    const there = WORKS.filter(({ tool }) => tool === null || isInstalled(tool));
    const lines = out.split('\n').filter((line) => / µs\/line {2}[\d.]+ s, [\d,]+ lines\/s/.test(line));
    expect(lines).toHaveLength(there.length);
    expect(lines.map((line, i) => line.startsWith(`  ${there[i]?.task}: `) && line.includes(`, ${there[i]?.what} `))).not.toContain(false);
    const missing = new Set(WORKS.filter((work) => !there.includes(work)).map(({ tool }) => tool));
    const [, names = '', packages = ''] = /Left out, as not installed: (.*)\. To install: apt-get install (.*)/.exec(out) ?? [];
    for (const tool of missing) {
      expect(names).toContain(tool?.name);
      expect(packages).toContain(tool?.packages.join(' '));
    }
  });

  it('names its benchmarks, and what it does not know', async () => {
    expect((await bench('--help')).out).toMatch(/--lines N .*\n[\s\S]*\n {2}anchors +The same generated logs/);
    expect(await bench('nothing')).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no benchmark nothing. There are: ') as string,
    });
    expect(() => readOptions(['anchors', '--lines', 'many'])).toThrow('--lines is a whole number from 1 on, not "many"');
  });
});
