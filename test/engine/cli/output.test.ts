import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Output } from '../../../engine/cli/output.ts';

/** A stream that keeps what is written, and fails from the write on that `failsAt` says. */
function target(failsAt = Infinity, code = 'EPIPE'): { stream: Writable; written: string[] } {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (written.length >= failsAt) return done(Object.assign(new Error('it failed'), { code }));
      written.push(chunk.toString());
      done();
    },
  });
  return { stream, written };
}

describe('Output', () => {
  it('writes in chunks, and in order', async () => {
    const { stream, written } = target();
    const output = new Output(stream);
    output.add('a');
    await output.room();
    expect(written).toEqual([]);
    output.addLine('b\x1b');
    await output.write('c');
    expect(written).toHaveLength(2);
    expect(written[0]).not.toContain('\x1b');
    output.add('x'.repeat(1 << 16));
    await output.room();
    expect(written.at(-1)).toHaveLength(1 << 16);
    await output.flush();
    expect(written).toHaveLength(3);
  });

  it('drops the rest without a word when its reader has gone', async () => {
    const { stream, written } = target(1);
    const output = new Output(stream);
    let closed = 0;
    output.onClosed(() => closed++);
    for (const text of ['a', 'b', 'c']) {
      output.add(text);
      await output.flush();
    }
    expect([written, output.closed, closed]).toEqual([['a'], true, 1]);
  });

  it('says when it cannot be written', async () => {
    const output = new Output(target(0, 'ENOSPC').stream);
    output.add('a');
    await expect(output.flush()).rejects.toMatchObject({ code: 'output.write', cause: { code: 'ENOSPC' } });
    expect(output.closed).toBe(false);
  });
});
