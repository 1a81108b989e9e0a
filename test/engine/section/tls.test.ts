import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encryption, HAS_CERTIFICATE, tls } from '../../../engine/section/tls.ts';

const listener = z.strictObject(encryption);
const messages = (schema: z.ZodType, value: object): string[] => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

describe('encryption', () => {
  it('has what is not said', () => {
    expect(tls.parse({})).toEqual({ insecure_skip_verify: false });
    expect(listener.parse({})).toEqual({
      use_tls: false,
      tls: { client_auth: 'NoClientCert', session_tickets_disabled: false, prefer_server_ciphers: true },
    });
  });

  it.each([{ cert_file: 'a' }, { key_file: 'a' }])('needs both files: %j', (value) => {
    expect(messages(tls, value)).toEqual(['needs cert_file and key_file together']);
    expect(messages(listener, { tls: value })).toEqual(['needs cert_file and key_file together']);
  });

  it.each<[value: object, isRight: boolean]>([
    [{ min_version: 'TLS12', max_version: 'TLS13' }, true],
    [{ min_version: 'TLS13', max_version: 'TLS13' }, true],
    [{ min_version: 'TLS13', max_version: 'TLS12' }, false],
    [{ max_version: 'TLS12' }, true],
    [{ max_version: 'TLS11' }, false],
    [{ min_version: 'TLS10', max_version: 'TLS11' }, true],
  ])('has versions in order: %j', (value, isRight) => {
    expect(messages(tls, value)).toEqual(isRight ? [] : ['max_version is below min_version, which is TLS12 where it is not set']);
  });

  it('has a key of 32 bytes', () => {
    expect(messages(listener, { tls: { session_ticket_key: 'aB'.repeat(32) } })).toEqual([]);
    expect(messages(listener, { tls: { session_ticket_key: 'aB'.repeat(31) } })).toEqual(['must be 32 bytes in hex']);
  });

  it('needs a certificate where it is used', () => {
    const holds = HAS_CERTIFICATE.holds;
    expect([
      holds({ use_tls: false, tls: {} }),
      holds({ use_tls: true, tls: {} }),
      holds({ use_tls: true, tls: { cert_file: 'a' } }),
    ]).toEqual([true, false, true]);
  });
});
