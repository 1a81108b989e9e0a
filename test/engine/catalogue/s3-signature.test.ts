import { describe, expect, it } from 'vitest';
import { queryOf, signed, uriEncoded } from '../../../engine/catalogue/s3-signature.ts';

/** The examples of AWS's own documentation. */
const keys = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', sessionToken: null };
const now = new Date('2013-05-24T00:00:00Z');
const HOST = 'https://examplebucket.s3.amazonaws.com';

describe('signed', () => {
  it.each([
    ['/test.txt', { range: 'bytes=0-9' }, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
    [`/?${queryOf({ prefix: 'J', 'max-keys': '2' })}`, {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('signs GET %s as AWS does', (path, headers, signature) => {
    const sent = signed({ method: 'GET', url: new URL(HOST + path), headers, body: null }, keys, 'us-east-1', now);
    expect(sent['authorization']).toContain(`Signature=${signature}`);
    expect(sent['authorization']).toContain('Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request');
    expect(sent['host']).toBeUndefined();
  });

  it('signs the token of keys that are valid for a while', () => {
    const sent = signed(
      { method: 'GET', url: new URL(HOST), headers: {}, body: null },
      { ...keys, sessionToken: 'token' },
      'us-east-1',
      now,
    );
    expect(sent['x-amz-security-token']).toBe('token');
    expect(sent['authorization']).toContain(';x-amz-security-token');
  });
});

it.each([
  ["a b%'(é)*!", 'a%20b%25%27%28%C3%A9%29%2A%21'],
  ['-._~=/', '-._~%3D%2F'],
])('encodes %s', (text, encoded) => expect(uriEncoded(text)).toBe(encoded));
