import { describe, expect, it } from 'vitest';
import { AcknowledgedInput, type AcknowledgedInputOptions } from '../../../../engine/inputs/acknowledged/acknowledged-input.ts';
import { SessionError, type Session, type Step } from '../../../../engine/inputs/acknowledged/session.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { until } from '../../../until.ts';
import type { TestSink } from '../harness.ts';
import { Client, started } from './client.ts';

const recordsOf = (...payloads: readonly string[]): Step['batch'] =>
  batchOf(payloads.map((payload) => ({ uuid: new Uint8Array(16), timestamp: 0n, payload, fields: [] })));

/** A made-up protocol: each letter is a step, which is answered with its capital. */
const STEPS: Readonly<{ [letter: string]: Omit<Step, 'answer'> }> = {
  a: { batch: recordsOf('one', 'two') },
  e: { batch: null },
  r: { batch: recordsOf(), rejected: { count: 3, reason: 'they are bad' } },
  t: { batch: recordsOf('cut'), truncated: 1 },
  i: { batch: recordsOf('ü'), invalid: true },
  q: { batch: null, isLast: true },
};

class Letters implements Session {
  readonly patience = Buffer.from('.');
  waiting = 0;

  *push(chunk: Buffer): Iterable<Step> {
    for (const letter of chunk.toString()) {
      if (letter === '(') this.waiting++;
      else if (STEPS[letter] === undefined) throw new SessionError('it is no letter');
      else yield { ...STEPS[letter], answer: Buffer.from(letter.toUpperCase()) };
    }
  }
}

async function letters(
  more: Partial<AcknowledgedInputOptions> = {},
): Promise<{ sink: TestSink; client: Client; input: AcknowledgedInput }> {
  const input = new AcknowledgedInput({ name: 'in', address: '127.0.0.1:0', maxMessage: 1000, ...more }, () => new Letters());
  const sink = await started(input);
  return { sink, input, client: await Client.to(input) };
}

describe('an input that acknowledges', () => {
  it.each<[sent: string, answer: string, records: number, dropped: number, codes: readonly string[]]>([
    ['aea', 'AEA', 4, 0, []],
    ['rr', 'RR', 0, 6, ['record.rejected', 'record.rejected']],
    ['ttii', 'TTII', 4, 0, ['record.truncated', 'record.encoding']],
    ['eqa', 'EQ', 0, 0, []],
    ['a!a', 'A', 2, 0, ['stream.framing']],
    ['e(', 'E', 0, 0, ['connection.broken']],
  ])('takes %s', async (sent, answer, records, dropped, codes) => {
    const { sink, client, input } = await letters();
    client.socket.end(sent);
    await until(() => client.isClosed);
    expect(client.answer).toBe(answer);
    expect(input.stats()).toEqual({ bytes: sent.length, records, dropped, totalBytes: sent.length });
    expect(sink.codes).toEqual(codes);
  });

  it('gives signs while a sender waits, and none before', async () => {
    const { sink, client } = await letters({ patienceMs: 5 });
    sink.acknowledges = false;
    client.send('e');
    await until(() => client.answer === 'E');
    client.send('a');
    await until(() => client.answer.startsWith('E..'));
    sink.batches[0]?.acknowledge();
    await until(() => /^E\.+A$/.test(client.answer));
  });
});
