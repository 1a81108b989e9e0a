import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileOf, sluicebox } from './run-cli.ts';

const payloads = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { Payload: unknown }).Payload]));

describe('sluicebox run on framed messages', () => {
  it('gives signed messages to those who want their signer, and drops forged ones', async () => {
    const stream = fileOf('stream.pb', '');
    const sign = (key: string): string[] => ['--signer', 'ops', '--signer-version', '2', '--hmac', 'sha1', '--key', key];
    await sluicebox(['inject', '--payload', 'plain', stream]);
    await sluicebox(['inject', '--payload', 'signed', ...sign('s3cret'), stream]);
    await sluicebox(['inject', '--payload', 'forged', ...sign('other'), stream]);
    const all = fileOf('all.jsonl', '');
    const signed = fileOf('signed.jsonl', '');
    const config = fileOf(
      'framed.toml',
      `[stream]
type = "FileInput"
paths = [${JSON.stringify(stream)}]
splitter = "framing"
decoder = "protobuf"
start = "begin"
[stream.signers.ops_2]
hmac_key = "s3cret"

[all]
type = "FileOutput"
path = ${JSON.stringify(all)}
message_matcher = "TRUE"

[signed]
type = "FileOutput"
path = ${JSON.stringify(signed)}
message_matcher = "TRUE"
message_signer = "ops"

[echo]
type = "SandboxFilter"
filename = ${JSON.stringify(fileOf('echo-signed.js', "function process_message() { inject_payload('txt', '', 'seen ', read_message('Payload')); return 0; }"))}
message_matcher = "TRUE"
message_signer = "ops"
`,
    );
    const result = await sluicebox(['run', '--until-idle', config], '', {
      SLUICEBOX_DATA: fileOf('data', '').replace(/data$/, 'framed-data'),
    });
    expect(result).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^[^\n]*stream\.pb has a message with a wrong signature by ops_2\.[^\n]*\n$/) as string,
    });
    expect(payloads(readFileSync(all, 'utf8'))).toEqual(['plain', 'signed', 'seen signed']);
    expect(payloads(readFileSync(signed, 'utf8'))).toEqual(['signed']);
  });
});
