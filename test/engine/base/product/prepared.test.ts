import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { withoutTypes } from '../../../../engine/base/product/prepared.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'sluicebox-prepared-'));
const compiled = join(folder, 'compiled');
const line = join(folder, 'one.json');
writeFileSync(line, '{"Payload":"hello"}\n');
/** A script of the user's own, which runs in a host; bundled ones run in the process of the command. */
const encoder = join(folder, 'payload.ts');
const SCRIPT = `
import { stringConfig } from 'config';
const end = stringConfig('end', '\\n');
export function process_message(): number {
  inject_payload('txt', '', String(read_message('Payload')) + end);
  return 0;
}
`;
writeFileSync(encoder, SCRIPT);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Encodes a message in a process of its own and a host, which keeps what it prepares unless it is told otherwise. */
function encode(more: NodeJS.ProcessEnv = {}): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'engine/cli/main.ts'), 'encode', encoder, line],
    {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...more },
      encoding: 'utf8',
    },
  );
  return stdout + stderr;
}

function kept(): string[] {
  const [version] = readdirSync(compiled);
  return readdirSync(join(compiled, version as string, 'sluicebox')).map((name) => join(compiled, version as string, 'sluicebox', name));
}

describe('what is prepared', () => {
  it('is made once, and does the same at the next start', () => {
    const first = encode();
    expect(first).toContain('hello');
    const made = kept();
    const names = made.map((path) => path.replace(/^.*[\\/](\w+)-[0-9a-f]{16,64}/, '$1'));
    const ofEngine = ['host.files', 'host.mjs', 'instrumented.json', 'prelude.files', 'prelude.js', 'script.js'];
    expect(new Set(names)).toEqual(new Set([...ofEngine, 'instrumented_typed.json']));
    const changing = /"Uuid":"[^"]*"|"Timestamp":"\d+"/gi;
    expect(encode().replaceAll(changing, '')).toBe(first.replaceAll(changing, ''));
    expect(kept()).toEqual(made);
  });

  it('is made anew when what it was made from has changed, and what is old goes', () => {
    const old = kept().find((path) => path.includes('host-')) as string;
    const older = old.replace(/-[0-9a-f]{16}\./, `-${'0'.repeat(16)}.`);
    writeFileSync(older, '');
    const before = new Date(statSync(old).mtimeMs - 40 * 24 * 3600 * 1000);
    utimesSync(older, before, before);
    rmSync(old);
    expect(encode()).toContain('hello');
    expect(kept()).toContain(old);
    expect(kept()).not.toContain(older);
  });

  it('does the same where nothing is kept, and hosts run from their sources', () => {
    const changing = /"Uuid":"[^"]*"|"Timestamp":"\d+"/gi;
    const before = kept();
    const out = encode({ NODE_COMPILE_CACHE: join(folder, 'unused'), NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(out.replaceAll(changing, '')).toBe(encode().replaceAll(changing, ''));
    expect([kept(), existsSync(join(folder, 'unused'))]).toEqual([before, false]);
  });

  const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
    'is empty': (path) => truncateSync(path),
    'ends too early': (path) => truncateSync(path, statSync(path).size >> 1),
    'is full of zeros': (path) => writeFileSync(path, new Uint8Array(statSync(path).size)),
    'has a block of zeros': (path) => writeFileSync(path, readFileSync(path).fill(0, 512, Math.min(1024, statSync(path).size))),
    'holds something else': (path) => writeFileSync(path, 'nothing'),
  };
  it.each(Object.entries(DAMAGES))('is made anew where it %s', (_, damage) => {
    const whole = kept().map((path) => readFileSync(path, 'latin1'));
    for (const path of kept()) damage(path);
    expect(encode()).toContain('hello');
    expect(kept().map((path) => readFileSync(path, 'latin1'))).toEqual(whole);
  });

  it('is done without where something else is in its place', () => {
    for (const path of kept()) {
      rmSync(path);
      mkdirSync(path);
    }
    expect(encode()).toContain('hello');
    for (const path of kept()) rmSync(path, { recursive: true });
  });

  it('is made of the files that it leads to, and of no others', () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, name)) as [string, string, string];
    const script = join(folder, 'prepare.ts');
    writeFileSync(
      script,
      `
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { preparedBy } from ${JSON.stringify(pathToFileURL(join(root, 'engine/base/product/prepared.ts')).href)};
const [first, second, third] = ${JSON.stringify([first, second, third])};
let made = 0;
const make = () => {
  made++;
  const files = existsSync(second) ? readFileSync(second, 'utf8').split(' ').filter(existsSync) : [];
  return { text: files.join('+'), files: files.length > 0 ? [second, ...files] : [] };
};
const steps: [() => unknown, number][] = [
  [() => writeFileSync(first, ''), 1],
  [() => undefined, 1],
  [() => writeFileSync(first, second), 2],
  [() => process.chdir('/'), 2],
  [() => (writeFileSync(second, first), writeFileSync(first, second + '.')), 3],
  [() => writeFileSync(third, 'unknown yet'), 3],
  [() => writeFileSync(second, third), 4],
  [() => writeFileSync(third, 'known'), 5],
  [() => undefined, 5],
  [() => rmSync(third), 6],
];
for (const [step, count] of steps) {
  step();
  const { text } = preparedBy('text.txt', [pathToFileURL(first)], make);
  console.log(made === count && text === make().text, made--);
}
`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'steps') },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.split('\n').filter((line) => !line.startsWith('true'))).toEqual(['']);
  });

  it('is a script without its types, or the error of what is none', () => {
    expect(withoutTypes('const x: number = 1;')).toBe('const x         = 1;');
    expect(() => withoutTypes('const x: = 1;')).toThrow(SyntaxError);
  });
});
