import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { stripTypes } from '../../../../engine/base/text/strip-types.ts';
import { packedScript } from '../../../../engine/workspace/named/packed-script.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-packed-'));
afterAll(() => rmSync(folder, { recursive: true }));

function script(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

it('is one file with what the script imports by paths', async () => {
  script('lib.ts', 'export const KEY: string = "a key";');
  const packed = await packedScript(
    script('uses.ts', "import { KEY } from './lib.ts';\nexport const process_message = (): string => KEY;"),
  );
  expect(packed).toContain('a key');
  expect(packed).not.toMatch(/from '\.\//);
});

it('is the script alone when what it imports brings the compiler of types down, which goes on in this process', async () => {
  script('deep.ts', `export const a = 1;\n${'if (1) '.repeat(100_000)};`);
  const text = "import { a } from './deep.ts';\nexport const b = a;";
  expect(await packedScript(script('good.ts', text))).toBe(text);
  expect(stripTypes('const x: number = 1;')).toBe('const x         = 1;');
});
