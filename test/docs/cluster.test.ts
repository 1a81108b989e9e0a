import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sluicebox } from '../engine/cli/run-cli.ts';
import { root } from './walk.ts';

it('has examples that can be run as they stand', async () => {
  const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8');
  const examples = [...page.matchAll(/```toml\n([^]*?)```/g)].map(([, example = '']) => example);
  expect(examples.length).toBeGreaterThan(4);
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-docs-'));
  try {
    const paths = examples.map((example, i) => {
      const path = join(folder, `${i}.toml`);
      // Filters are those of the edge or the worker above.
      const input = example.includes('Input"') ? '' : examples[1];
      writeFileSync(path, `[svcd]\nbase_dir = ${JSON.stringify(folder)}\n${input}${example}`);
      return path;
    });
    const { code, out, err } = await sluicebox(['check', ...paths]);
    expect([code, out.split('\n'), err]).toEqual([0, [...paths.map((path) => `${path}: no problems`), ''], '']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
