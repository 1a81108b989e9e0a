import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { until } from '../../../until.ts';
import { Engine } from '../engine-fixture.ts';

let engine: Engine;
beforeAll(() => {
  engine = new Engine(undefined, startSandboxes({ hosts: 1 }));
  mkdirSync(join(engine.folder, 'scripts'), { recursive: true });
});
afterAll(() => engine.workspace.stop());

function script(name: string, text: string): string {
  const path = join(engine.folder, 'scripts', name);
  writeFileSync(path, text);
  return path;
}

/** Opens a file, to its end. */
async function opened(name: string, text: string) {
  const id = await engine.open(engine.file(name, text));
  await until(async () => (await engine.source(id))?.state === 'following', 'the end of the file');
  const rows = await engine.rows({ sources: [id] });
  return { id, source: await engine.source(id), rows: rows.rows };
}

const turbine = (columns: string, parameters = '{}', config = '{}'): string => String.raw`
const DATE = String.raw${'`'}\d{4}-\d\d-\d\d${'`'};
export const meta = {
  name: 'turbine', kind: 'decoder', stateless: true, summary: 'Decodes reports of turbines.',
  split: { before: String.raw${'`'}== ${'$'}{DATE} ${'`'}, preamble: /^turbines of .*$/i },
  columns: ${columns},
  looks: [{ text: /^Turbines of (?<farm>\w+)\n/, records: [String.raw${'`'}^== ${'$'}{DATE} ${'`'}, /^rpm: \d+$/m], config: ${config} }],
  parameters: ${parameters},
};
export function process_message() {
  const [, name, rpm] = /^== \S+ (\S+)\n[^]*?^rpm: (\d+)$/m.exec(read_message('Payload')) ?? [];
  if (rpm === undefined) return [-1, 'no report'];
  inject_message({ Payload: read_message("Payload"), Fields: { state: 'up', name, rpm: Number(rpm), farm: read_config('farm') ?? '' } });
  return 0;
}`;
const REPORTS = 'Turbines of Kent\n== 2021-03-05 north\nstate: up\nrpm: 1200\n== 2021-03-06 south\n\nrpm: 7\n';

describe('a decoder in the folder of scripts', () => {
  it('is none behind a link that leads out of the folder, which is told', async () => {
    const outside = engine.file('elsewhere.ts', turbine('[]'));
    symlinkSync(outside, join(engine.folder, 'scripts', 'linked.ts'));
    const decoders = await engine.ask('decoder.list', {});
    expect(decoders.filter(({ name }) => name.includes('linked') || name.includes('turbine'))).toEqual([]);
    const told = engine.events.map(({ data }) => (data as { text?: string }).text ?? '');
    expect(told).toContainEqual(expect.stringMatching(/linked\.ts is a link that leads out of its folder/));
    rmSync(join(engine.folder, 'scripts', 'linked.ts'));
  });

  it('is recognised, cut, shown and listed as a bundled one, and anew when it was changed', async () => {
    const before = await opened('before.txt', REPORTS);
    expect(before.source).toMatchObject({ decoder: null, records: 7 });

    const path = script('turbine.ts', turbine(`['rpm', 'name']`, `{ farm: { type: 'string', summary: '' } }`, `{ farm: '{farm}' }`));
    const { source, rows } = await opened('turbines.txt', REPORTS);
    expect(source?.decoder).toEqual({ name: path, config: { farm: 'Kent' }, confidence: 1, by: 'detected' });
    expect(source?.columns).toEqual(['rpm', 'name']);
    expect(rows.map(({ text }) => text)).toEqual(['== 2021-03-05 north\nstate: up\nrpm: 1200', '== 2021-03-06 south\n\nrpm: 7\n']);

    const [listed, ...others] = await engine.ask('decoder.list', {});
    expect(listed).toMatchObject({ name: path, title: 'turbine.ts', summary: 'Decodes reports of turbines.' });
    expect(others.map(({ name }) => name)).toContain('syslog');

    script('turbine.ts', turbine(`['name']`));
    const again = await opened('more.txt', REPORTS);
    expect(again.source).toMatchObject({ decoder: { name: path, config: {} }, columns: ['name'], records: 2 });
  });

  it('wins over a bundled one that fits as well', async () => {
    const line = '2021/03/05 13:07:59 [error] 4123#7: *99 open() failed\n';
    expect((await opened('nginx.txt', line.repeat(3))).source?.decoder?.name).toBe('nginx_error');
    const path = script(
      'own_error.js',
      String.raw`export const meta = { name: 'own_error', kind: 'decoder', summary: '', looks: [{ lines: /\[error\]/ }] };
export function process_message() { inject_message({ Payload: read_message('Payload') }); return 0; }`,
    );
    expect((await opened('own.txt', line.repeat(3))).source?.decoder?.name).toBe(path);
  });

  it('may be a copy of a bundled one', async () => {
    const { name, text } = await engine.ask('script.read', { kind: 'decoder', script: 'linux_auth' });
    const path = script(name, text);
    const line = 'Mar  5 13:07:59 box1 sshd[4411]: Accepted publickey for root from 192.0.2.7 port 50122 ssh2\n';
    const { source } = await opened('auth.txt', line.repeat(3));
    expect(source).toMatchObject({
      decoder: { name: path, config: { type: 'auth' } },
      columns: ['programname', 'event', 'user', 'remote_addr'],
    });
  });

  it('is a notice and nothing else when it is broken', async () => {
    const meta = (looks: string): string => `export const meta = { name: 'x', kind: 'decoder', summary: '', looks: ${looks} };\n`;
    script('behind.js', meta('[{ lines: /(?<=a)b/ }]'));
    script('throws.js', `${meta('[{ lines: /sluice/ }]')}throw new Error('not today');`);
    script('own_filter.js', `export const meta = { name: 'f', kind: 'filter', summary: '' };`);
    script('no_meta.js', 'function (');
    const { source } = await opened('some.txt', 'time="2021-03-05T13:07:59Z" level=info msg=sluice\n'.repeat(3));
    expect(source?.decoder?.name).toBe('logfmt');
    const notices = (await engine.ask('notice.list', {})).map(({ text }) => text);
    expect(notices.filter((text) => text.includes('behind.js'))).toEqual([
      expect.stringContaining('looks[0].lines[0] is not a usable regular expression') as string,
    ]);
    expect(notices.filter((text) => text.includes('throws.js'))).toEqual([expect.stringContaining('not today') as string]);
    expect(notices.filter((text) => /own_filter|no_meta/.test(text))).toEqual([]);
  });

  it('is looked for in linear time, whatever its expressions are', async () => {
    script(
      'slow.js',
      `export const meta = { name: 's', kind: 'decoder', summary: '', looks: [{ lines: /^(a+)+$/, text: /^(?:a|aa)+\\n/ }] };`,
    );
    expect((await opened('long.txt', `${'a'.repeat(20_000)}!\n`)).source?.decoder).toBeNull();
  });
});
