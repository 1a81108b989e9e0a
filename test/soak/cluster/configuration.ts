import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DURABLE, STREAM } from './servers.ts';

const DECODER = `function process_message() {
  const [, log] = /^(\\w+) \\d+ /.exec(read_message('Payload')) ?? [];
  if (log === undefined) return [-1, 'no record'];
  inject_message({ Type: 'soak', Payload: read_message('Payload'), Fields: { log } });
  return 0;
}
`;

const quoted = (text: string): string => JSON.stringify(text);
const RETRIES = 'delay = "5ms"\nmax_delay = "200ms"\nmax_jitter = "0s"\n';

/** Writes the configuration of a program that reads a log and publishes its records. Returns its path. */
export function writeEdge(folder: string, name: string, log: string, servers: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'records.js'), DECODER);
  return write(
    folder,
    `[logs]
type = "FileInput"
paths = [${quoted(log)}]
decoder = "records"

[records]
type = "SandboxDecoder"
filename = ${quoted(join(folder, 'records.js'))}

[up]
type = "NatsOutput"
servers = [${servers.map(quoted).join(', ')}]
stream = "${STREAM}"
subject = "logs.${name}.{Type}"
edge = "${name}"
message_matcher = "Type == 'soak'"
[up.retries]
${RETRIES}`,
  );
}

/** Writes the configuration of a program that stores what is published. Returns its path. */
export function writeWorker(folder: string, lake: string, servers: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  return write(
    folder,
    `[batches]
type = "NatsInput"
servers = [${servers.map(quoted).join(', ')}]
stream = "${STREAM}"
durable = "${DURABLE}"
[batches.retries]
${RETRIES}
[lake]
type = "ParquetOutput"
path = ${quoted(lake)}
message_matcher = "Type == 'soak'"
flush_interval = 500
use_buffering = false
[lake.retries]
${RETRIES}`,
  );
}

/** Path of the checkpoint of an edge's input, without its ending. */
export const checkpointOf = (folder: string): string => join(folder, 'base', 'inputs', 'logs');

function write(folder: string, sections: string): string {
  const path = join(folder, 'service.toml');
  writeFileSync(path, `[svcd]\nbase_dir = ${quoted(join(folder, 'base'))}\n\n${sections}`);
  return path;
}
