import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Backoff } from '../../../engine/base/time/backoff.ts';
import { TcpInput } from '../../../engine/inputs/net/tcp-input.ts';
import { RetriedListener } from '../../../engine/pipeline/retried-listener.ts';
import { TestSink } from '../inputs/harness.ts';
import { freePort } from '../../ports.ts';
import { until } from '../../until.ts';

describe('Backoff', () => {
  const waits = (options: Partial<ConstructorParameters<typeof Backoff>[0]>, count: number, random = 0): (number | null)[] => {
    const backoff = new Backoff({ delay: 250, max_delay: 30_000, max_jitter: 500, max_retries: -1, ...options }, () => random);
    return Array.from({ length: count }, () => backoff.next());
  };

  it.each<[string, ReturnType<typeof waits>, ReturnType<typeof waits>]>([
    ['doubles up to the longest wait', waits({}, 9), [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
    ['keeps to a shorter longest wait', waits({ max_delay: 1000 }, 4), [250, 500, 1000, 1000]],
    ['adds a random time', waits({}, 2, 0.5), [500, 750]],
    ['ends after so many attempts', waits({ max_retries: 3 }, 4), [250, 500, 1000, null]],
    ['makes no attempt', waits({ max_retries: 0 }, 1), [null]],
  ])('%s', (_title, got, wanted) => expect(got).toEqual(wanted));

  it('begins anew when it worked', () => {
    const backoff = new Backoff({ delay: 1, max_delay: 9, max_jitter: 0, max_retries: 2 });
    expect([backoff.next(), backoff.next(), backoff.next()]).toEqual([1, 2, null]);
    backoff.reset();
    expect(backoff.next()).toBe(1);
  });
});

describe('a listener whose port is taken', () => {
  const retries = { delay: 10, max_delay: 40, max_jitter: 5, max_retries: -1 };

  async function taken(): Promise<{ port: number; free: () => Promise<void> }> {
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const free = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
    return { port, free };
  }

  it('is started again until the port is free, and says each thing once', async () => {
    const { port, free } = await taken();
    const sink = new TestSink();
    const listener = new TcpInput({ name: 'in', address: `127.0.0.1:${port}` });
    const attempts = vi.spyOn(listener, 'start');
    const input = new RetriedListener(listener, retries, () => expect.fail('given up'));
    await input.start(sink);
    await until(() => attempts.mock.calls.length > 3, 'further attempts');
    expect(sink.codes).toEqual(['port.in-use']);
    expect(sink.idles).toBe(0);
    expect(input.problem).toMatch(/is in use by another program/);
    await free();
    await until(() => sink.codes.includes('port.open'), 'the open port');
    expect(sink.codes).toEqual(['port.in-use', 'port.open']);
    expect(sink.idles).toBe(1);
    expect(input.problem).toBe(null);
    await input.stop();
  });

  it('is given up after the last attempt, with the reason', async () => {
    const { port, free } = await taken();
    const ends: string[] = [];
    const input = new RetriedListener(new TcpInput({ name: 'in', address: `127.0.0.1:${port}` }), { ...retries, max_retries: 2 }, (why) =>
      ends.push(why),
    );
    await input.start(new TestSink());
    await until(() => ends.length > 0, 'the end');
    expect(ends).toEqual([expect.stringMatching(/is in use by another program/)]);
    await input.stop();
    await free();
  });

  it('is not started again after it was stopped', async () => {
    const { port, free } = await taken();
    const listener = new TcpInput({ name: 'in', address: `127.0.0.1:${port}` });
    const attempts = vi.spyOn(listener, 'start');
    const input = new RetriedListener(listener, retries, () => undefined);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await input.start(new TestSink());
    await input.stop();
    await free();
    await vi.advanceTimersByTimeAsync(1000);
    expect(attempts).toHaveBeenCalledTimes(1);
    expect(listener.address()).toBeNull();
  });
});
