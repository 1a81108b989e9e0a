import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signOfRules, watchRules } from '../../../engine/rules/watch.ts';
import { until } from '../../until.ts';

it('tells of files of rules that are written, added and removed, once for each time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-rules-'));
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep', 'a.yml'), 'a');
  let changes = 0;
  const watch = watchRules([folder], await signOfRules([folder]), () => changes++);
  try {
    const steps = [
      () => writeFileSync(join(folder, 'deep', 'a.yml'), 'changed'),
      () => writeFileSync(join(folder, 'b.yaml'), 'b'),
      () => rmSync(join(folder, 'deep'), { recursive: true }),
    ];
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const [i, step] of steps.entries()) {
      step();
      await until(() => Promise.resolve(changes === i + 1), `change ${i + 1}`);
    }
    writeFileSync(join(folder, 'notes.txt'), 'no rule');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(changes).toBe(3);
  } finally {
    watch.close();
  }
});
