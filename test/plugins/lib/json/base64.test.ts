import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64, bytesOfBase64 } from '../../../../plugins/lib/json/base64.ts';

describe('bytes in base64', () => {
  it('are those of Node, and come back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(base64(bytes)).toBe(text);
        expect(bytesOfBase64(text)).toEqual(bytes);
        expect(bytesOfBase64(text.replace(/=+$/, ''))).toEqual(bytes);
      }),
    );
  });

  it.each(['a b', 'ab=c', 'ab-_', 'ü', '===='])('are not %j', (text) => expect(bytesOfBase64(text)).toBeNull());
});
