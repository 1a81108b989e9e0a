import { describe, expect, test } from 'vitest';
import { Cuts, initialState } from '../../../engine/inputs/splitter.ts';
import { cutPieces, recordBatch } from '../../../engine/inputs/pieces.ts';
import { makeSplitter } from '../../../engine/inputs/splitters/index.ts';
import { recordText, type TextForm } from '../../../engine/inputs/text.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { textAt } from '../../../engine/message/batch/batch.ts';
import { concatBatches, takeRows } from '../../../engine/message/batch/gather.ts';
import { withMadeTexts } from '../../../engine/message/batch/held-texts.ts';
import { checkBatch } from '../../../engine/message/check.ts';
import { encodeJsonLines } from '../../../engine/message/json/json-encode.ts';
import { LatinText } from '../../../engine/message/latin-text.ts';
import { encode } from './batch/wire-fixtures.ts';

const LINES = Array.from({ length: 1000 }, (_, i) => `line "${i}"\t${'x'.repeat(i % 40)}`);

/** Lines as they are read from a buffer that is used again at once. */
function batch(form: TextForm): MessageBatch {
  const bytes = Buffer.from(LINES.map((line) => `${line}\n`).join(''));
  const pieces = [...cutPieces(makeSplitter({ kind: 'line' }), bytes, 0, 'end', initialState(), form)];
  bytes.fill(0);
  const read = concatBatches(pieces.map(({ payload }) => recordBatch(payload, { type: 't', logger: 'l', hostname: null })));
  return read.with({ timestamps: new BigInt64Array(read.length), uuids: new Uint8Array(16 * read.length) });
}

const json = (rows: MessageBatch): string => Buffer.from(encodeJsonLines(rows, null).bytes).toString();

describe('records whose text is made when it is asked for', () => {
  test.each<[string, (batch: MessageBatch) => MessageBatch]>([
    ['all', (all) => all],
    ['a run of them', (all) => takeRows(all, Uint32Array.of(5, 6, 7))],
    ['some', (all) => takeRows(all, Uint32Array.of(1, 500, 999))],
    ['any order', (all) => takeRows(all, Uint32Array.of(999, 1, 500))],
    ['joined', (all) => concatBatches([takeRows(all, Uint32Array.of(3)), all])],
  ])('%s are the same', (_, some) => {
    const [made, bytes] = [some(batch('made')), some(batch('bytes'))];
    checkBatch(bytes);
    expect(json(bytes)).toBe(json(made));
    expect(encode(bytes)).toEqual(encode(made));
    expect(encode(withMadeTexts(bytes))).toEqual(encode(made));
    expect(textAt(bytes.payload, 1)).toBe(textAt(made.payload, 1));
  });

  test('nothing has the text made that only writes it', () => {
    const { payload } = batch('bytes');
    expect(payload).toMatchObject({ latin: { length: LINES.join('\n').length } });
    expect(batch('made').payload).not.toHaveProperty('latin');
  });

  test('pieces are the same, few or many of them', () => {
    const text = new LatinText(Buffer.from(LINES.join('\n')));
    let at = 0;
    for (const line of LINES) {
      expect(text.slice(at, at + line.length)).toBe(line);
      at += line.length + 1;
    }
  });

  test('a short text, and one that is no ASCII, is made at once', () => {
    const of = (text: string): object => {
      const cuts = new Cuts();
      const bytes = Buffer.from(`${text}\n`);
      makeSplitter({ kind: 'line' }).cut(bytes, 0, 'end', initialState(), cuts);
      return recordText(bytes, cuts, 'bytes').values;
    };
    expect(of('short')).not.toHaveProperty('latin');
    expect(of('é'.repeat(20_000))).not.toHaveProperty('latin');
    expect(of('e'.repeat(20_000))).toHaveProperty('latin');
  });
});
