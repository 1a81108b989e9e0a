import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ScriptSources } from '../../../../engine/sandbox/code/sources.ts';
import { DEFAULT_LIMITS } from '../../../../engine/sandbox/contract/types.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluicebox-sources-')));
const at = (name: string): string => join(folder, name);
const sources = (script: string): ScriptSources =>
  new ScriptSources({ kind: 'decoder', script: at(script), modules: [folder], limits: DEFAULT_LIMITS });

execFileSync('mkfifo', [at('pipe.js')]);
symlinkSync('/dev/zero', at('zero.js'));
writeFileSync(at('large.js'), ' '.repeat((8 << 20) + 1));
writeFileSync(at('x.js'), 'x');

it.each([
  ['pipe', 'it is a pipe, not a regular file'],
  ['zero', 'it is a device, not a regular file'],
  ['large', 'it is too large'],
])('does not wait for a %s, nor reads it without end', (name, why) => {
  const error = expect.stringContaining(why) as string;
  expect(sources(`${name}.js`).answer({ want: 'script' })).toEqual({ error });
  expect(sources('x.js').answer({ want: 'import', specifier: `./${name}.js`, from: at('x.js') })).toEqual({ error });
  expect(sources('x.js').answer({ want: 'module', name })).toEqual({ error });
});

it('gives a sandbox the same text when a file has changed since it was read', () => {
  writeFileSync(at('y.js'), 'before');
  const known = sources('y.js');
  const before = known.answer({ want: 'script' });
  rmSync(at('y.js'));
  symlinkSync('/dev/zero', at('y.js'));
  expect(known.answer({ want: 'script' })).toBe(before);
  expect(sources('y.js').answer({ want: 'script' })).toEqual({ error: expect.stringContaining('it is a device') as string });
});
