import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundledScript } from '../../../../engine/sandbox/code/script-bundle.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sluicebox-bundle-')));
const at = (name: string): string => join(root, 'scripts', name);
mkdirSync(at('.'));
writeFileSync(join(root, 'secret.js'), `export const KEY = 'secret';`);
symlinkSync(join(root, 'secret.js'), at('link.js'));
symlinkSync('/dev/zero', at('zero.js'));
execFileSync('mkfifo', [at('pipe.js')]);
writeFileSync(at('types.ts'), 'export const KEY = 1;\nenum A { B }');

it.each([
  ['link.js', "link.js is outside of the script's folder"],
  ['pipe.js', 'pipe.js cannot be read: it is a pipe, not a regular file'],
  ['zero.js', 'zero.js cannot be read: it is a device, not a regular file'],
  ['types.ts', 'types.ts:2: TypeScript enum is not supported'],
])('refuses to bundle %s', (name, error) => {
  writeFileSync(at('x.js'), `import { KEY } from './${name}';\nexport const a = KEY;`);
  expect(() => bundledScript(at('x.js'))).toThrow(error);
  if (name !== 'link.js') expect(() => bundledScript(at(name))).toThrow(error);
});
