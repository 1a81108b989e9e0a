import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findPlugin, kindOfScript } from '../../../engine/plugins/catalog.ts';
import { readMeta } from '../../../engine/plugins/meta.ts';
import { UserScripts } from '../../../engine/plugins/user-scripts.ts';
import { sluicebox } from '../cli/run-cli.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sluicebox-meta-')));
const scripts = join(root, 'scripts');
const at = (name: string): string => join(scripts, name);

function write(name: string, text: string): string {
  const path = at(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A decoder whose parameter has a constant as its default, and prints what `read_config` gives it. */
const decoder = (above: string, value = 'KEY'): string => `${above}
export const meta = { name: 'x', kind: 'decoder', summary: '', parameters: { key: { type: 'string', summary: '', default: ${value} } } };
export function process_message() { inject_message({ Payload: String(read_config('key')) }); return 0; }
`;

const SECRET = `export const KEY = 'secret';`;

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(scripts, { recursive: true });
  writeFileSync(join(root, 'config.js'), SECRET);
});

const defaultOf = (path: string): unknown => findPlugin('decoder', path).meta?.parameters['key']?.default;

describe('constants of a meta', () => {
  it.each([
    ['beside the script', `import { KEY } from './config.js';`, `export const KEY = 'own';`],
    ['below the script, without its ending', `import { KEY } from './a/config';`, `export const KEY = 'own';`],
    ['under another name', `import { type T, A as KEY } from "./config.ts";`, `const B: string = 'own' as const;\nexport { B as A };`],
    ['behind comments', `/* a */ import /* b */ {\n  KEY, // c\n} from './config.js'`, `// '\nexport const KEY = 'own';`],
    [
      'behind an import without names',
      `import './a.js';\nimport * as all from './b.js';\nimport { KEY } from './config.js';`,
      `export const KEY = 'own';`,
    ],
  ])('may be %s', (_, above, text) => {
    for (const name of ['config.js', 'config.ts', 'a/config.ts']) write(name, text);
    expect(defaultOf(write('x.ts', decoder(above)))).toBe('own');
  });

  it('may be passed on by a file in between', () => {
    write('b.ts', `export const KEY = 'own';`);
    write('a.ts', `export { KEY } from './b.ts';`);
    expect(defaultOf(write('x.ts', decoder(`import { KEY } from './a.ts';`)))).toBe('own');
  });

  it('may stand behind regular expressions, templates and types', () => {
    const above = `const quote = /["'\`]/; const t = \`\${{ a: '}' }.a} \n const KEY = 1;\`;\nlet n: number | undefined; const half = n! / 2; const rest: Map<string, { a: 1 }> = new Map(); // /\nconst KEY: string = 'own';`;
    expect(defaultOf(write('x.ts', decoder(above)))).toBe('own');
    expect(defaultOf(write('y.ts', decoder('const A = { b: 7 as number, c: [1] satisfies number[] } as const; const KEY = "own"')))).toBe(
      'own',
    );
    expect(defaultOf(write('z.ts', decoder('', `'own' as Exclude<string, 'a'>[]`.replace(`, 'a'`, ', never'))))).toBe('own');
  });

  it.each<[string, string, string]>([
    ['above the script', `import { KEY } from '../config.js';`, "which is outside of the script's folder"],
    [
      'above the script, on a way through its folder',
      `import { KEY } from './a/../../config.js';`,
      "which is outside of the script's folder",
    ],
    ['at an absolute path', `import { KEY } from '${join(root, 'config.js')}';`, "only files in the script's folder are read"],
    ['in a module', `import { KEY } from 'config';`, "only files in the script's folder are read"],
    ['behind a link', `import { KEY } from './link.js';`, "which is outside of the script's folder"],
    ['behind a link to a folder', `import { KEY } from './up/config.js';`, "which is outside of the script's folder"],
    ['in a pipe', `import { KEY } from './pipe.js';`, 'which cannot be read: it is a pipe, not a regular file'],
    ['in an endless device', `import { KEY } from './zero.js';`, 'which cannot be read: it is a device, not a regular file'],
    ['in a folder', `import { KEY } from './dir.js';`, 'which is no file'],
    ['in a large file', `import { KEY } from './large.js';`, 'which cannot be read: it is too large'],
    ['in a file that is no script', `import { KEY } from './key.txt';`, 'which is not a script'],
    ['nowhere', `import { KEY } from './none.js';`, 'which is no file'],
    ['not exported', `import { KEY } from './private.js';`, 'which exports no constant of that name'],
    ['only in a comment of another file', `import { KEY } from './comment.js';`, 'which exports no constant of that name'],
    ['passed on in a circle', `import { KEY } from './circle-a.js';`, 'which passes it on in a circle'],
    ['too many files away', `import { KEY } from './far-0.js';`, 'files that import each other are followed for 16 steps'],
  ])('must not be %s', (_, above, why) => {
    symlinkSync(join(root, 'config.js'), at('link.js'));
    symlinkSync(root, at('up'));
    symlinkSync('/dev/zero', at('zero.js'));
    execFileSync('mkfifo', [at('pipe.js')]);
    mkdirSync(at('dir.js'));
    write('large.js', `${SECRET}\n//${' '.repeat(1 << 20)}`);
    write('key.txt', SECRET);
    write('private.js', `const KEY = 'secret';`);
    write('comment.js', `/*\n${SECRET}\n*/\nconst text = \`\n${SECRET}\n\`;`);
    write('circle-a.js', `export { KEY } from './circle-b.js';`);
    write('circle-b.js', `export { KEY } from './circle-a.js';`);
    for (let i = 0; i < 20; i++)
      write(`far-${i}.js`, `import { K${i + 1} } from './far-${i + 1}.js';\nexport const ${i === 0 ? 'KEY' : `K${i}`} = K${i + 1};`);
    const path = write('x.js', decoder(`\n\n${above}`));
    const error = expect.objectContaining({ code: 'plugin.meta', message: expect.stringContaining(why) as string });
    expect(() => findPlugin('decoder', path)).toThrow(error);
    expect(() => kindOfScript(path)).toThrow(error);
    expect(() => findPlugin('decoder', path)).toThrow(
      /\.js:[13]: K\w+ is imported from '.*', .*: write the constant into the script itself$/s,
    );
  });

  it('must not name each other', () => {
    write('a.js', `import { B } from './b.js';\nexport const KEY = B;`);
    write('b.js', `import { KEY } from './a.js';\nexport const B = KEY;`);
    expect(() => defaultOf(write('x.js', decoder(`import { KEY } from './a.js';`)))).toThrow('or its constants name each other');
  });

  it.each([
    ['a comment', `// import { KEY } from './config.js';`],
    ['a comment of some lines', `/*\nimport { KEY } from './config.js';\n*/`],
    ['a text', `const text = "\\\nimport { KEY } from './config.js';";`],
    ['a template', `const text = \`\nimport { KEY } from './config.js';\n\`;`],
    ['a function', `function f() { const KEY = 'secret'; }`],
    ['a call', `import('./config.js');\n({ KEY });`],
  ])('are not taken from %s', (_, above) => {
    write('config.js', SECRET);
    const path = write('x.js', decoder(above));
    expect(() => findPlugin('decoder', path)).toThrow(
      `x.js:${above.split('\n').length + 1}: KEY is neither a literal nor a constant of this file`,
    );
  });

  it('are not taken from files when a text is read that is none', () => {
    write('config.js', SECRET);
    const text = decoder(`import { KEY } from './config.js';`);
    expect(() => readMeta(text, at('draft.js'))).toThrow('is read without other files: write the constant into the script itself');
    expect(readMeta(decoder(`const KEY = 'own';`), at('draft.js'))?.parameters['key']?.default).toBe('own');
  });

  it('are found without a look at what stands behind them', () => {
    write('y.ts', 'export const KEY = "own";\nfunction (');
    expect(defaultOf(write('x.ts', `${decoder(`import { KEY } from './y.ts';`)}\nenum A { B }\n "`))).toBe('own');
  });

  it.each(['(', '[', '!', '-', '1+', '`${', 'a?', '{a:'])('that nest %s without end are an error', (open) => {
    expect(() => readMeta(`export const meta = { name: ${open.repeat(100_000)}`, 'x.ts')).not.toThrow(RangeError);
    expect(readMeta(`export const meta = { name: ${open.repeat(100_000)}`, 'x.ts')).toBeNull();
  });
});

