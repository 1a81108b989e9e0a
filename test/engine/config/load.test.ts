import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, parseConfig } from '../../../engine/config/load.ts';
import { useLookups } from '../../../engine/lookup/folder.ts';
import { formatProblem } from '../../../engine/config/problems.ts';
import { bundled } from './fixtures.ts';

describe('a valid configuration', () => {
  const { config, problems } = parseConfig(
    `# my pipeline
[svcd]
max_message_loops = 0
max_pack_idle = "1h30m"

[access]
type = "FileInput"
paths = ["/var/log/a.log"]
decoder = "nginx"
clock = "message"

[nginx]
type = "SandboxDecoder"
plugin = "nginx_access"
config.type = "web.access"
config.ratio = 0.5
config.since = 2021-03-05T10:00:00Z
config.list = [1]

[http_status]
type = "SandboxFilter"
plugin = "http_status"
message_matcher = '''Type == "web.access"'''
buffering = { full_action = "block" }
retries.delay = "1s"

[ticks]
type = "SandboxInput"
filename = "ticks.js"

[LogOutput]
message_matcher = "Severity <= 3"
`,
    'p.toml',
    { bundled },
  );

  it('has no problems', () => expect(problems).toEqual([]));

  it('is sorted by kind, with names, places and defaults', () => {
    expect(config.inputs.map(({ name, origin }) => [name, origin.line])).toEqual([
      ['access', 6],
      ['ticks', 27],
    ]);
    expect(config.inputs[0]).toMatchObject({
      type: 'FileInput',
      start: 'resume',
      encoding: 'auto',
      follow: true,
      splitter: 'auto',
      clock: 'message',
    });
    expect(config.filters[0]).toMatchObject({
      memory_limit: 8_388_608,
      instruction_limit: 1_000_000,
      output_limit: 64_512,
      can_exit: true,
      ticker_interval: 0,
    });
    expect(config.filters[0]?.buffering).toEqual({
      full_action: 'block',
      max_file_size: 536_870_912,
      max_buffer_size: 0,
      cursor_update_count: 1,
    });
    expect(config.outputs[0]).toMatchObject({ name: 'LogOutput', type: 'LogOutput', encoder: 'text' });
  });

  it('reads durations as milliseconds', () => {
    expect(config.filters[0]?.retries).toEqual({ delay: 1000, max_delay: 30_000, max_jitter: 500, max_retries: -1 });
    expect(config.service.max_pack_idle).toBe(5_400_000);
  });

  it('keeps the rules of single parameters', () => {
    expect(config.service).toMatchObject({ max_message_loops: 1, max_process_inject: 1, max_timer_inject: 10, plugin_chansize: 30 });
    expect(config.inputs[1]).toMatchObject({ type: 'SandboxInput', instruction_limit: 0 });
    expect(config.decoders[0]?.config).toEqual({ type: 'web.access', ratio: 0.5 });
  });
});

it('a manager may say what is done when it ends, though it does not', () => {
  const text = '[SandboxManagerFilter]\ncan_exit = true\nretries = { max_retries = 1 }';
  const { config, problems } = parseConfig(text, 'p.toml');
  expect(problems).toEqual([]);
  expect(config.managers).toHaveLength(1);
});

describe('loadConfig', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-'));
    await mkdir(join(folder, 'd'));
    await mkdir(join(folder, 'empty'));
    await writeFile(
      join(folder, 'd', '20-local.toml'),
      '[http_status]\nticker_interval = -5\n[http_status.config]\nrows = 60\n[svcd]\nmaxprocs = 2\n',
    );
    await writeFile(
      join(folder, 'd', '10-base.toml'),
      '\ufeff[http_status]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "TRUE"\nticker_interval = 60\n[http_status.config]\nrows = 1440\ntitle = "x"\n',
    );
    await writeFile(join(folder, 'd', '30-more.toml'), '[http_status]\nticker_interval = 5\nplugin = "http_stats"\n');
    await writeFile(join(folder, 'd', '25-broken.toml'), '[oops\n');
    await writeFile(join(folder, 'd', 'notes.txt'), 'no configuration');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('merges the files of a directory, the later ones winning', async () => {
    const { problems } = await loadConfig(join(folder, 'd'), { bundled });
    expect(problems.map(formatProblem)).toEqual([
      expect.stringContaining('25-broken.toml:1: is not valid TOML'),
      `${join(folder, 'd', '30-more.toml')}:3: [http_status] plugin: there is no bundled filter "http_stats" (did you mean http_status?)`,
    ]);
    await writeFile(join(folder, 'd', '30-more.toml'), '[http_status]\nticker_interval = 5\n');
    await rm(join(folder, 'd', '25-broken.toml'));
    const { config, problems: none } = await loadConfig(join(folder, 'd'), { bundled });
    expect(none).toEqual([]);
    expect(config.filters[0]).toMatchObject({
      ticker_interval: 5,
      config: { rows: 60, title: 'x' },
      origin: { file: join(folder, 'd', '10-base.toml'), line: 1 },
    });
    expect(config.service.maxprocs).toBe(2);
  });

  it.each(['missing.toml', 'empty'])('tells of %s', async (name) => {
    const { problems } = await loadConfig(join(folder, name));
    expect(problems).toEqual([
      expect.objectContaining({ file: join(folder, name), line: 0, text: expect.stringContaining('cannot be read') as string }),
    ]);
  });

  it.each([
    ['beside the file', '', '.'],
    ['in share_dir', '[svcd]\nshare_dir = "d"\n', 'd'],
  ])('matchers have the lookups in the folder %s', async (_where, service, place) => {
    await mkdir(join(folder, place, 'lookups'), { recursive: true });
    await writeFile(join(folder, place, 'lookups', 'blocked.csv'), '10.0.0.0/8\n');
    const output = (matcher: string): string => `${service}[log]\ntype = "LogOutput"\nencoder = "text"\nmessage_matcher = "${matcher}"\n`;
    await writeFile(join(folder, 'l.toml'), output('Fields[a] in @blocked'));
    expect((await loadConfig(join(folder, 'l.toml'))).problems).toEqual([]);
    await writeFile(join(folder, 'l.toml'), output('Fields[a] in @blockd'));
    const [problem] = (await loadConfig(join(folder, 'l.toml'))).problems;
    expect(problem?.text).toContain('is not a matcher: column 15: there is no lookup blockd in');
    await rm(join(folder, place, 'lookups'), { recursive: true });
    useLookups(null);
  });

  it('refuses a log and a device, which a parser would read for minutes', async () => {
    const log = join(folder, 'access.log');
    await writeFile(log, '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5\n'.repeat(130_000));
    for (const file of process.platform === 'win32' ? [log] : [log, '/dev/zero']) {
      const { problems } = await loadConfig(file);
      expect(problems).toEqual([
        expect.objectContaining({
          file,
          line: 0,
          text: 'has more than 8 MiB: it is no configuration',
          hint: expect.stringContaining('decode') as string,
        }),
      ]);
    }
  });

  it('refuses more sections than there can be inputs, and tells the lines of many quickly', () => {
    const sections = (count: number): string => Array.from({ length: count }, (_, i) => `[s${i}]\ntype = "None"\n`).join('');
    const most = parseConfig(sections(10_000), 'x.toml').problems;
    expect([most.length, most.at(-1)?.line]).toEqual([10_000, 20_000]);
    const { problems } = parseConfig(sections(10_001), 'x.toml');
    expect(problems.map(({ line, text }) => [line, text])).toEqual([[0, 'has more than 10,000 sections: remove those that nobody needs']]);
  });
});
