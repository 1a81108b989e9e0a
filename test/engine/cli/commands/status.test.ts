import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readStatus, StatusFile } from '../../../../engine/cli/status-file.ts';
import { until } from '../../../until.ts';
import { sluicebox } from '../run-cli.ts';
import { startCommand } from '../start-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-status-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const config = join(folder, 'c.toml');
writeFileSync(config, '[svcd]\nbase_dir = "."\n');
const file = new StatusFile(folder, config);

it('a service that does not run is told by the exit code', async () => {
  expect(await sluicebox(['status', config])).toMatchObject({ code: 1, out: 'not running\n' });
  expect(await sluicebox(['status', '--json', config])).toMatchObject({ code: 1, out: '{"running":false}\n' });
});

it.each(['status', 'top'])('%s prints what a service has written', async (command) => {
  file.write('{"outputs":[{"Name":"out","ProcessMessageCount":{"value":7,"representation":"count"}}]}\n');
  await file.settled();
  const { code, out } = await sluicebox([command, config]);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^running for [\\d.]+ m?s, process ${process.pid}, .* MB: .*c\\.toml\nNAME .*\nout +output +7 .*\n$`));
  await file.remove();
});

it('a file that is damaged counts as none', async () => {
  writeFileSync(join(folder, 'status.json'), '{"pid":');
  expect(await sluicebox(['status', config])).toMatchObject({ code: 1, out: 'not running\n' });
});

it.skipIf(process.platform !== 'linux')('a service that runs is seen from outside, and notices its further files', async () => {
  const live = mkdtempSync(join(folder, 'live-'));
  const at = (name: string): string => join(live, name);
  writeFileSync(at('in.log'), 'one\ntwo\n');
  writeFileSync(at('key'), 'first');
  chmodSync(at('key'), 0o600);
  writeFileSync(
    at('more.toml'),
    '[control]\ntype = "TcpInput"\naddress = "127.0.0.1:0"\nsplitter = "framing"\n[control.signers.ops_1]\nhmac_key_file = "key"\n',
  );
  writeFileSync(
    at('c.toml'),
    `include = ["more.toml"]\n[svcd]\nbase_dir = "state"\n[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('in.log'))}]\n` +
      '[out]\ntype = "TcpOutput"\naddress = "127.0.0.1:1"\nmessage_matcher = "Type == \'logfile\'"\n',
  );
  await using service = startCommand(['run', '--report-interval', '1', at('c.toml')]);
  const name = `process ${service.child.pid} (`;
  await until(async () => JSON.stringify((await readStatus(at('state')))?.report['outputs'] ?? '').includes('"QueueSize"'));
  expect((await sluicebox(['status', at('c.toml')])).out).toMatch(new RegExp(`${name.replace('(', '\\(')}[^]*^in +input +2 `, 'm'));
  expect((await sluicebox(['queue', 'list', '--json', at('c.toml')])).lines()).toMatchObject([
    { name: 'out', messages: 2, service: expect.stringContaining(name) as string },
  ]);
  writeFileSync(at('key'), 'second one');
  await until(() => service.err().includes('[control] replaced'), service.err);
  service.child.kill('SIGTERM');
  expect(await service.ended, service.err()).toBe(0);
  expect(service.err()).not.toMatch(/first|second one/);
  expect(existsSync(at('state/status.json'))).toBe(false);
  expect((await sluicebox(['status', at('c.toml')])).code).toBe(1);
});
