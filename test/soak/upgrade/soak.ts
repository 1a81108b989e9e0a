import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from '../../patience.ts';
import { freePort } from '../../ports.ts';
import { Service } from '../service.ts';

const HERE = resolve(import.meta.dirname, '../../..');
const RECORDS = 2000;
const PATIENCE_MS = 60_000;

const FILTER = `var seen = 0;
function process_message() { seen++; return 0; }
function timer_event() { inject_message({ Type: 'seen', Payload: String(seen) }); }
`;

/** Runs another version and this one by turns. Returns what went wrong. */
export async function upgradeSoak(other: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-upgrade-'));
  try {
    return await new Upgrade(folder).run([other, HERE, other, HERE]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A log that grows, and the outputs of services that read it one after the other. */
class Upgrade {
  readonly #folder: string;
  #written = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async run(versions: readonly string[]): Promise<string[]> {
    const port = await freePort();
    const config = this.#configure(port);
    for (const [turn, version] of versions.entries()) {
      this.#write();
      const service = this.#start(config, version);
      const all = turn * RECORDS + RECORDS;
      const problem = await this.#wait(
        service,
        `turn ${turn + 1} of ${version}`,
        () => this.#lines('file.out').length >= all && this.#seen >= all,
      );
      await service.stop();
      if (problem !== null) return [problem];
    }
    const sent = await this.#drained(config, port);
    return [...problemsOf('file', this.#lines('file.out'), this.#written), ...problemsOf('tcp', sent, this.#written)];
  }

  #start(config: string, version: string): Service {
    return new Service(config, this.#folder, { main: join(version, 'engine/cli/main.ts') });
  }

  /** Content of the disk buffer of the TCP output, once its target is there. */
  async #drained(config: string, port: number): Promise<string[]> {
    let text = '';
    const server = createServer((socket) => socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk)));
    await once(server.listen(port, '127.0.0.1'), 'listening');
    const service = this.#start(config, HERE);
    const lines = (): string[] => text.split('\n').filter(Boolean);
    await this.#wait(service, 'the buffer', () => lines().length >= this.#written);
    await service.stop();
    server.close();
    return lines();
  }

  #configure(port: number): string {
    const [config, script] = [join(this.#folder, 'c.toml'), join(this.#folder, 'seen.js')];
    const path = (name: string): string => JSON.stringify(join(this.#folder, name));
    writeFileSync(script, FILTER);
    writeFileSync(
      config,
      `[svcd]\nbase_dir = ${path('base')}
[logs]\ntype = "FileInput"\npaths = [${path('a.log')}]\ndecoder = "auto"
[seen]\ntype = "SandboxFilter"\nfilename = ${path('seen.js')}\nmessage_matcher = "Logger == 'logs'"\nticker_interval = 1\npreserve_data = true
[counts]\ntype = "FileOutput"\npath = ${path('seen.out')}\nmessage_matcher = "Type == 'svc.sandbox.seen'"\nencoder = "plain_text"
[file]\ntype = "FileOutput"\npath = ${path('file.out')}\nmessage_matcher = "Logger == 'logs'"\nencoder = "json"\nuse_buffering = true
[tcp]\ntype = "TcpOutput"\naddress = "127.0.0.1:${port}"\nmessage_matcher = "Logger == 'logs'"\nencoder = "json"\nuse_buffering = true
[tcp.retries]\ndelay = "20ms"\nmax_delay = "100ms"
`,
    );
    return config;
  }

  #write(): void {
    const record = (i: number): string => `{"time":"2026-03-05T10:00:00Z","level":"info","record":${this.#written + i}}\n`;
    appendFileSync(join(this.#folder, 'a.log'), Array.from({ length: RECORDS }, (_, i) => record(i)).join(''));
    this.#written += RECORDS;
  }

  #lines(name: string): string[] {
    try {
      return readFileSync(join(this.#folder, name), 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
  }

  get #seen(): number {
    return Number(this.#lines('seen.out').at(-1) ?? 0);
  }

  /** null: it came true. */
  async #wait(service: Service, what: string, isTrue: () => boolean): Promise<string | null> {
    const until = performance.now() + PATIENCE_MS * slowness();
    while (!isTrue()) {
      if (!service.isRunning || performance.now() > until)
        return `${what}: ${this.#lines('file.out').length} of ${this.#written} records, ${this.#seen} seen by the filter\n${service.said}`;
      await delay(50);
    }
    return null;
  }
}

function problemsOf(output: string, lines: readonly string[], records: number): string[] {
  const numbers = lines.map((line) => Number(/"name":"record"[^}]*?"value":\[(\d+)/.exec(line)?.[1] ?? NaN));
  const distinct = new Set(numbers).size;
  return [
    ...(distinct < records ? [`${output}: ${records - distinct} records are lost`] : []),
    ...(lines.length > distinct ? [`${output}: ${lines.length - distinct} records came twice`] : []),
  ];
}
