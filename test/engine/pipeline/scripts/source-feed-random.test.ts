import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinTexts } from '../../../../engine/inputs/text.ts';
import { recordBatch } from '../../../../engine/inputs/pieces.ts';
import type { Input, InputSink, InputStats } from '../../../../engine/inputs/types.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { SourceFeed } from '../../../../engine/pipeline/scripts/source-feed.ts';
import type { ReadAnswer } from '../../../../engine/sandbox/contract/types.ts';
import { message, payloads } from '../fakes.ts';

/** Brings texts as pieces of streams, in turn, and remembers how far it was told. */
class Streams implements Input {
  readonly name = 'in';
  readonly told: number[];
  readonly #pieces: readonly { readonly stream: number; readonly text: string }[];
  readonly #keys: object[];

  constructor(pieces: readonly { readonly stream: number; readonly text: string }[]) {
    this.#pieces = pieces;
    this.#keys = [{}, {}];
    this.told = [0, 0];
  }

  async start(sink: InputSink): Promise<void> {
    const read = [0, 0];
    void (async () => {
      for (const { stream, text } of this.#pieces) {
        const from = read[stream] as number;
        read[stream] = from + text.length;
        const tell = (bytes: number): void => void (this.told[stream] = from + bytes);
        const batch = recordBatch(joinTexts([text]), { type: 't', logger: 'l', hostname: null });
        const acknowledge = (): void => tell(text.length);
        await sink.deliver({ batch, firstLine: 0, stream: this.#keys[stream], acknowledgeTo: tell, acknowledge });
      }
      sink.idle();
    })();
  }

  async stop(): Promise<void> {
    // Nothing goes on here.
  }

  stats(): InputStats {
    return { bytes: 0, records: 0, dropped: 0, totalBytes: 0 };
  }
}

/** Something that takes its time, so that other things happen meanwhile. */
const slow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Steps of a script's host. */
type Step = 'goes on' | 'keeps its state' | 'dies' | 'dies while it reads';

const steps = fc.array(fc.constantFrom<Step>('goes on', 'goes on', 'keeps its state', 'keeps its state', 'dies', 'dies while it reads'), {
  maxLength: 40,
});
const pieces = fc.array(
  fc.record({ stream: fc.nat(1), text: fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 6 }) }),
  { maxLength: 12 },
);

/** A script that injects lines and counts them; a death puts it back to its last state. */
async function runScript(feed: SourceFeed, plan: readonly Step[]): Promise<number> {
  const left = [...plan];
  const next = (): Step => left.shift() ?? 'keeps its state';
  let known = 0;
  let count = 0;
  const persist = async (): Promise<void> => undefined;
  const read = async (rest: number): Promise<ReadAnswer | 'dead'> => {
    let step = next();
    for (let kept = rest; ; kept = 0) {
      if (step === 'dies') return 'dead';
      const saved = step !== 'goes on';
      if (saved) known = count;
      const reading = feed.read({ form: 'text', rest: kept, saved, persist });
      if (step === 'dies while it reads') {
        await slow();
        return 'dead';
      }
      const answer = await reading;
      if (answer.kind !== 'save') return answer;
      step = 'keeps its state';
    }
  };
  for (;;) {
    let rest = '';
    for (;;) {
      const answer = await read(rest.length);
      if (answer === 'dead') {
        count = known;
        feed.rewind();
        break;
      }
      if (answer.kind === 'end') {
        await feed.finish(persist);
        return count;
      }
      if (answer.kind !== 'text') throw new Error(answer.kind);
      const lines = answer.text.split('\n');
      rest = answer.ended ? '' : (lines.pop() ?? '');
      for (const line of lines) {
        count++;
        await feed.take(batchOf([message(`${line} ${count}`)]));
      }
    }
  }
}

test('every line comes once and in order, with the state of its time, whenever the host dies', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, steps, async (given, plan) => {
      const input = new Streams(given);
      const feed = new SourceFeed({ input, form: 'chunks', keepsState: false, remembers: true, endsWhenIdle: true, now: () => 0 });
      const seen: string[] = [];
      const deliver = async (batch: Parameters<SourceFeed['take']>[0], through: () => void): Promise<void> => {
        await slow();
        seen.push(...payloads(batch));
        through();
      };
      await feed.start({ notice: () => undefined }, deliver, () => undefined);
      const count = await runScript(feed, plan);
      const texts = [0, 1].map((stream) => given.flatMap((piece) => (piece.stream === stream ? [piece.text] : [])).join(''));
      const wanted = texts.flatMap((text) => (text === '' ? [] : text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined)));
      expect(seen.map((line) => line.replace(/ \d+$/, '')).toSorted()).toEqual(wanted.toSorted());
      expect(seen.map((line) => Number(line.slice(line.lastIndexOf(' '))))).toEqual(seen.map((_, i) => i + 1));
      expect(count).toBe(seen.length);
      expect(input.told).toEqual(texts.map(({ length }) => length));
    }),
    { numRuns: 500 },
  );
});
