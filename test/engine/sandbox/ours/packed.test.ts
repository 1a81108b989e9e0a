import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LatinText, madeText } from '../../../../engine/message/latin-text.ts';
import { packBlocks, packTexts, receivedText, sentText, unpackedBlocks, unpackedTexts } from '../../../../engine/sandbox/ours/packed.ts';

test('texts come out as they went in', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: 'binary' }).map((text) => text.repeat(5000)),
        ),
      ),
      (texts) => {
        expect(unpackedTexts(packTexts(texts))).toEqual(texts);
      },
    ),
  );
});

test('blocks come out as they went in, one alone as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (blocks) => {
      const buffers = blocks.map((block) => Uint8Array.from(block).buffer);
      const out = unpackedBlocks(packBlocks(buffers));
      expect(out.map((block) => [...new Uint8Array(block)])).toEqual(blocks.map((block) => [...block]));
      if (buffers.length === 1) expect(out[0]).toBe(buffers[0]);
    }),
  );
});

test('a text whose bytes are shared goes as these, any other as it is', () => {
  const shared = LatinText.shared(Buffer.from('caf\u00e9', 'latin1'));
  expect(sentText(shared)).toBe(shared.bytes);
  expect(madeText(receivedText(structuredClone(sentText(shared))))).toBe('café');
  expect(sentText(new LatinText(Buffer.from('own')))).toBe('own');
  expect(receivedText(sentText('wide \u2192'))).toBe('wide →');
});
