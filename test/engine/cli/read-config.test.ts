/** `read_config` of a parameter that is not set: its declared default, in scripts of every kind and in every way that a command starts them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sluicebox } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-defaults-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): void => writeFileSync(at(name), text);

/** Each passes on `said`: a number that is not set, and a text that has no default. */
const BODIES = {
  input: 'inject_message({ Type: "in", Payload: said });',
  decoder: 'inject_message({ Type: "decoded", Payload: said });',
  filter: 'inject_payload("txt", "said", said);',
  encoder: 'inject_payload("txt", "", read_message("Type"), " ", read_message("Payload"), " ", said, "\\n");',
  output: 'write_output(read_message("Type"), " ", read_message("Payload"), " ", said, "\\n");',
} as const;
type Kind = keyof typeof BODIES;
const KINDS = Object.keys(BODIES) as Kind[];

const metaOf = (kind: Kind): string => `export const meta = { name: 'own', kind: '${kind}', summary: '', parameters: {
  limit: { type: 'uint', summary: '', default: 7, minimum: 2 },
  word: { type: 'string', summary: '' },
} };
`;
const CODE = `const said = JSON.stringify([read_config('limit'), read_config('word')]);
function process_message() { BODY return 0; }`;
const scriptOf = (kind: Kind): string => CODE.replace('BODY', () => BODIES[kind]);

const MESSAGE = '{"Type":"t","Payload":"x"}\n';

beforeAll(() => {
  for (const kind of KINDS) {
    put(`${kind}.js`, metaOf(kind) + scriptOf(kind).replace('function', 'export function'));
    put(`bare_${kind}.js`, scriptOf(kind));
  }
});

describe('read_config', () => {
  it.each(KINDS)('in a script that is an own %s', async (kind) => {
    const run = (script: string, ...settings: string[]) =>
      sluicebox(['sandbox', at(script), ...settings, '-'], kind === 'decoder' || kind === 'input' ? 'x\n' : MESSAGE);
    const said = (text: string): unknown =>
      expect.stringContaining(kind === 'encoder' || kind === 'output' ? text : JSON.stringify(text).slice(1, -1));
    expect(await run(`${kind}.js`)).toMatchObject({ code: 0, out: said('[7,null]') });
    expect(await run(`${kind}.js`, '-s', 'limit=9', '-s', 'word=w')).toMatchObject({ code: 0, out: said('[9,"w"]') });
    expect(await run(`bare_${kind}.js`, '--type', kind)).toMatchObject({ code: 0, out: said('[null,null]') });
    expect(await run(`${kind}.js`, '-s', 'limit=1')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('from 2 on, not 1') });
  });

  it.each([
    ['decode', 'decoder', 'x\n', '[7,null]'],
    ['filter', 'filter', MESSAGE, '[7,null]'],
    ['encode', 'encoder', MESSAGE, 't x [7,null]'],
  ] as const)('in a script that sluicebox %s runs', async (command, kind, input, said) => {
    const { code, out, err } = await sluicebox([command, at(`${kind}.js`)], input);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replaceAll('\\', '')).toContain(said);
  });

  it('in the tests of a script', async () => {
    put(
      'encoder.test.json',
      JSON.stringify([
        { title: 'default', in: { Type: 't', Payload: 'x' }, out: 't x [7,null]\n' },
        { title: 'set', config: { limit: 8 }, in: { Type: 't', Payload: 'x' }, out: 't x [8,null]\n' },
        { title: 'beyond', config: { limit: 1 }, in: 'x', fails: 'own: parameter limit must be a whole number from 2 on, not 1' },
      ]),
    );
    const { out } = await sluicebox(['sandbox', at('encoder.js'), '--test']);
    expect(out).toBe('1..3\nok 1 - default\nok 2 - set\nok 3 - beyond\n');
  });
});

describe('a configuration', () => {
  const pipeline = (more = ''): string => `[svcd]
log_flags = 0
[in]
type = "SandboxInput"
filename = "input.js"
[lines]
type = "FileInput"
paths = [${JSON.stringify(at('a.log'))}]
decoder = "decoder"
[decoder]
type = "SandboxDecoder"
filename = "decoder.js"
${more}
[filter]
type = "SandboxFilter"
filename = "filter.js"
message_matcher = "Type == 'decoded'"
[encoder]
type = "SandboxEncoder"
filename = "encoder.js"
[log]
type = "LogOutput"
encoder = "encoder"
message_matcher = "Type =~ /^(in|decoded|svc.sandbox-output)$/"
[to]
type = "SandboxOutput"
filename = "output.js"
message_matcher = "Type == 'decoded'"
[to.target]
type = "FileOutput"
path = ${JSON.stringify(at('to.txt'))}
`;
  const LINE = 'decoded [7,null] [7,null]\n';

  it('gives the scripts of its sections their defaults', async () => {
    put('a.log', 'x\n');
    put('p.toml', pipeline());
    const { code, out, err } = await sluicebox(['run', at('p.toml'), '--until-idle'], '', { SLUICEBOX_DATA: at('data') });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').sort()).toEqual(['', LINE.trim(), 'in [7,null] [7,null]', 'svc.sandbox-output [7,null] [7,null]']);
    expect(readFileSync(at('to.txt'), 'utf8')).toBe(LINE);
  });

  it('gives them so in its tests', async () => {
    put('t.toml', `${pipeline()}[[tests]]\ntitle = "t"\ninput = "lines"\nin = ["x"]\noutput = "to"\nout = ["decoded [7,null] [7,null]"]\n`);
    const { out } = await sluicebox(['check', '--test', at('t.toml')]);
    expect(out).toContain('ok 1 - t');
    expect(out).not.toContain('not ok');
  });

  it.each(['check', 'run'])('is refused by %s with all that is wrong with a section, and its place', async (command) => {
    put('wrong.toml', pipeline('[decoder.config]\nlimit = 1\nword = true\nwrod = "x"'));
    const { code, err, out } = await sluicebox([command, at('wrong.toml')]);
    expect(code).toBe(1);
    const text = out + err;
    expect(text).toMatch(/:\d+: \[decoder\] config\.limit: must be a whole number from 2 on, not 1\n/);
    expect(text).toMatch(/:\d+: \[decoder\] config\.word: must be a text, not true\n/);
    expect(text).toMatch(/:\d+: \[decoder\] config\.wrod: is unknown \(did you mean word\?\)/);
  });
});
