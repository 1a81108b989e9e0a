import fc from 'fast-check';
import { ftruncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeFrame, FrameReader, type Frame } from '../../../../engine/sandbox/wire/frames.ts';
import {
  closeScratch,
  HALF_BYTES,
  INLINE,
  openScratch,
  ScratchReader,
  ScratchWriter,
  WORTHWHILE_BYTES,
} from '../../../../engine/sandbox/wire/scratch.ts';

let file = 0;

beforeEach(() => {
  const opened = openScratch();
  if (opened === null) throw new Error('no file can be shared here');
  file = opened;
});
afterEach(() => closeScratch(file));

const bytesOf = (length: number, seed: number): Uint8Array => new Uint8Array(length).fill(seed).fill(seed + 1, length >> 1);

describe('what both sides share', () => {
  it('gives back what was written, again and again around its end, and refuses what does not fit', () => {
    const sizes = fc.array(fc.tuple(fc.integer({ min: 0, max: HALF_BYTES >> 2 }), fc.boolean()), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(sizes, (steps) => {
        const writer = new ScratchWriter(file, 0);
        const reader = new ScratchReader(file, 0);
        const waiting: { place: number; bytes: Uint8Array }[] = [];
        const readOne = (): void => {
          const next = waiting.shift();
          if (next === undefined) return;
          const [a, b] = [new Uint8Array(next.bytes.length >> 1), new Uint8Array(next.bytes.length - (next.bytes.length >> 1))];
          reader.read(next.place, [a, b]);
          writer.free(reader.position);
          expect(Buffer.compare(Buffer.concat([a, b]), next.bytes)).toBe(0);
        };
        for (const [i, [size, late]] of steps.entries()) {
          const bytes = bytesOf(size, i);
          const place = writer.write([bytes.subarray(0, 3), bytes.subarray(3)], size);
          if (place === INLINE) expect(waiting.length).toBeGreaterThan(0);
          else waiting.push({ place, bytes });
          if (!late) readOne();
        }
        while (waiting.length > 0) readOne();
        expect(writer.write([bytesOf(HALF_BYTES, 0)], HALF_BYTES)).not.toBe(INLINE);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the halves apart', () => {
    const [engine, host] = [new ScratchWriter(file, 0), new ScratchWriter(file, 1)];
    const ofEngine = bytesOf(HALF_BYTES, 1);
    const places = [engine.write([ofEngine], HALF_BYTES), host.write([bytesOf(HALF_BYTES, 2)], HALF_BYTES)];
    const read = new Uint8Array(HALF_BYTES);
    new ScratchReader(file, 0).read(places[0] as number, [read]);
    expect(Buffer.compare(read, ofEngine)).toBe(0);
  });

  it('takes texts as they are, one byte a unit or two', () => {
    const texts = [
      { text: 'h\u00e9', wide: false, byteLength: 2 },
      { text: '', wide: false, byteLength: 0 },
      { text: '\u20ac\ud83d', wide: true, byteLength: 4 },
    ];
    const place = new ScratchWriter(file, 0).write([bytesOf(3, 9), ...texts, bytesOf(2, 8)], 11);
    const read = new Uint8Array(11);
    new ScratchReader(file, 0).read(place, [read]);
    expect([...read]).toEqual([9, 10, 10, 0x68, 0xe9, 0xac, 0x20, 0x3d, 0xd8, 8, 9]);
  });

  it.each([
    ['larger than a half', HALF_BYTES + 1],
    ['what does not fit beside what was not read', HALF_BYTES - 7],
  ])('leaves to the pipe: %s', (_, size) => {
    const writer = new ScratchWriter(file, 0);
    expect(writer.write([bytesOf(8, 0)], 8)).toBe(0);
    expect(writer.write([new Uint8Array(size)], size)).toBe(INLINE);
  });

  it('leaves everything to the pipe when the file takes nothing', () => {
    expect(new ScratchWriter(-1, 0).write([bytesOf(8, 0)], 8)).toBe(INLINE);
  });
});

describe('frames', () => {
  const large = bytesOf(WORTHWHILE_BYTES, 5);
  const outgoing = { kind: 4, box: 1, call: 2, head: '{}', block: [large], texts: [large] };
  const shared = () => ({ writer: new ScratchWriter(file, 0), reader: new ScratchReader(file, 0) });
  const read = (reader: FrameReader, pieces: readonly Uint8Array[]): Frame | null => {
    reader.push(Buffer.concat(pieces));
    return reader.next();
  };

  it('carry in the pipe only where their large parts are', () => {
    const pieces = encodeFrame(outgoing, shared());
    expect(Buffer.concat(pieces).length).toBeLessThan(64);
    const reader = new FrameReader();
    reader.share(shared());
    const frame = read(reader, pieces);
    expect(Buffer.compare(new Uint8Array(frame?.block ?? new ArrayBuffer(0)), large)).toBe(0);
    expect(Buffer.compare(frame?.texts ?? Buffer.alloc(0), large)).toBe(0);
  });

  it('are broken when they name what is not shared, not there, or too large', () => {
    const pieces = encodeFrame(outgoing, shared());
    expect(() => read(new FrameReader(), pieces)).toThrow(/not shared/);
    const changed = (at: number, value: number): Uint8Array[] => {
      const bytes = Buffer.concat(pieces);
      bytes.writeUInt32LE(value, at);
      return [bytes];
    };
    const reader = (): FrameReader => {
      const made = new FrameReader();
      made.share(shared());
      return made;
    };
    expect(() => read(reader(), changed(24, HALF_BYTES - 8))).toThrow(/not where it says/);
    expect(() => read(reader(), changed(16, HALF_BYTES))).toThrow(/larger than what is shared/);
    ftruncateSync(file, 100);
    expect(() => read(reader(), pieces)).toThrow(/not where it says/);
  });
});
