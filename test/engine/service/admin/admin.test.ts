import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mergeReports } from '../../../../engine/pipeline/plugin-report.ts';
import { Admin, type Observed } from '../../../../engine/service/admin/admin.ts';
import { NoticeCounts } from '../../../../engine/service/admin/notice-counts.ts';
import { TestSink } from '../../inputs/harness.ts';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function listen(
  more: Partial<Observed> = {},
): Promise<{ port: number; ask: (path: string, how?: Asked) => Promise<Answer>; sink: TestSink }> {
  const look: Observed['look'] = async () => ({ report: mergeReports([]), reasons: [] });
  const admin = new Admin('127.0.0.1:0', { look, memory: async () => 5, notices: new NoticeCounts(), ...more });
  const sink = new TestSink();
  await admin.start(sink);
  onTestFinished(() => admin.stop());
  const port = admin.address()?.port ?? 0;
  return { port, sink, ask: (path, how = {}) => asked(port, path, how) };
}

interface Asked {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
}

async function asked(port: number, path: string, how: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, agent: false, ...how }, (response) => {
      const { statusCode: status, headers } = response;
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
    sent.on('error', reject).end();
  });
}

describe('a service that is asked over HTTP how it is', () => {
  it.each<[path: string, how: Asked, status: number, body: RegExp]>([
    ['/health', {}, 200, /^The service runs\.\n$/],
    ['/health?x=1', { method: 'HEAD' }, 200, /^$/],
    ['/ready', {}, 200, /^ready\n$/],
    ['/metrics', {}, 200, /^sluicebox_memory_bytes 5$/m],
    ['/health', { method: 'POST' }, 405, /^This can only be read\.\n$/],
    ['/', {}, 404, /^There is nothing at \/, but at \/health, \/ready, \/metrics\.\n$/],
    ['/constructor', {}, 404, /^There is nothing at \/constructor/],
    ['/metrics', { headers: { Host: 'attacker.example' } }, 403, /it is for the host attacker\.example\. The address in \[admin\]/],
    ['/metrics', { headers: { Origin: 'https://attacker.example' } }, 403, /it comes from a page of https:\/\/attacker\.example/],
  ])('answers %s %j with %i', async (path, how, status, body) => {
    const { ask, sink } = await listen();
    const answer = await ask(path, how);
    expect(answer).toMatchObject({ status, body: expect.stringMatching(body) as string });
    expect(sink.notices.map(({ text: told }) => told)).toEqual(
      status === 403 ? [expect.stringMatching(/^\[admin\] refused a request from 127\.0\.0\.1: it /)] : [],
    );
  });

  it('gives metrics in the form that is asked for', async () => {
    const { ask } = await listen();
    const plain = await ask('/metrics');
    expect(plain.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(plain.body).not.toContain('# EOF');
    const open = await ask('/metrics', { headers: { Accept: 'application/openmetrics-text' } });
    expect(open.headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(open.body.endsWith('\n# EOF\n')).toBe(true);
  });

  it('names what is not ready, one reason a line', async () => {
    const reasons = ['the service is starting', '[out] says \u001b[2J'];
    const { ask } = await listen({ look: async () => ({ report: mergeReports([]), reasons }) });
    expect(await ask('/ready')).toMatchObject({ status: 503, body: 'the service is starting\n[out] says \\u001b[2J\n' });
    expect((await ask('/metrics')).body).toMatch(/^sluicebox_ready 0$/m);
  });

  it('says what is wrong when it cannot find out', async () => {
    const { ask } = await listen({ look: () => Promise.reject(new Error('broken')) });
    expect(await ask('/ready')).toMatchObject({ status: 500, body: 'broken\n' });
  });

  it('is not held up by clients that send nothing or read nothing', async () => {
    const { ask, port } = await listen();
    const sockets = Array.from({ length: 20 }, (_, i) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      if (i % 2 === 0) socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50));
      return socket.pause();
    });
    expect((await ask('/ready')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
