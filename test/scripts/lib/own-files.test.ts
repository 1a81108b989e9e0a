import { existsSync } from 'node:fs';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { OWN_FILES } from '../../../scripts/lib/own-files.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';

const lint = new ESLint({ cwd: inRoot('.'), ruleFilter: ({ ruleId }) => ruleId === 'files/opens-with-care' });

/** The lines with an opening that may wait. */
async function lines(text: string, filePath: string): Promise<number[]> {
  const [result] = await lint.lintText(text, { filePath: inRoot(filePath) });
  return (result?.messages ?? []).map(({ line }) => line);
}

describe('files', () => {
  it('that open others on their own are there', () => {
    expect(Object.keys(OWN_FILES).filter((path) => !existsSync(inRoot(path)))).toEqual([]);
  });

  it('are opened by the helpers', async () => {
    const text = [
      `import { readFileSync, openSync as other, statSync } from 'node:fs';`,
      `import { constants, open, readFile } from 'node:fs/promises';`,
      `import * as all from 'node:fs';`,
      `readFileSync('a');`,
      `other('a', 'r');`,
      `for (const read of [readFile]) await read('a');`,
      `const { open: third } = await import('node:fs/promises');`,
      `statSync('a');`,
      `open('a', 'wx', 0o600);`,
      `open('a', constants.O_WRONLY | constants.O_NONBLOCK);`,
      `open('a', constants.O_RDONLY | constants.O_NONBLOCK);`,
    ].join('\n');
    expect(await lines(text, 'engine/base/errors.ts')).toEqual([3, 4, 5, 6, 7, 11]);
    expect(await lines(text, 'electron/main/menu.ts')).toEqual([3, 4, 5, 6, 7, 11]);
    expect(await lines(text, 'engine/base/files/regular-file.ts')).toEqual([]);
  });
});
