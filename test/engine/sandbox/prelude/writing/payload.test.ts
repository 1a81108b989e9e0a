/** Tests that the payload buffer takes exactly the texts that fit, whatever characters they have. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { batchOf, message, SandboxBench, stable } from '../../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const LIMIT = 60;
const SOURCE = `
function process_message() {
  const refused = [];
  for (const [i, text] of JSON.parse(read_message('Payload')).entries()) {
    try { add_to_payload(text); } catch (error) { if (error instanceof RangeError) refused.push(i); else throw error; }
  }
  try { inject_payload('txt', refused.join()); } catch (error) { return [-1, String(error)]; }
  return 0;
}`;

/** Computes the expected content of the buffer and the numbers of the refused texts. */
function plainly(texts: readonly string[]): [payload: string, refused: string] {
  const refused: number[] = [];
  let payload = '';
  for (const [i, text] of texts.entries()) {
    if (Buffer.byteLength(payload) + Buffer.byteLength(text) >= LIMIT) refused.push(i);
    else payload += text;
  }
  return [payload, refused.join()];
}

test('texts of one to four bytes a character', async () => {
  const sandbox = await bench.start(SOURCE, { limits: { output: LIMIT, processInject: 1000 } });
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '…', '😀', '\ud83d'), maxLength: 25 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 20 }), async (lists) => {
      const batch = batchOf(lists.map((list) => message({ payload: JSON.stringify(list) })));
      const result = await sandbox.process(batch, null);
      expect(result).toMatchObject({ failures: [], terminated: null });
      const expected = lists.map(plainly).filter(([payload]) => payload !== '');
      const injected = stable(result).messages.map(({ payload, fields }) => [payload, fields?.[1]?.values[0]]);
      expect(injected).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});
