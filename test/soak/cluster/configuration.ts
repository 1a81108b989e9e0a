import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DURABLE, STREAM } from './servers.ts';

/** Fields of the records of a program of before, and of now: there is one more, and another one has another type. */
const FIELDS = { older: 'log, code: `c${number}`', newer: 'log, code: Number(number), bytes: text.length' } as const;

const decoderOf = (fields: keyof typeof FIELDS): string => `function process_message() {
  const text = read_message('Payload');
  const [, log, number] = /^(\\w+) (\\d+) /.exec(text) ?? [];
  if (log === undefined) return [-1, 'no record'];
  inject_message({ Type: 'soak', Payload: text, Fields: { ${FIELDS[fields]} } });
  return 0;
}
`;

const quoted = (text: string): string => JSON.stringify(text);
const RETRIES = 'delay = "5ms"\nmax_delay = "200ms"\nmax_jitter = "0s"\n';

interface EdgeFiles {
  readonly folder: string;
  /** Folder for the data of the service. */
  readonly base: string;
  readonly name: string;
  readonly log: string;
  readonly servers: readonly string[];
}

/** Writes the configuration of a program that reads a log and publishes its records. Returns its path. */
export function writeEdge({ folder, base, name, log, servers }: EdgeFiles): string {
  mkdirSync(folder, { recursive: true });
  writeRecords(folder, 'older');
  return write(
    folder,
    base,
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
[up.buffering]
full_action = "block"
[up.retries]
${RETRIES}`,
  );
}

/** Writes the decoder of an edge. */
export function writeRecords(folder: string, fields: keyof typeof FIELDS): void {
  writeFileSync(join(folder, 'records.js'), decoderOf(fields));
}

/** Writes the configuration of a program that stores what is published. Returns its path. */
export function writeWorker(folder: string, lake: string, servers: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  return write(
    folder,
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

/** Path of the checkpoint of an edge's input, without its ending. @param folder for its `base` */
export const checkpointOf = (folder: string): string => join(folder, 'base', 'inputs', 'logs');

function write(folder: string, base: string, sections: string): string {
  const path = join(folder, 'service.toml');
  writeFileSync(path, `[svcd]\nbase_dir = ${quoted(join(base, 'base'))}\n\n${sections}`);
  return path;
}
