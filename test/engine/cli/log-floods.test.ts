import { createConnection } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../ports.ts';
import { until } from '../../until.ts';
import { fileOf, sluicebox } from './run-cli.ts';
import { startCommand } from './start-command.ts';

const REFUSES = fileOf('refuses.js', "function process_message() { return [-1, 'no record: ' + read_message('Payload')]; }\n");
const FAILS = fileOf('fails.js', "function process_message() { return [-1, 'not mine']; }\nfunction timer_event() {}\n");
const RECORDS = 3000;

describe('the log of a service', () => {
  it('counts what comes once for each record', async () => {
    const log = fileOf('garbage.log', Array.from({ length: RECORDS }, (_, i) => `garbage ${i + 1}\n`).join(''));
    const config = `
[svcd]
log_flags = 0
[in]
type = "FileInput"
paths = [${JSON.stringify(log)}]
decoder = "refuses"
send_decode_failures = true
[refuses]
type = "SandboxDecoder"
filename = "refuses.js"
[fails]
type = "SandboxFilter"
filename = "fails.js"
message_matcher = "TRUE"
`;
    const { code, err } = await sluicebox(['run', '--until-idle', fileOf('flood.toml', config)], '', {
      SLUICEBOX_DATA: `${FAILS}.d`,
    });
    const lines = err.trim().split('\n');
    expect(code).toBe(0);
    expect(lines.filter((line) => line.includes('no record'))).toHaveLength(21);
    expect(lines).toContain(`sluicebox: warning: [in] ${log}:20: no record: garbage 20`);
    expect(lines).toContain(
      `sluicebox: warning: … 2,980 more like this until the end, 3,000 in all, the last one: [in] ${log}:3000: no record: garbage 3000`,
    );
  });

  it.each([
    [1, '1 record was refused'],
    [3, '3 records were refused'],
  ])('counts at the end the records that were dropped: %d', async (count, words) => {
    const log = fileOf(`dropped-${count}.log`, 'garbage\n'.repeat(count));
    const config = `
[svcd]
log_flags = 0
[in]
type = "FileInput"
paths = [${JSON.stringify(log)}]
decoder = "refuses"
log_decode_failures = false
[refuses]
type = "SandboxDecoder"
filename = "refuses.js"
[out]
type = "LogOutput"
message_matcher = "Type !~ /^svc/"
encoder = "plain_text"
`;
    const { code, out, err } = await sluicebox(['run', '--until-idle', fileOf(`dropped-${count}.toml`, config)], '', {
      SLUICEBOX_DATA: `${REFUSES}.${count}.d`,
    });
    const said = `sluicebox: [in] ${words} by the decoder and dropped (send_decode_failures = true keeps them)\n`;
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: said });
  });

  it('names who sent what is refused', async () => {
    const port = await freePort();
    const config = `
[svcd]
log_flags = 0
[net]
type = "TcpInput"
address = "127.0.0.1:${port}"
decoder = "refuses"
[refuses]
type = "SandboxDecoder"
filename = "refuses.js"
`;
    await using service = startCommand(['run', fileOf('sender.toml', config)], { env: { SLUICEBOX_DATA: `${REFUSES}.d` } });
    await until(
      () =>
        new Promise<boolean>((done) => {
          const socket = createConnection(port, '127.0.0.1', () => socket.end('garbage\n'.repeat(RECORDS), () => done(true)));
          socket.on('error', () => done(false));
        }),
    );
    await until(() => service.err().includes('no record'), service.err);
    service.child.kill('SIGINT');
    await service.ended;
    const err = service.err();
    expect(err).toMatch(/^sluicebox: warning: \[net\] 127\.0\.0\.1:\d+: no record: garbage$/m);
    expect(err).toMatch(/… 2,980 more like this until the end, 3,000 in all, the last one: \[net\] 127\.0\.0\.1:\d+: no record: garbage\n/);
    expect(err.trim().split('\n').length).toBeLessThan(25);
  });
});
