import { mkdtempSync, mkdirSync, writeFileSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, sluicebox } from '../cli/run-cli.ts';

const ACCESS = '192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 1 "-" "-"\n';
const JAVA = `2021-03-05 13:07:59,250 ERROR [main] org.example.Shop - no
\tat org.example.Shop.sell(Shop.java:7)
2021-03-05 13:08:00,250 INFO  [main] org.example.Shop - yes
`;
const OUT = '[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "TRUE"\n';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-auto-'));
const env = { SLUICEBOX_DATA: join(folder, 'data') };
const shapes = (lines: readonly Record<string, unknown>[]): unknown[] => lines.map(({ Type, Payload }) => Payload ?? Type).sort();

const OWN = String.raw`export const meta = { name: 'own', kind: 'decoder', summary: '', looks: [{ lines: /^own \d+$/ }] };
export function process_message() { inject_message({ Payload: 'mine: ' + read_message('Payload') }); return 0; }`;

describe('decoder = "auto"', () => {
  it.each(['beside the configuration', 'of the share_dir'])('recognises decoders in the folder of scripts %s', async (where) => {
    const config = fileOf('own.toml', '');
    const base = where.startsWith('beside') ? dirname(config) : mkdtempSync(join(folder, 'share-'));
    const share = where.startsWith('beside') ? '' : `[svcd]\nshare_dir = "${base}"\n`;
    mkdirSync(join(base, 'scripts'), { recursive: true });
    writeFileSync(join(base, 'scripts/own.js'), OWN);
    writeFileSync(join(folder, 'own.log'), 'own 1\nown 2\n');
    writeFileSync(config, `${share}[all]\ntype = "FileInput"\npaths = ["${folder}/own.log"]\ndecoder = "auto"\n${OUT}`);
    expect(await sluicebox(['check', config])).toMatchObject({ code: 0 });
    const data = { SLUICEBOX_DATA: mkdtempSync(join(folder, 'data-')) };
    const { err, lines } = await sluicebox(['run', '--until-idle', config], '', data);
    expect(lines().map(({ Payload }) => Payload)).toEqual(['mine: own 1', 'mine: own 2']);
    expect(err).toContain(`decoded by ${join(base, 'scripts/own.js')}`);
    writeFileSync(join(folder, 'own.log'), 'own 1\nown 2\nown 3\n');
    const again = await sluicebox(['run', '--until-idle', config], '', data);
    expect(again.lines().map(({ Payload }) => Payload)).toEqual(['mine: own 3']);
  });

  it('recognises each file of a pattern, logs as what, and goes on as it was', async () => {
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs/access.log'), ACCESS.repeat(2));
    writeFileSync(join(folder, 'logs/java.log'), JAVA);
    writeFileSync(join(folder, 'logs/words.log'), 'hm\n');
    const config = fileOf('auto.toml', `[all]\ntype = "FileInput"\npaths = ["${folder}/logs/*"]\ndecoder = "auto"\n${OUT}`);
    expect(await sluicebox(['check', config])).toMatchObject({ code: 0 });
    const first = await sluicebox(['run', '--until-idle', config], '', env);
    expect(shapes(first.lines())).toEqual(['hm', 'nginx.access', 'nginx.access', 'no\n\tat org.example.Shop.sell(Shop.java:7)', 'yes']);
    expect(first.err).toContain('[all] ' + join(folder, 'logs/java.log') + ': decoded by program_log');
    expect(first.err).toMatch(/access\.log: decoded by nginx_access with log_format = "\$remote_addr/);
    appendFileSync(join(folder, 'logs/access.log'), ACCESS);
    appendFileSync(join(folder, 'logs/java.log'), JAVA);
    const second = await sluicebox(['run', '--until-idle', config], '', env);
    expect(shapes(second.lines())).toEqual(['nginx.access', 'no\n\tat org.example.Shop.sell(Shop.java:7)', 'yes']);
    expect(second.err).not.toContain('decoded by');
  });

  it.each([
    ['a TcpInput', 'type = "TcpInput"\naddress = "127.0.0.1:0"\ndecoder = "auto"', /decoder.*"auto" recognises files/],
    [
      'a splitter',
      'type = "FileInput"\npaths = ["x"]\nsplitter = "line"\ndecoder = "auto"',
      /splitter.*the decoder that is recognised says how/,
    ],
  ])('is refused by check with %s', async (_, section, reason) => {
    const { code, out, err } = await sluicebox(['check', fileOf('auto-wrong.toml', `[x]\n${section}\n${OUT}`)]);
    expect(code).toBe(1);
    expect(out + err).toMatch(reason);
  });

  it('is what a section of that name says, if there is one', async () => {
    const log = fileOf('auto-own.log', '{"a":1}\n');
    const config = fileOf(
      'auto-own.toml',
      `[x]\ntype = "FileInput"\npaths = ["${log}"]\nstart = "begin"\ndecoder = "auto"\n[auto]\ntype = "SandboxDecoder"\nplugin = "json_lines"\n[auto.config]\ntype = "own"\n${OUT}`,
    );
    const { lines, err } = await sluicebox(['run', '--until-idle', config], '', env);
    expect({ err, types: lines().map(({ Type }) => Type) }).toEqual({ err: '', types: ['own'] });
  });

  it('is recognised in tests of a configuration by their records', async () => {
    const test = `[[tests]]\ntitle = "an access"\ninput = "x"\nin = ['${ACCESS.trim()}']\noutput = "x"\nout = [{ Type = "nginx.access", Fields = { status = 200 } }]\n`;
    const config = fileOf('auto-tests.toml', `[x]\ntype = "FileInput"\npaths = ["x"]\ndecoder = "auto"\n${OUT}\n${test}`);
    expect(await sluicebox(['check', '--test', config], '', env)).toMatchObject({ code: 0, err: '' });
  });
});

it.runIf(process.platform === 'linux')('run reads a file of /proc whole, at each start, and does not call it empty', async () => {
  const config = fileOf(
    'proc.toml',
    `[memory]\ntype = "FileInput"\npaths = ["/proc/meminfo"]\ndecoder = "linux_memstats"\n[load]\ntype = "FileInput"\npaths = ["/proc/loadavg"]\ndecoder = "auto"\n${OUT}`,
  );
  for (const _ of [1, 2]) {
    const { lines, err } = await sluicebox(['run', '--until-idle', config], '', env);
    expect(
      lines()
        .map(({ Type }) => Type)
        .sort(),
    ).toEqual(['stats.loadavg', 'stats.memstats']);
    expect(err).toContain('/proc/meminfo says how the system is now: it is read once. A FilePollingInput reads it again and again.');
    expect(err).not.toMatch(/empty|warning/);
  }
});
