import { describe, expect, it } from 'vitest';
import { fitted, type Fitted } from '../../../engine/incident/fit.ts';
import { recordOf } from './fixtures.ts';

/** Signs that HTML knows are escapes of six bytes. */
const bytesInPage = (text: string): number => Buffer.byteLength(text.replaceAll(/[<>&]/g, '\\u003c'));
const fit = (texts: readonly string[], values: readonly string[], room = 2_200_000): Fitted =>
  fitted({ records: texts.map((text, i) => ({ ...recordOf(text, i), values })), columns: values.map((_, i) => `c${i}`) }, room);

describe('records in a page', () => {
  it('stay as they are where there is room', () => {
    expect(fit(['one', 'two'], ['v'])).toMatchObject({
      records: [{ text: 'one', values: ['v'] }, { text: 'two' }],
      columns: ['c0'],
      cut: null,
      dropped: { columns: [], records: 0 },
    });
    expect(fit([], ['v'])).toMatchObject({ records: [], columns: ['c0'], cut: null });
  });

  it.each<[string, string[], string[], number, object]>([
    [
      'columns, the last first',
      ['x'.repeat(50)],
      ['a'.repeat(60), 'b'.repeat(60)],
      300,
      { columns: ['c0'], cut: null, dropped: { columns: ['c1'], records: 0 } },
    ],
    ['the ends of long texts alone', ['x'.repeat(900), 'short'], [], 500, { cut: 415, dropped: { records: 0 } }],
    ['records, once texts are short', Array.from({ length: 10 }, () => 'x'.repeat(200)), [], 800, { cut: 120, dropped: { records: 5 } }],
    ['all but one record', ['x'.repeat(200), 'y'], [], 1, { cut: 120, dropped: { records: 1 } }],
  ])('lose %s', (_name, texts, values, room, expected) => expect(fit(texts, values, room)).toMatchObject(expected));

  it.each<[string, string, string]>([
    ['escapes of the page', '<', '<'.repeat(19)],
    ['letters of several bytes', 'é', 'é'.repeat(58)],
    ['pairs, which are not halved', '😀', '😀'.repeat(29)],
    ['control characters, which are shown as escapes', '\u0001', `${'\\u0001'.repeat(16)}\\u00`],
  ])('are cut by bytes: %s', (_name, sign, kept) => {
    expect(fit([sign.repeat(200)], [], 160)).toMatchObject({ cut: 120, records: [{ text: `${kept}…` }] });
  });

  it('say at which length a text was cut, also one that is far too long', () => {
    const texts = [...Array.from({ length: 100 }, () => '日'.repeat(20_000)), 'x'.repeat(1_000_000)];
    for (const given of [texts, texts.slice(-1)]) {
      const { records, cut } = fit(given, []);
      expect(cut).toBe(20_000);
      for (const { text } of records) expect([Buffer.byteLength(text) <= 20_000, text.at(-1)]).toEqual([true, '…']);
    }
  });

  it.each([300, 1000, 6000, 10_000, 20_000, 50_000])('never take more room than there is: %d bytes', (room) => {
    const { records, dropped } = fit(
      Array.from({ length: 100 }, () => 'é<'.repeat(300)),
      ['a'.repeat(10), 'b'.repeat(10)],
      room,
    );
    const sizes = records.map(({ text, values }) => 40 + bytesInPage(text) + bytesInPage(values.join('')));
    expect(records.length + dropped.records).toBe(100);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(room);
  });
});
