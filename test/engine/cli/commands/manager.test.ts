import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../ports.ts';
import { sluicebox } from '../run-cli.ts';
import { startCommand, type RunningCommand } from '../start-command.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-manager-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (...path: string[]): string => join(folder, ...path);

const COUNTER = `count = 0;
function process_message() { count++; inject_payload('txt', 'count', count, ' ', read_message('Payload')); return 0; }
`;
const FILTER = `[Counter]
type = "SandboxFilter"
filename = "counter.js"
message_matcher = "Type == 'logfile'"
preserve_data = true
`;

describe('sluicebox manager', () => {
  const read = async (...args: string[]): Promise<Record<string, unknown>> => {
    const target = at('control.pb');
    const sent = await sluicebox(['manager', ...args, target]);
    expect(sent).toMatchObject({ code: 0, out: '', err: '' });
    const [message = {}] = (await sluicebox(['cat', target])).lines();
    await rm(target);
    return message;
  };

  it('makes the message that loads a filter, with its script, and the one that unloads it', async () => {
    await writeFile(at('f.toml'), FILTER);
    await writeFile(at('counter.js'), COUNTER);
    const load = await read('load', at('f.toml'));
    expect(load).toMatchObject({ Type: 'svc.control.sandbox', Logger: 'svcd', Hostname: hostname(), Payload: COUNTER });
    expect(load.Fields).toMatchObject([
      { name: 'action', value: ['load'] },
      { name: 'config', value: [FILTER] },
    ]);
    await writeFile(at('typed.ts'), 'let n: number = 0;\nexport function process_message(): number { return n; }\n');
    const typed = await read('load', '--script', at('typed.ts'), '--type', 'my.control', '--hostname', 'box', at('f.toml'));
    expect(typed).toMatchObject({ Type: 'my.control', Hostname: 'box' });
    expect(String(typed.Payload).replaceAll(/ +/g, ' ')).toBe('let n = 0;\nexport function process_message() { return n; }\n');
    const unload = await read('unload', 'Counter');
    expect(unload).not.toHaveProperty('Payload');
    expect(unload.Fields).toMatchObject([
      { name: 'action', value: ['unload'] },
      { name: 'name', value: ['Counter'] },
    ]);
  });

  it('takes modules of the manager from --module-directory', async () => {
    await writeFile(at('f.toml'), FILTER);
    await mkdir(at('modules'));
    await writeFile(at('modules', 'lib.js'), 'exports.n = 1;');
    await writeFile(at('counter.js'), "const { n } = require('lib');\nfunction process_message() { return n; }");
    expect(await read('load', at('f.toml'), '--module-directory', at('modules'))).toMatchObject({ Type: 'svc.control.sandbox' });
  });

  it('sends a script in one piece with the files that it imports', async () => {
    await writeFile(at('f.toml'), FILTER.replace('counter.js', 'parts.ts'));
    await writeFile(
      at('words.ts'),
      'export const LOUD: RegExp = /!$/;\nexport function shout(text: string): string { return text.toUpperCase(); }\n',
    );
    await writeFile(at('counts.js'), "import { LOUD } from './words';\nexport const loud = (text) => LOUD.test(text);\n");
    await writeFile(
      at('parts.ts'),
      `import { shout } from './words.ts';
import { loud } from './counts';
import { throttled } from 'alert';
let seen = 0;
export function process_message(): number {
  seen++;
  const text = String(read_message('Payload'));
  inject_payload('txt', '', seen, ' ', loud(text), ' ', shout(text), ' ', throttled(0));
  return 0;
}
`,
    );
    const { Payload } = await read('load', at('f.toml'));
    expect(Payload).not.toMatch(/\.\//);
    await mkdir(at('sent'));
    await writeFile(at('sent', 'parts.js'), String(Payload));
    const ran = await sluicebox(['filter', at('sent', 'parts.js')], '{"Payload":"a"}\n{"Payload":"b!"}\n');
    expect(ran.lines().map((message) => message.Payload)).toEqual(['1 false A false', '2 true B! false']);
  });

  it.each([
    ["import { a } from '../a.js';", /the import of \.\.\/a\.js is outside of the script's folder: copy it there, or make it a module/],
    ["import { a } from './absent.js';", /the import of \.\/absent\.js finds no file/],
    ["import { a } from './letters.js';", /letters\.js:1: a bundle cannot hold `export let`/],
  ])('refuses %j', async (line, problem) => {
    await writeFile(at('f.toml'), FILTER);
    await writeFile(at('letters.js'), 'export let a = 1;\n');
    await writeFile(at('counter.js'), `${line}\nexport function process_message() { return a; }\n`);
    const result = await sluicebox(['manager', 'load', at('f.toml'), '-']);
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toMatch(problem);
  });

  it.each<readonly [args: readonly string[], code: number, problem: RegExp]>([
    [[], 2, /manager needs load or unload/],
    [['reload', 'a', 'b'], 2, /manager needs load or unload/],
    [['load', 'f.toml'], 2, /manager load needs a configuration and a target/],
    [['unload'], 2, /manager unload needs a name and a target/],
    [['unload', '--script', 'x', 'A', '-'], 2, /--script is for load/],
    [['load', 'absent.toml', '-'], 1, /absent\.toml cannot be read/],
    [['load', 'f.toml', '-'], 1, /counter\.js cannot be read/],
    [['load', 'noscript.toml', '-'], 2, /\[A\] has no filename/],
    [['load', 'wrong.toml', '-'], 1, /wrong\.toml: \[A\] message_matcher: is not a matcher/],
    [['load', 'broken.toml', '-'], 1, /broken\.toml:1: is not valid TOML/],
    [['load', 'plugin.toml', '--script', 'f.toml', '-'], 2, /names a plugin/],
    [['load', 'f.toml', '--script', 'large.js', '-'], 1, /cannot be framed/],
    [['load', 'f.toml', '--script', 'syntax.js', '-'], 1, /f\.toml:3: \[Counter\] filename: syntax\.js:1:30: Unexpected token/],
    [['load', 'f.toml', '--script', 'import.js', '-'], 1, /: [^:]*import\.js: the import of \.\/counter\.js finds no file/],
    [['load', 'f.toml', '--script', 'require.js', '-'], 1, /filename: require\.js:1:1: Error: module 'counter' not found/],
    [['load', 'ticker.toml', '--script', 'good.js', '-'], 1, /ticker\.toml:5: \[A\] ticker_interval: timer_event is missing/],
    [
      ['load', 'rows.toml', '-'],
      1,
      /rows\.toml:6: \[A\] config\.rows: must be a whole number from 2 on, not 0\n.*rows\.toml:7: \[A\] config\.x: is unknown/,
    ],
    [['load', 'f.toml', '--script', 'good.js', '--module-directory', 'absent', '-'], 2, /there is no folder absent/],
  ])('says what is wrong with %j', async (args, code, problem) => {
    await writeFile(at('f.toml'), FILTER);
    await writeFile(at('noscript.toml'), '[A]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\n');
    await writeFile(at('wrong.toml'), '[A]\ntype = "SandboxFilter"\nfilename = "f.toml"\nmessage_matcher = "Type"\n');
    await writeFile(at('broken.toml'), '[A\n');
    await writeFile(at('plugin.toml'), '[A]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "TRUE"\n');
    await writeFile(at('large.js'), `function process_message() { return 0; } // ${'x'.repeat(70_000)}`);
    await writeFile(at('syntax.js'), 'function process_message() { )');
    await writeFile(at('good.js'), 'function process_message() { return 0; }');
    await writeFile(at('import.js'), "import './counter.js';\nexport function process_message() { return 0; }");
    await writeFile(at('require.js'), "require('counter');\nfunction process_message() { return 0; }");
    await writeFile(at('ticker.toml'), '[A]\ntype = "SandboxFilter"\nfilename = "x.js"\nmessage_matcher = "TRUE"\nticker_interval = 5\n');
    await writeFile(
      at('rows.toml'),
      '[A]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "TRUE"\n[A.config]\nrows = 0\nx = 1\n',
    );
    const result = await sluicebox(['manager', ...args.map((arg) => (/\.(toml|js)$/.test(arg) ? at(arg) : arg))]);
    expect(result.code).toBe(code);
    expect(result.err).toMatch(problem);
    expect(result.out).toBe('');
  });
});

describe('a service with a manager of filters', () => {
  const start = (): RunningCommand => startCommand(['run', at('p.toml')], { env: { SLUICEBOX_DATA: at('data') } });
  const counts = ({ out }: RunningCommand): unknown[] =>
    out()
      .split('\n')
      .filter((line) => line.includes('"svc.sandbox-output"'))
      .map((line) => (JSON.parse(line) as { Payload: unknown }).Payload);
  const ends = ({ out }: RunningCommand): Record<string, unknown>[] =>
    out()
      .split('\n')
      .filter((line) => /"svc\.(sandbox-)?terminated"/.test(line))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('loads over TCP what its signer sends, keeps its state, and loads it again at its next start', async () => {
    const port = await freePort();
    const target = `tcp://127.0.0.1:${port}`;
    const key = ['--signer', 'ops', '--key', 's3cret'];
    await writeFile(at('a.log'), '');
    await writeFile(at('f.toml'), FILTER);
    await writeFile(at('counter.js'), COUNTER);
    await writeFile(
      at('p.toml'),
      `[svcd]\nlog_flags = 0\nbase_dir = "base"
[lines]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]
[control]\ntype = "TcpInput"\naddress = "127.0.0.1:${port}"\nsplitter = "framing"
[control.signers.ops_1]\nhmac_key = "s3cret"
[sbxmgr]\ntype = "SandboxManagerFilter"\nmax_filters = 2\nmessage_signer = "ops"
[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "Type == 'svc.sandbox-output' || Type =~ /terminated$/"\n`,
    );
    const say = (line: string): Promise<void> => appendFile(at('a.log'), `${line}\n`);
    const load = (...args: string[]) => sluicebox(['manager', 'load', ...args, at('f.toml'), target]);
    await using service = start();
    const { err } = service;
    await expect.poll(async () => (await load()).code).toBe(0);
    await load('--signer', 'ops', '--key', 'wrong');
    await load(...key);
    await expect.poll(err).toContain('[sbxmgr] sbxmgr-Counter was loaded');
    expect(err().match(/was loaded/g)).toHaveLength(1);
    expect(err()).toMatch(/\[sbxmgr\] refused 1 control messages, the last one without a signature: message_signer is ops/);
    expect(err()).toMatch(/The stream from 127\.0\.0\.1 to input control has a message with a wrong signature by ops_1\./);
    expect((await load('--signer', 'eve', '--key', 'x')).err).toMatch(/^sluicebox: sent to tcp:.* its log has the result\n$/);
    await expect.poll(err).toMatch(/has a message with a signature by eve_1, whose key the input does not have\./);
    await sluicebox(['manager', 'unload', ...key, 'Other', target]);
    await expect.poll(err).toContain('[sbxmgr] sbxmgr-Other was not unloaded, for there is none of that name: loaded are sbxmgr-Counter');
    await say('one');
    await expect.poll(() => counts(service)).toEqual(['1 one']);

    await load(...key);
    await expect.poll(() => ends(service)).toHaveLength(1);
    expect(ends(service)[0]).toMatchObject({
      ...{ Type: 'svc.sandbox-terminated', Logger: 'svcd', Fields: [{ name: 'plugin', value: ['sbxmgr'] }] },
      Payload: 'sbxmgr: sbxmgr-Counter is already running: unload it before it is loaded again',
    });
    await say('two');
    await expect.poll(() => counts(service)).toEqual(['1 one', '2 two']);

    await sluicebox(['manager', 'unload', ...key, 'Counter', target]);
    await expect.poll(() => ends(service)).toHaveLength(2);
    expect(ends(service)[1]).toMatchObject({ Type: 'svc.terminated', Fields: [{ name: 'plugin', value: ['sbxmgr-Counter'] }] });
    expect(readdirSync(at('base/sbxmgrs'))).toEqual([]);
    expect(existsSync(at('base/sandbox_preservation/sbxmgr_Counter.data'))).toBe(true);
    await say('unseen');

    await load(...key);
    await expect.poll(() => err().match(/was loaded/g)?.length).toBe(2);
    await say('three');
    await expect.poll(() => counts(service).at(-1)).toBe('3 three');
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(readdirSync(at('base/sbxmgrs')).sort()).toEqual(['sbxmgr-Counter.js', 'sbxmgr-Counter.toml']);
    expect(readFileSync(at('base/sbxmgrs/sbxmgr-Counter.toml'), 'utf8')).toBe(FILTER);

    await using next = start();
    await say('four');
    await expect.poll(() => counts(next)).toEqual(['4 four']);
    next.child.kill('SIGTERM');
    expect(await next.ended).toBe(0);
  });
});
