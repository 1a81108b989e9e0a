import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { httpIndex, udpIndex } from '../../../engine/outputs/bulk-output.ts';
import { BulkWriter } from '../../../engine/outputs/bulk-writer.ts';
import { UdpWriter } from '../../../engine/outputs/udp-output.ts';
import { cleanUp, cleanups, httpServer, target } from './network-fixtures.ts';

afterEach(cleanUp);

describe('BulkWriter', () => {
  const FINE = '{"errors":false}';
  const index = (url: string, said: string[] = []) => httpIndex(target(url), (text) => said.push(text));
  const partly = (...results: object[]) => JSON.stringify({ took: 3, errors: true, items: results.map((result) => ({ index: result })) });

  it('sends so many messages together, and the rest after a while', async () => {
    const { url, calls } = await httpServer((_call, response) => response.end(FINE));
    const writer = new BulkWriter(index(url), { flushCount: 3, flushInterval: 50, onProblem: () => undefined });
    await Promise.all([writer.write(['1\n', '2\n']), writer.write(['3\n', '4\n', '5\n', '6\n', '7\n'])]);
    expect(calls.map(({ body }) => body)).toEqual(['1\n2\n3\n', '4\n5\n6\n', '7\n']);
    expect(writer.figures).toEqual({ SentMessageCount: 7, DropMessageCount: 0 });
    const last = writer.write(['8\n']);
    await writer.close();
    await last;
    expect(calls.at(-1)?.body).toBe('8\n');
  });

  it.each<[string, number, string, 0 | 1, string | null]>([
    [
      'errors with 200 count as success, and are said',
      200,
      '{"errors":true}',
      1,
      'the index refused some messages of a request: {"errors":true}',
    ],
    [
      'one of two is refused',
      200,
      partly({ status: 201 }, { status: 400, error: { type: 'document_parsing_exception', reason: 'failed to parse field [took]' } }),
      1,
      'the index refused 1 of 2 messages of a request: failed to parse field [took]',
    ],
    ['refused without a reason', 200, partly({ error: { type: 'x' } }), 1, 'the index refused 1 of 1 messages of a request: {"type":"x"}'],
    ['refused in a word', 200, partly({ error: 'no' }), 1, 'the index refused 1 of 1 messages of a request: no'],
    ['errors with another status are dropped', 201, '{"errors":true}', 0, '1 messages are lost: the index answers 201: {"errors":true}'],
    ['a high status is dropped', 400, '{"error":"bad"}', 0, '1 messages are lost: the index answers 400: {"error":"bad"}'],
    ['a long answer is read to its end', 200, `{"errors":false,"took":"${'x'.repeat(9 << 20)}"}`, 1, null],
    ['an empty object is fine', 200, '{}', 1, null],
    ['JSON of another kind is fine', 200, '[1]', 1, null],
  ])('%s', async (_title, status, body, sent, problem) => {
    const { url, calls } = await httpServer((_call, response) => response.writeHead(status).end(body));
    const said: string[] = [];
    const writer = new BulkWriter(index(url, said), { flushCount: 1, flushInterval: 0, onProblem: (text) => said.push(text) });
    await writer.write(['x']);
    expect(writer.figures).toEqual({ SentMessageCount: sent, DropMessageCount: 1 - sent });
    expect(calls).toHaveLength(1);
    expect(said).toEqual(problem === null ? [] : [problem]);
    await writer.close();
  });

  it('sends again what was answered by no JSON', async () => {
    const { url, calls } = await httpServer((_call, response, number) =>
      response.writeHead(number === 1 ? 502 : 200).end(number === 1 ? '<html>' : FINE),
    );
    const writer = new BulkWriter(index(url), { flushCount: 1, flushInterval: 0, onProblem: () => undefined });
    await writer.write(['x']);
    expect(calls.map(({ body }) => body)).toEqual(['x', 'x']);
    await writer.close();
  });

  it('sends datagrams of a size that fits', async () => {
    const socket = createSocket('udp4');
    const sizes: number[] = [];
    socket.on('message', (message) => sizes.push(message.length));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    cleanups.push(() => void socket.close());
    const udp = await UdpWriter.open({
      host: '127.0.0.1',
      port: socket.address().port,
      net: 'udp',
      maxMessageSize: 65_507,
      onDropped: () => undefined,
    });
    const writer = new BulkWriter(udpIndex(udp), { flushCount: 100, flushInterval: 20, onProblem: () => undefined });
    await writer.write(Array.from({ length: 5 }, () => 'x'.repeat(30_000)));
    await expect.poll(() => sizes).toEqual([60_000, 60_000, 30_000]);
    await writer.close();
  });
});
