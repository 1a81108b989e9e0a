import { describe, expect, it, vi } from 'vitest';
import { Protocol, type ProtocolOptions } from '../../../../engine/cli/mcp/protocol.ts';
import { MOST_BYTES, serveRpc } from '../../../../engine/cli/mcp/rpc.ts';

const listed = {
  name: 'say',
  title: 'Say',
  description: 'says',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  annotations: {},
};
const said = { content: [{ type: 'text', text: 'hello' }], structuredContent: { a: 1 }, isError: false } as const;

/** Sends lines and returns the answers. */
async function answers(
  lines: readonly unknown[],
  call: ProtocolOptions['call'] = () => Promise.resolve(said),
): Promise<Record<string, unknown>[]> {
  const protocol = new Protocol({ version: '1.2.3', instructions: 'ask', tools: [listed], call });
  const written: string[] = [];
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  // Pieces end anywhere.
  const pieces = Array.from({ length: Math.ceil(text.length / 7000) }, (_, at) => Buffer.from(text.slice(at * 7000, (at + 1) * 7000)));
  const failed = vi.fn();
  await serveRpc(
    (async function* () {
      for (const piece of pieces) yield await Promise.resolve(piece);
      await new Promise((resolve) => setTimeout(resolve, 20));
    })(),
    (line) => Promise.resolve(void written.push(line)),
    { answer: (request) => protocol.answer(request), failed },
  );
  for (const line of written) expect(line).toMatch(/^[^\n]*\n$/);
  return written.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const ask = (method: string, params?: object, id: unknown = 1): object => ({ jsonrpc: '2.0', id, method, ...(params && { params }) });
const modern = (version = '2026-07-28'): object => ({
  _meta: { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} },
});
const codes = (replies: readonly Record<string, unknown>[]): unknown[] =>
  replies.map(({ error }) => (error as { code?: number } | undefined)?.code ?? 0);

describe('the Model Context Protocol', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    ['1999-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('begins with a handshake of revision %s as %s', async (asked, spoken) => {
    const [reply, list] = await answers([
      ask('initialize', { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      ask('tools/list', undefined, 'b'),
    ]);
    expect(reply?.result).toMatchObject({
      protocolVersion: spoken,
      capabilities: { tools: {} },
      serverInfo: { name: 'sluicebox', version: '1.2.3' },
    });
    expect(list).toEqual({ jsonrpc: '2.0', id: 'b', result: { tools: [listed] } });
  });

  it('answers each request of the revision without a handshake for itself', async () => {
    const replies = await answers([
      ask('server/discover', modern(), 1),
      ask('tools/list', modern(), 2),
      ask('tools/call', { ...modern(), name: 'say', arguments: {} }, 3),
      ask('tools/list', modern('1900-01-01'), 4),
      ask('server/discover', undefined, 5),
      ask('ping', modern(), 6),
    ]);
    const [discovered, list, called, foreign] = replies;
    const about = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'sluicebox' } } };
    expect(discovered?.result).toMatchObject({
      ...about,
      supportedVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']) as unknown,
      cacheScope: 'private',
    });
    expect(list?.result).toMatchObject({ ...about, tools: [listed], ttlMs: 3_600_000 });
    expect(called?.result).toMatchObject({ ...about, ...said });
    expect(foreign?.error).toMatchObject({ code: -32022, data: { requested: '1900-01-01' } });
    expect(codes(replies).slice(4)).toEqual([-32602, -32601]);
  });

  it.each<[string, unknown, number]>([
    ['no JSON', '{"jsonrpc":', -32700],
    ['a batch', [ask('ping')], -32600],
    ['an empty batch', '[]', -32600],
    ['a text', '"ping"', -32600],
    ['null', 'null', -32600],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
    ['parameters that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }, -32600],
    ['a line that is too long', `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(MOST_BYTES)}"}`, -32600],
    ['an unknown method', ask('resources/read', { uri: 'file:///etc/passwd' }), -32601],
    ['a name that objects have', ask('__proto__'), -32601],
    ['an unknown cursor', ask('tools/list', { cursor: 'x' }), -32602],
    ['arguments that are a text', ask('tools/call', { name: 'say', arguments: 'x' }), -32602],
    ['a handshake without a revision', ask('initialize', {}), -32602],
  ])('refuses %s, and goes on', async (_, line, code) => {
    const replies = await answers([line, ask('ping', undefined, 'next')]);
    expect(codes(replies)).toEqual([code, 0]);
    expect(replies[1]).toEqual({ jsonrpc: '2.0', id: 'next', result: {} });
  });

  it('leaves notifications and responses without an answer', async () => {
    const lines = [
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
      { jsonrpc: '2.0', id: 1, result: {} },
      '',
      '  ',
    ];
    expect(await answers(lines)).toEqual([]);
  });

  it('does not answer a call that was taken back, and no second one with its id meanwhile', async () => {
    const aborted = vi.fn();
    const replies = await answers(
      [
        ask('tools/call', { name: 'say' }, 7),
        ask('ping', undefined, 7),
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
        ask('ping', undefined, 8),
      ],
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            aborted();
            reject(new Error('gone'));
          }),
        ),
    );
    expect(aborted).toHaveBeenCalledOnce();
    expect(replies.map(({ id, error }) => [id, error !== undefined])).toEqual([
      [7, true],
      [8, false],
    ]);
  });

  it('tells the progress of a call that asks for it', async () => {
    const call: ProtocolOptions['call'] = ({ progress }) => {
      progress(1, 4);
      return Promise.resolve(said);
    };
    const replies = await answers(
      [ask('tools/call', { name: 'say', _meta: { progressToken: 'p' } }), ask('tools/call', { name: 'say' }, 2)],
      call,
    );
    expect(replies.map(({ method, id }) => method ?? id)).toEqual(['notifications/progress', 1, 2]);
    expect(replies[0]?.params).toMatchObject({ progressToken: 'p', progress: 1, total: 4 });
  });

  it('answers a fault of a tool with an error', async () => {
    expect(codes(await answers([ask('tools/call', { name: 'say' })], () => Promise.reject(new Error('broken'))))).toEqual([-32603]);
  });
});
