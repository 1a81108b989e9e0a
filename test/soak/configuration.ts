import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Ports {
  readonly tcp: number;
  readonly http: number;
}

/** One record in so many goes to the HTTP output as well, which makes a request for each. */
export const HTTP_SHARE = 10;

const DECODER = `function process_message() {
  const [, log, number] = /^(\\w+) (\\d+) /.exec(read_message('Payload')) ?? [];
  if (number === undefined) return [-1, 'no record'];
  inject_message({ Type: 'soak', Payload: read_message('Payload'), Fields: { log, sampled: Number(number) % ${HTTP_SHARE} === 0 } });
  return 0;
}
`;

const ENCODER = `function process_message() {
  inject_payload('txt', '', read_message('Payload'), '\\n');
  return 0;
}
`;

/** Writes the configuration of the service that is tested, and its scripts. Returns its path. */
export function writeConfiguration(folder: string, logs: readonly string[], { tcp, http }: Ports): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'records.js'), DECODER);
  writeFileSync(join(folder, 'line.js'), ENCODER);
  const path = join(folder, 'soak.toml');
  const quoted = (text: string): string => JSON.stringify(text);
  const retries = (name: string): string => `[${name}.retries]\ndelay = "2ms"\nmax_delay = "50ms"\nmax_jitter = "0s"\n`;
  writeFileSync(
    path,
    `[svcd]
base_dir = ${quoted(baseFolder(folder))}

[logs]
type = "FileInput"
paths = [${logs.map(quoted).join(', ')}]
decoder = "records"

[records]
type = "SandboxDecoder"
filename = ${quoted(join(folder, 'records.js'))}

[line]
type = "SandboxEncoder"
filename = ${quoted(join(folder, 'line.js'))}

[file]
type = "FileOutput"
path = ${quoted(outputPath(folder))}
message_matcher = "Type == 'soak'"
encoder = "line"
use_buffering = true

[tcp]
type = "TcpOutput"
address = "127.0.0.1:${tcp}"
message_matcher = "Type == 'soak'"
encoder = "line"
${retries('tcp')}
[http]
type = "HttpOutput"
address = "http://127.0.0.1:${http}/"
message_matcher = "Type == 'soak' && Fields[sampled] == TRUE"
encoder = "line"
use_buffering = true
http_timeout = 250
${retries('http')}`,
  );
  return path;
}

/** Where the service keeps what it knows. */
export const baseFolder = (folder: string): string => join(folder, 'base');

/** The file that the FileOutput writes. */
export const outputPath = (folder: string): string => join(folder, 'file.out');
