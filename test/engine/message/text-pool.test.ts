import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { hasHeldTexts, holdTexts, releaseTexts, withMadeTexts } from '../../../engine/message/batch/held-texts.ts';
import { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { textHeader, textValues, type LatinText } from '../../../engine/message/latin-text.ts';
import { TextPool } from '../../../engine/message/text-pool.ts';
import { ValueType } from '../../../engine/message/types.ts';

const bytesOf = (letter: string, length = 1000): Buffer => Buffer.alloc(length, letter);

/** A batch with pieces of texts in a header and in a field. */
function batchWith(payload: LatinText, field: LatinText): MessageBatch {
  const [starts, ends] = [Uint32Array.of(0), Uint32Array.of(1)];
  const values = textValues(field, starts, ends);
  return new MessageBatch({
    length: 1,
    timestamps: new BigInt64Array(1),
    type: { constant: 't' },
    payload: textHeader(null, payload, starts, ends),
    fields: [
      { name: 'a', representation: null, rows: null, offsets: null, valueType: ValueType.STRING, values },
      { name: 'b', representation: null, rows: null, offsets: null, valueType: ValueType.DOUBLE, values: Float64Array.of(1) },
    ],
  });
}

describe('memory for texts', () => {
  test('is used again only when nobody holds the text any more', () => {
    const step = fc.oneof(
      fc.record({ does: fc.constant('take' as const), letter: fc.constantFrom(...'abcdef'), length: fc.integer({ min: 1, max: 2000 }) }),
      fc.record({ does: fc.constantFrom('hold' as const, 'release' as const), which: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const pool = new TextPool();
        const held: { text: LatinText; content: string; times: number }[] = [];
        for (const step of steps) {
          if (step.does === 'take') {
            const bytes = bytesOf(step.letter, step.length);
            const text = pool.text(bytes) as LatinText;
            held.push({ text, content: bytes.toString(), times: 1 });
            continue;
          }
          const one = held[step.which % Math.max(1, held.length)];
          if (one === undefined) continue;
          one.text[step.does]();
          one.times += step.does === 'hold' ? 1 : -1;
          if (one.times > 0) continue;
          held.splice(held.indexOf(one), 1);
          expect(() => one.text.bytes).toThrow('given back');
        }
        for (const { text, content } of held) expect([text.bytes.toString(), text.length]).toEqual([content, content.length]);
      }),
    );
  });

  test('stays that of texts that were made', () => {
    const pool = new TextPool();
    const first = pool.text(bytesOf('a')) as LatinText;
    const { text } = first;
    const { buffer } = first.bytes;
    first.release();
    const second = pool.text(bytesOf('b', 3)) as LatinText;
    expect(second.bytes.buffer).toBe(buffer);
    expect([first.text, second.text]).toEqual([text, 'bbb']);
    first.release();
    expect((pool.text(bytesOf('c')) as LatinText).bytes.buffer).not.toBe(buffer);
  });

  test('is bounded', () => {
    const pool = new TextPool();
    const texts: LatinText[] = [];
    for (let text = pool.text(bytesOf('a', 1)); text !== null; text = pool.text(bytesOf('a', 1))) texts.push(text);
    expect(texts.length).toBe(32);
    texts[7]?.release();
    expect(pool.text(bytesOf('b', 1))?.text).toBe('b');
    expect([pool.text(bytesOf('c', 1)), new TextPool().text(bytesOf('d', 2 << 20))]).toEqual([null, null]);
  });

  test('is given back when no text is wanted any more', () => {
    vi.useFakeTimers();
    try {
      const pool = new TextPool();
      const texts = Array.from({ length: 32 }, () => pool.text(bytesOf('a')) as LatinText);
      const [first] = texts as [LatinText];
      const { buffer } = first.bytes;
      const taken = (): ArrayBufferLike => (pool.text(bytesOf('b')) as LatinText).bytes.buffer;
      first.release();
      vi.advanceTimersByTime(4000);
      expect(taken()).toBe(buffer);
      texts[1]?.release();
      const second = texts[2]?.bytes.buffer;
      texts[2]?.release();
      vi.advanceTimersByTime(5000);
      // It was wanted within the time.
      expect(taken()).toBe(second);
      vi.advanceTimersByTime(15_000);
      expect([second, buffer]).not.toContain(taken());
      expect(pool.text(bytesOf('c'))).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  test('is that of all texts of a batch', () => {
    const pool = new TextPool();
    const [payload, field] = [pool.text(bytesOf('p')), pool.text(bytesOf('f'))] as [LatinText, LatinText];
    for (const texts of [
      [payload, field],
      [payload, payload],
    ] as const) {
      const batch = batchWith(...texts);
      holdTexts(batch);
      releaseTexts(batch);
    }
    expect([payload.slice(0, 1), field.slice(0, 1)]).toEqual(['p', 'f']);
    const mixed = batchWith(payload, field);
    const made = withMadeTexts(mixed);
    expect([mixed, made].map(hasHeldTexts)).toEqual([true, false]);
    expect(made.message(0)).toEqual(mixed.message(0));
    expect(withMadeTexts(made)).toBe(made);
    releaseTexts(batchWith(payload, payload));
    expect(
      [() => payload.bytes, () => field.bytes].map((read) => {
        try {
          return read()[0];
        } catch {
          return null;
        }
      }),
    ).toEqual([null, 102]);
  });
});
