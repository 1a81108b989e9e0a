import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { messageMaker, signerOf, type HeaderFlags, type SignerFlags } from '../../../../engine/cli/inject/message-flags.ts';
import { nowNs } from '../../../../engine/message/timestamp.ts';
import { parseUuid } from '../../../../engine/message/uuid.ts';

const UUID = '0f6a1c2e-1111-4222-8333-944455556666';
const folder = mkdtempSync(join(tmpdir(), 'sluicebox-flags-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a message of flags', () => {
  it('has what was given, and nothing else', () => {
    const headers = { type: 't', severity: '-3', pid: '2147483647', 'env-version': 'v', timestamp: '1970-01-01T00:00:01Z', uuid: UUID };
    expect(messageMaker(headers, [{ kind: 'field-bool', value: 'a=true' }])()).toMatchObject({
      ...{ type: 't', severity: -3, pid: 2_147_483_647, envVersion: 'v', timestamp: 1_000_000_000n, uuid: parseUuid(UUID) },
      ...{ logger: undefined, payload: undefined, hostname: undefined, fields: [{ name: 'a', values: [true] }] },
    });
  });

  it.each<HeaderFlags>([{}, { timestamp: 'now' }])('is of now, and each is another one: %j', (headers) => {
    const before = nowNs();
    const make = messageMaker(headers, []);
    const [one, two] = [make(), make()];
    expect(one.timestamp).toBeGreaterThanOrEqual(before);
    expect(one.uuid).not.toEqual(two.uuid);
  });

  it.each<[HeaderFlags, string]>([
    [{ severity: 'x' }, "--severity must be a whole number of 32 bits, not 'x'"],
    [{ pid: '2147483648' }, "--pid must be a whole number of 32 bits, not '2147483648'"],
    [{ uuid: 'x' }, `--uuid must be like ${UUID}, not 'x'`],
    [{ timestamp: 'x' }, "--timestamp must be nanoseconds since 1970 or a date such as 2021-03-05T13:07:59Z, not 'x'"],
  ])('%j', (headers, text) => expect(() => messageMaker(headers, [])).toThrow(text));
});

describe('a signer of flags', () => {
  const PLAIN: SignerFlags = { 'signer-version': '1', hmac: 'sha1' };
  const file = join(folder, 'key');
  writeFileSync(file, 'secret\r\n');

  it('signs nothing without a name', () => expect(signerOf(PLAIN)).toBeNull());

  it.each<Partial<SignerFlags>>([{ key: 'secret' }, { 'key-file': file }])('has a key: %j', (key) => {
    expect(signerOf({ ...PLAIN, ...key, signer: 'a' })).toEqual({ name: 'a', version: 1, hash: 'sha1', key: 'secret' });
  });

  it.each<[Partial<SignerFlags>, string]>([
    [{ signer: 'a' }, '--signer needs --key or --key-file.'],
    [{ key: 'k' }, 'a key without --signer signs nothing.'],
    [{ 'key-file': file }, 'a key without --signer signs nothing.'],
    [{ signer: 'a', key: 'k', 'key-file': file }, '--key and --key-file exclude each other.'],
    [{ signer: 'a', 'key-file': join(folder, 'none') }, '--key-file cannot be read: '],
    [{ signer: 'a', key: 'k', hmac: 'sha256' }, "--hmac must be one of md5, sha1, not 'sha256'"],
    [{ signer: 'a', key: 'k', 'signer-version': '4294967296' }, "--signer-version must fit into 32 bits, not '4294967296'"],
  ])('%j', (flags, text) => expect(() => signerOf({ ...PLAIN, ...flags })).toThrow(text));
});
