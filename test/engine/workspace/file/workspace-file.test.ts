import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { listenerSection } from '../../../../engine/workspace/file/listener-section.ts';
import { DEFAULT_TEMPLATES, type FilterTemplate } from '../../../../engine/workspace/file/templates.ts';
import { WorkspaceFile } from '../../../../engine/workspace/file/workspace-file.ts';

let file: WorkspaceFile;
beforeEach(() => (file = new WorkspaceFile(join(mkdtempSync(join(tmpdir(), 'sluicebox-ws-')), 'data', 'workspace.toml'))));
const text = (): string => readFileSync(file.path, 'utf8');

describe('WorkspaceFile', () => {
  it('is made with the default plugins and says what they are', async () => {
    const { templates, sources, problems } = await file.read();
    expect(problems).toEqual([]);
    expect(sources).toEqual([]);
    expect(templates.map(({ name, script, matcher, config, ticker }) => ({ name, script, matcher, config, ticker }))).toEqual(
      DEFAULT_TEMPLATES.map(({ name, script, matcher, config, ticker }) => ({ name, script, matcher, config, ticker })),
    );
    expect(text()).toMatch(/^# The workspace of Sluicebox/);
  });

  it('is neither read nor changed when it is not UTF-8', async () => {
    await file.read();
    const latin = Buffer.from('# caf\xe9\n', 'latin1');
    writeFileSync(file.path, latin);
    await expect(file.read()).rejects.toThrow('not valid UTF-8; save it as UTF-8');
    await expect(file.rememberFile('/a.log', null)).rejects.toThrow('not valid UTF-8');
    expect(readFileSync(file.path)).toEqual(latin);
  });

  it('is neither read nor changed when it is larger than any configuration', async () => {
    await file.read();
    truncateSync(file.path, 9 << 20);
    await expect(file.read()).rejects.toThrow('it is too large: at most 8,388,608 bytes are read; remove the sections that nobody needs');
    await expect(file.rememberFile('/a.log', null)).rejects.toThrow('it is too large');
    expect(statSync(file.path).size).toBe(9 << 20);
  });

  it.each([
    ['a folder', () => mkdirSync(file.path, { recursive: true })],
    ...(process.platform === 'win32' ? [] : [['a pipe', () => void execFileSync('mkfifo', [file.path])] as const]),
  ] as const)('is not read where %s is in its place', async (_, put) => {
    mkdirSync(dirname(file.path), { recursive: true });
    put();
    await expect(file.read()).rejects.toThrow('not a regular file; move away what is in its place');
  });

  it('is read with the edits that are asked for meanwhile', async () => {
    await file.read();
    const stoppedFor = (templates: readonly FilterTemplate[]) => templates.flatMap(({ stoppedFor: inputs = [] }) => inputs);
    const reading = file.read();
    const stopped = file.setStopped('http_status', 'file:/a', true);
    expect(stoppedFor((await reading).templates)).toEqual(['file:/a']);
    await stopped;
    const again = file.read();
    await Promise.resolve();
    const started = file.setStopped('http_status', 'file:/a', false);
    expect(stoppedFor((await again).templates)).toEqual([]);
    await started;
  });

  it('keeps opened files in mind, with the decoder that the user chose', async () => {
    await file.rememberFile('/var/log/a "b".log', null);
    await file.rememberFile('/var/log/c.log', { name: 'nginx_access', config: { log_format: '$status' }, by: 'user', confidence: 1 });
    const { sources, problems } = await file.read();
    expect(problems).toEqual([]);
    expect(sources).toMatchObject([
      { remembered: true, decoder: null, input: { type: 'FileInput', paths: ['/var/log/a "b".log'] } },
      {
        remembered: true,
        decoder: { name: 'nginx_access', config: { log_format: '$status' }, by: 'user' },
        input: { paths: ['/var/log/c.log'] },
      },
    ]);
    await file.rememberFile('/var/log/c.log', null);
    expect((await file.read()).sources[1]?.decoder).toBeNull();
    expect(text()).not.toContain('decoder of');
  });

  it('forgets the files that were opened first when there are too many', async () => {
    const small = new WorkspaceFile(file.path, 20);
    for (let i = 0; i < 25; i++) await small.rememberFile(`/log/${i}`, null);
    const { sources } = await small.read();
    expect(sources.map(({ input }) => ('paths' in input ? input.paths[0] : ''))).toEqual(
      Array.from({ length: 20 }, (_, i) => `/log/${i + 5}`),
    );
  });

  it('adds and removes listeners, and leaves alone what was written by hand', async () => {
    await file.read();
    writeFileSync(file.path, `${text()}\n# mine\n[auth]\ntype = "FileInput"\npaths = ["/var/log/auth.log"]   # keep\n`);
    await file.setSections({ syslog_udp_5514: listenerSection('udp', '127.0.0.1:5514') });
    expect((await file.read()).sources).toMatchObject([
      { remembered: false, input: { name: 'auth' } },
      { remembered: false, decoder: { name: 'syslog', by: 'configuration' }, input: { type: 'UdpInput', address: '127.0.0.1:5514' } },
    ]);
    await file.remove('syslog_udp_5514');
    expect(text()).toContain('# mine\n[auth]\ntype = "FileInput"\npaths = ["/var/log/auth.log"]   # keep\n');
    expect((await file.read()).sources).toHaveLength(1);
  });

  it('says where a file is wrong, takes the rest, and does not write over it', async () => {
    await file.read();
    writeFileSync(file.path, '[good]\ntype = "FileInput"\npaths = ["/x"]\n[bad]\ntype = "FileInptu"\n');
    const part = await file.read();
    expect(part.sources).toHaveLength(1);
    expect(part.problems).toEqual([expect.stringMatching(/workspace\.toml:[45]: \[bad\].*FileInput/)]);
    writeFileSync(file.path, '[broken\n');
    expect((await file.read()).problems).toEqual([expect.stringMatching(/workspace\.toml:1/)]);
    await expect(file.rememberFile('/x', null)).rejects.toThrow();
    expect(text()).toBe('[broken\n');
  });

  it('runs a decoder as its section says', async () => {
    await file.read();
    const decoder =
      'type = "SandboxDecoder"\nfilename = "slow.js"\ninstruction_limit = 0\nmemory_limit = 1000000\nmodule_directory = "lib"\n';
    writeFileSync(file.path, `[log]\ntype = "FileInput"\npaths = ["/x"]\ndecoder = "slowly"\n[slowly]\n${decoder}`);
    const folder = dirname(file.path);
    expect((await file.read()).sources[0]?.decoder).toEqual({
      ...{ name: join(folder, 'slow.js'), config: {}, by: 'configuration', confidence: 1 },
      ...{ limits: { memory: 1_000_000, instructions: 0, output: 64_512 }, modules: [join(folder, 'lib')], folder },
    });
  });

  it('says what it lists and the window does not run', async () => {
    await file.read();
    const script = 'filename = "x.js"\n';
    const sections = [
      '[load]\ntype = "SandboxManagerFilter"\nmessage_signer = "me"\nmessage_matcher = "TRUE"\n',
      '[out]\ntype = "FileOutput"\npath = "/tmp/out"\nmessage_matcher = "TRUE"\nencoder = "json"\n',
      `[json]\ntype = "SandboxEncoder"\n${script}`,
      `[clock]\ntype = "SandboxInput"\n${script}`,
    ];
    writeFileSync(file.path, sections.join(''));
    const { problems, unused } = await file.read();
    expect(problems).toEqual([]);
    expect(unused).toEqual([
      `${file.path}:13: [clock]: the window runs no SandboxInput (sluicebox run does)`,
      `${file.path}:1: [load]: the window runs no SandboxManagerFilter (sluicebox run does)`,
      `${file.path}:5: [out]: the window runs no FileOutput (sluicebox run does)`,
    ]);
  });

  it('makes edits one after the other', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, i) => file.rememberFile(`/log/${i}`, null)));
    expect((await file.read()).sources).toHaveLength(10);
  });
});
