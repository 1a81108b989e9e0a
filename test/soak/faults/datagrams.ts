import { createSocket } from 'node:dgram';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../ports.ts';
import { until } from '../../until.ts';
import { Service } from '../service.ts';
import type { Fault } from './fault.ts';

const FLOOD_MS = 5000;
const BURST = 500;

interface Report {
  readonly inputs: readonly { readonly Name: string; readonly LostDatagramCount?: { readonly value: number } }[];
}

function countedLost(path: string): number {
  const last = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1).at(-1) : undefined;
  if (last === undefined) return 0;
  const { Payload } = JSON.parse(last) as { Payload: string };
  return (JSON.parse(Payload) as Report).inputs.find(({ Name }) => Name === 'udp')?.LostDatagramCount?.value ?? 0;
}

const linesOf = (path: string): string[] => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []);

export const datagrams: readonly Fault[] = [
  {
    name: 'a flood of datagrams while the configuration is edited',
    promise: 'told',
    missing: () => (process.platform === 'linux' ? null : 'this system does not count what it drops'),
    run: async ({ length }) => {
      const folder = mkdtempSync(join(tmpdir(), 'sluicebox-flood-'));
      const at = (name: string): string => join(folder, name);
      const port = await freePort();
      writeFileSync(at('line.js'), `function process_message() { inject_payload('txt', '', read_message('Payload'), '\\n'); return 0; }\n`);
      writeFileSync(at('count.js'), 'let seen = 0;\nfunction process_message() { seen++; return 0; }\nfunction timer_event(ns) {}\n');
      writeFileSync(
        at('flood.toml'),
        `[svcd]
base_dir = ${JSON.stringify(at('base'))}
[udp]
type = "UdpInput"
address = "127.0.0.1:${port}"
[line]
type = "SandboxEncoder"
filename = ${JSON.stringify(at('line.js'))}
[out]
type = "FileOutput"
path = ${JSON.stringify(at('out.txt'))}
message_matcher = "Type == 'udp'"
encoder = "line"
[reports]
type = "FileOutput"
path = ${JSON.stringify(at('reports.jsonl'))}
message_matcher = "Type == 'svc.all-report'"
encoder = "json"
`,
      );
      const service = new Service(at('flood.toml'), folder, { args: ['--report-interval', '1'] });
      const socket = createSocket('udp4');
      try {
        const send = (text: string): Promise<void> =>
          new Promise((resolve, reject) => socket.send(text, port, '127.0.0.1', (error) => (error === null ? resolve() : reject(error))));
        await until(async () => {
          await send('first').catch(() => undefined);
          return linesOf(at('out.txt')).length > 0;
        }, 'the first datagram');
        let sent = 0;
        let edits = 0;
        const editing = setInterval(() => {
          const filter = `[more_${edits++}]\ntype = "SandboxFilter"\nfilename = ${JSON.stringify(at('count.js'))}\nmessage_matcher = "Type == 'udp'"\n`;
          appendFileSync(at('flood.toml'), filter);
        }, 1000);
        for (const begun = performance.now(); performance.now() - begun < FLOOD_MS * length;) {
          await Promise.all(Array.from({ length: BURST }, () => send(`datagram ${sent++}`)));
          await delay(1);
        }
        clearInterval(editing);
        const came = (): number => linesOf(at('out.txt')).filter((line) => line !== 'first').length;
        await until(() => came() + countedLost(at('reports.jsonl')) >= sent, 'datagrams').catch(() => undefined);
        const lines = linesOf(at('out.txt')).filter((line) => line !== 'first');
        const counted = countedLost(at('reports.jsonl'));
        const distinct = new Set(lines).size;
        await service.stop();
        const lost = Math.max(0, sent - distinct - counted);
        return {
          tried: edits,
          lost,
          repeated: lines.length - distinct,
          late: 0,
          note: `${sent.toLocaleString('en')} sent, ${counted.toLocaleString('en')} counted as lost`,
          said: service.said,
        };
      } finally {
        socket.close();
        await service.kill();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