it.each([
  ["kind: 'decodr',", /^x\.ts:3(?::\d+)?: meta is not valid: kind must be .*; did you mean decoder\?$/],
  ['kind: 7,', /^x\.ts:3(?::\d+)?: meta is not valid: kind must be one of [a-z, ]+$/],
  [
    "kind: 'decoder', parameters: { a: { type: 'strin', summary: '' } },",
    /^x\.ts:3(?::\d+)?: .*parameter a needs .*; did you mean string\?$/,
  ],
  ["kind: 'decoder', split: { befor: 'x' },", /^x\.ts:3(?::\d+)?: .*split\.befor is not known; did you mean before\?$/],
  ["kind: 'decoder', looks: [{ line: 'x' }],", /^x\.ts:3(?::\d+)?: .*looks\[0\]\.line is not known; did you mean lines\?$/],
  ["kind: 'decoder', looks: [{ form: 'colums' }],", /^x\.ts:3(?::\d+)?: .*form must be .*; did you mean columns\?$/],
])('names the line and what was meant: %s', (line, said) => {
  expect(() => readMeta(`export const meta = {\n  name: 'x', summary: '',\n  ${line}\n};`, 'x.ts')).toThrow(said);
});

describe('script files', () => {
  it('must be regular and not too large', () => {
    execFileSync('mkfifo', [at('pipe.ts')]);
    symlinkSync('/dev/zero', at('zero.ts'));
    const large = write('large.ts', ' '.repeat((8 << 20) + 1));
    for (const find of [(path: string) => findPlugin('decoder', path), kindOfScript]) {
      expect(() => find(at('pipe.ts'))).toThrow('pipe.ts cannot be read: it is a pipe, not a regular file');
      expect(() => find(at('zero.ts'))).toThrow('zero.ts cannot be read: it is a device, not a regular file');
      expect(() => find(large)).toThrow('large.ts cannot be read: it is too large: at most 8,388,608 bytes are read');
    }
  });

  it('of a folder are told once when they cannot be used', () => {
    execFileSync('mkfifo', [at('pipe.ts')]);
    symlinkSync(join(root, 'config.js'), at('out.js'));
    symlinkSync('/dev/zero', at('zero.js'));
    write('reads.ts', decoder(`import { KEY } from '../config.js';`));
    write('waits.ts', decoder(`import { KEY } from './pipe.ts';`));
    const good = write('good.ts', decoder(`const KEY = 'own';`));
    const problems: string[] = [];
    const folder = new UserScripts(scripts, 'decoder', (text) => problems.push(text));
    expect(folder.read().map(({ path }) => path)).toEqual([good]);
    expect(folder.read()).toHaveLength(1);
    expect(problems).toEqual([
      expect.stringContaining('out.js is a link that leads out of its folder'),
      expect.stringContaining('pipe.ts cannot be read: it is a pipe'),
      expect.stringContaining("reads.ts:1: KEY is imported from '../config.js', which is outside of the script's folder"),
      expect.stringContaining("waits.ts:1: KEY is imported from './pipe.ts', which cannot be read: it is a pipe"),
      expect.stringContaining('zero.js cannot be read: it is a device'),
    ]);
  });

  it.each([
    ['enum A { B }', 'x.ts:2:1: TypeScript enum is not supported'],
    [`import { a } from './none.ts';`, "x.ts:2:1: cannot find './none.ts'"],
  ])('with %s are refused by the command with the place', async (text, error) => {
    const path = write(
      'x.ts',
      `export const meta = { name: 'x', kind: 'decoder', summary: '' };\n${text}\nexport function process_message() {}`,
    );
    expect((await sluicebox(['decode', path], 'a\n')).err).toContain(error);
  });

  it('are refused by the command before they run', async () => {
    const path = write('x.ts', decoder(`// import { KEY } from '../config.js';\nimport { KEY } from '../config.js';`));
    const { code, out, err } = await sluicebox(['decode', path], 'a\n');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`x.ts:2: KEY is imported from '../config.js', which is outside of the script's folder`);
    writeFileSync(join(root, 'c.toml'), `[d]\ntype = "SandboxDecoder"\nfilename = "scripts/x.ts"\n`);
    expect((await sluicebox(['check', join(root, 'c.toml')])).out).toContain("x.ts:2: KEY is imported from '../config.js'");
  });
});
