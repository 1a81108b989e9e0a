/** A real rsyslog that sends by RELP, while the receiver is killed. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testMs } from '../patience.ts';
import { freePort } from '../ports.ts';
import { Service } from '../soak/service.ts';
import { until } from '../until.ts';
import { installed, reachable, RSYSLOG_MODULES, ServerFolder } from './support/server.ts';

const RECORDS = 400;

it(
  'loses nothing of what rsyslog sends, though the receiver is killed',
  async () => {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-relp-'));
    mkdirSync(join(folder, 'base'));
    writeFileSync(
      join(folder, 'line.js'),
      `function process_message() { inject_payload('txt', '', read_message('Payload'), '\\n'); return 0; }\n`,
    );
    const config = join(folder, 'service.toml');
    const out = join(folder, 'out.log');
    writeFileSync(
      config,
      `[svcd]
base_dir = "base"
[relp]
type = "RelpInput"
address = "127.0.0.1:${port}"
[line]
type = "SandboxEncoder"
filename = "line.js"
[out]
type = "FileOutput"
path = "${out}"
message_matcher = "Logger == 'relp'"
encoder = "line"
use_buffering = false
flush_interval = 20
`,
    );
    const server = new ServerFolder();
    let service = new Service(config, folder);
    try {
      await until(() => reachable(port).then(() => true), 'the receiver');
      const conf = server.file(
        'rsyslog.conf',
        `global(workDirectory="${server.path}")
module(load="imfile") module(load="imuxsock" SysSock.Use="off") module(load="omrelp")
input(type="imfile" File="${server.path}/in.log" Tag="t" freshStartTail="off")
template(name="plain" type="string" string="%msg%")
action(type="omrelp" target="127.0.0.1" port="${port}" template="plain" action.resumeRetryCount="-1" action.resumeInterval="1")
`,
      );
      const log = server.file('in.log');
      const args = ['-n', '-f', conf, '-i', `${server.path}/rsyslog.pid`, '-M', RSYSLOG_MODULES];
      await server.start(installed('usr/sbin/rsyslogd'), args, () => undefined);
      const seen = (): Set<string> => {
        try {
          return new Set(
            readFileSync(out, 'utf8')
              .split('\n')
              .filter((line) => line !== ''),
          );
        } catch {
          return new Set();
        }
      };
      const write = (from: number, to: number): void =>
        writeFileSync(log, Array.from({ length: to - from }, (_, i) => `record ${from + i}\n`).join(''), { flag: 'a' });
      write(0, RECORDS / 2);
      await until(() => seen().size > 0, 'the first records');
      await service.kill();
      write(RECORDS / 2, RECORDS);
      service = new Service(config, folder);
      await until(
        () => seen().size === RECORDS,
        () => `all records: there are ${seen().size}; ${service.said}`,
      );
      expect(await service.stop()).toBe(0);
    } finally {
      await service.kill();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  testMs(),
);
