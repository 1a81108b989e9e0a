import { expect, it } from 'vitest';
import { cutPieces, pieceBatch, recordBatch, type Piece } from '../../../engine/inputs/pieces.ts';
import { initialState, type Outlook } from '../../../engine/inputs/splitter.ts';
import { makeSplitter } from '../../../engine/inputs/splitters/index.ts';
import { nowNs } from '../../../engine/message/timestamp.ts';

const HEADERS = { type: 't', logger: 'l', hostname: 'h' };
const cut = (bytes: Buffer, outlook: Outlook = 'end', from = 0): Piece[] => [
  ...cutPieces(makeSplitter({ kind: 'line' }), bytes, from, outlook, initialState()),
];
const textsOf = ({ payload: { text, starts, ends } }: Piece): string[] => [...starts].map((start, i) => text.slice(start, ends[i]));

it('cuts records with their places', () => {
  const [piece] = cut(Buffer.from('ä\nb\n'));
  expect(piece && textsOf(piece)).toEqual(['ä', 'b']);
  expect(piece).toMatchObject({ count: 2, consumed: 5, truncated: false, invalid: false, problem: null, messages: null });
  expect([...(piece?.starts ?? [])]).toEqual([0, 3]);
});

it('begins where it is told to', () => {
  const [piece] = cut(Buffer.from('a\nb\n'), 'end', 2);
  expect(piece && textsOf(piece)).toEqual(['b']);
});

it('says that bytes were no UTF-8', () => {
  const [piece] = cut(Buffer.from([0x61, 0xff, 0x0a]));
  expect(piece?.invalid).toBe(true);
  expect(piece && textsOf(piece)).toEqual(['aÿ']);
});

it('nothing is cut from nothing', () => expect(cut(Buffer.alloc(0))).toEqual([]));

it('records become messages of now', () => {
  const before = nowNs();
  const [piece] = cut(Buffer.from('a\nb\n'));
  const batch = pieceBatch(piece as Piece, HEADERS);
  expect([0, 1].map((row) => batch.message(row))).toMatchObject([
    { type: 't', logger: 'l', hostname: 'h', payload: 'a' },
    { type: 't', logger: 'l', hostname: 'h', payload: 'b' },
  ]);
  expect(batch.message(0).timestamp).toBeGreaterThanOrEqual(before);
});

it('messages stay what they are', () => {
  const messages = recordBatch({ text: 'x', starts: Uint32Array.of(0), ends: Uint32Array.of(1) }, { ...HEADERS, hostname: null });
  expect(messages.message(0).hostname).toBeUndefined();
  expect(pieceBatch({ ...(cut(Buffer.from('a'))[0] as Piece), messages }, HEADERS)).toBe(messages);
});
