import { describe, expect, it, vi } from 'vitest';
import { RpcCode, RpcError, serveRpc, type RpcRequest, type RpcServer } from '../../../../engine/cli/mcp/rpc.ts';

type Answer = RpcServer['answer'];

const ask = (id: string | number, method = 'ping', more: object = {}): object => ({ jsonrpc: '2.0', id, method, ...more });
const takeBack = (requestId: unknown): object => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

/** A client that sends messages, and goes when it is told to. */
function serve(messages: readonly object[], answer: Answer) {
  const gone = Promise.withResolvers<undefined>();
  const replies: unknown[] = [];
  const failed = vi.fn();
  const input = async function* (): AsyncGenerator<Buffer> {
    for (const message of messages) yield await Promise.resolve(Buffer.from(`${JSON.stringify(message)}\r\n`));
    await gone.promise;
  };
  const write = (line: string): Promise<void> => Promise.resolve(void replies.push(JSON.parse(line)));
  const ended = serveRpc(input(), write, { answer, failed });
  return { replies, failed, ended, go: () => gone.resolve(undefined) };
}

const untilAborted: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('a request', () => {
  it.each<[string, Answer, object, boolean]>([
    ['its result', ({ params }) => Promise.resolve({ params }), { result: { params: {} } }, false],
    [
      'the code of a known mistake',
      () => Promise.reject(new RpcError(RpcCode.version, 'no', { spoken: ['x'] })),
      { error: { code: -32022, message: 'no', data: { spoken: ['x'] } } },
      false,
    ],
    ['a fault of the program', () => Promise.reject(new TypeError('broken')), { error: { code: -32603, message: 'broken' } }, true],
    [
      'a result that is no JSON',
      () => Promise.resolve({ at: 1n }),
      { error: { code: -32603, message: expect.any(String) as unknown } },
      true,
    ],
  ])('is answered with %s', async (_name, answer, reply, isFault) => {
    const { replies, failed, ended, go } = serve([ask('a')], answer);
    await vi.waitFor(() => expect(replies).toEqual([{ jsonrpc: '2.0', id: 'a', ...reply }]));
    expect(failed).toHaveBeenCalledTimes(isFault ? 1 : 0);
    go();
    await ended;
  });

  it('that is taken back or whose client goes is aborted, and neither answered nor told of', async () => {
    const running: RpcRequest[] = [];
    const answer: Answer = (request) => {
      running.push(request);
      return untilAborted(request);
    };
    // The number is not the text, and what is not being answered cannot be taken back.
    const { replies, failed, ended, go } = serve([ask(1), ask('1'), takeBack('1'), takeBack({}), takeBack(7)], answer);
    await vi.waitFor(() => expect(running.map(({ signal }) => signal.aborted)).toEqual([false, true]));
    for (const { notify } of running) notify('progress', { done: 1 });
    expect(replies).toEqual([{ jsonrpc: '2.0', method: 'progress', params: { done: 1 } }]);
    go();
    await ended;
    expect([running[0]?.signal.aborted, replies.length, failed.mock.calls]).toEqual([true, 1, []]);
  });

  it('waits while 64 others are being answered', async () => {
    const begun: (() => void)[] = [];
    const answer: Answer = () => new Promise((resolve) => begun.push(() => resolve({})));
    const { replies, ended, go } = serve(
      Array.from({ length: 66 }, (_, i) => ask(i)),
      answer,
    );
    await vi.waitFor(() => expect(begun).toHaveLength(64));
    begun[5]?.();
    await vi.waitFor(() => expect(begun).toHaveLength(65));
    expect(replies).toEqual([{ jsonrpc: '2.0', id: 5, result: {} }]);
    for (const end of begun) end();
    await vi.waitFor(() => expect(begun).toHaveLength(66));
    begun[65]?.();
    go();
    await ended;
  });
});
