import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, FrameReader, type Frame } from '../../../../engine/sandbox/wire/frames.ts';

test('frames are read whatever pieces they come in', () => {
  const frame = fc.record({
    kind: fc.nat(20),
    box: fc.nat(),
    call: fc.nat(),
    head: fc.string(),
    block: fc.uint8Array({ maxLength: 50 }).map((bytes) => [bytes]),
    texts: fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 40 })), (frames, sizes) => {
      const bytes = Buffer.concat(frames.flatMap((one) => encodeFrame(one)));
      const reader = new FrameReader();
      const read: Frame[] = [];
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = sizes[i % Math.max(1, sizes.length)] ?? bytes.length;
        reader.push(bytes.subarray(at, at + size));
        for (let one = reader.next(); one !== null; one = reader.next()) read.push(one);
        at += size;
      }
      expect(
        read.map(({ kind, box, call, head, block, texts }) => [kind, box, call, head, ...new Uint8Array(block), '|', ...texts]),
      ).toEqual(
        frames.map(({ kind, box, call, head, block, texts }) => [
          kind,
          box,
          call,
          head.toWellFormed(),
          ...block.flatMap((b) => [...b]),
          '|',
          ...texts.flatMap((b) => [...b]),
        ]),
      );
      expect(reader.inside).toBe(false);
    }),
  );
});

test('texts of a frame that was given back make room for those of later ones, which are whole', () => {
  const reader = new FrameReader();
  const read = (text: string): Frame => {
    reader.push(Buffer.concat(encodeFrame({ kind: 1, box: 1, call: 1, head: '', texts: [Buffer.from(text)] })));
    return reader.next() as Frame;
  };
  const [first, kept] = [read('a long text'), read('kept')];
  reader.release(first);
  const second = read('a text');
  expect([second.texts.toString(), second.texts.buffer === first.texts.buffer]).toEqual(['a text', true]);
  expect([read('another').texts.toString(), second.texts.toString(), kept.texts.toString()]).toEqual(['another', 'a text', 'kept']);
  reader.release(second);
  expect(read('longer than all before').texts.toString()).toBe('longer than all before');
});
