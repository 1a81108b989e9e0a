import { describe, expect, it } from 'vitest';
import type { Chunks } from '../../../engine/inputs/chunks.ts';
import { PeekedChunks } from '../../../engine/inputs/peeked-chunks.ts';

async function* chunks(texts: readonly string[], error?: Error): Chunks {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
  if (error !== undefined) throw error;
}

async function textOf(source: Chunks): Promise<string> {
  let text = '';
  for await (const chunk of source) text += chunk.toString();
  return text;
}

describe('PeekedChunks', () => {
  it.each<[bytes: number, head: string, ended: boolean]>([
    [0, '', false],
    [1, 'ab', false],
    [3, 'abcd', false],
    [99, 'abcdef', true],
  ])('shows at least %i bytes, and gives all', async (bytes, head, ended) => {
    const source = new PeekedChunks(chunks(['ab', 'cd', 'ef']));
    expect((await source.peek(bytes)).toString()).toBe(head);
    expect(source.ended).toBe(ended);
    expect(await textOf(source.all())).toBe('abcdef');
  });

  it('shows more when it is asked again', async () => {
    const source = new PeekedChunks(chunks(['ab', 'cd']));
    await source.peek(1);
    expect((await source.peek(3)).toString()).toBe('abcd');
  });

  it('does not wait long for a source that pauses', async () => {
    let go: () => void = () => undefined;
    const paused = (async function* (): Chunks {
      yield Buffer.from('ab');
      await new Promise<void>((resolve) => (go = resolve));
      yield Buffer.from('cd');
    })();
    const source = new PeekedChunks(paused);
    expect((await source.peek(10)).toString()).toBe('ab');
    const all = textOf(source.all());
    go();
    expect(await all).toBe('abcd');
  });

  it('fails where the source does, behind what it gave', async () => {
    const source = new PeekedChunks(chunks(['ab'], new Error('torn')));
    expect((await source.peek(10)).toString()).toBe('ab');
    const all = source.all();
    expect((await all.next()).value?.toString()).toBe('ab');
    await expect(all.next()).rejects.toThrow('torn');
  });

  it('closes the source', async () => {
    let closed = false;
    const source = new PeekedChunks(
      (async function* (): Chunks {
        try {
          yield await Promise.resolve(Buffer.from('a'));
          yield Buffer.from('b');
        } finally {
          closed = true;
        }
      })(),
    );
    await source.peek(1);
    await source.close();
    expect(closed).toBe(true);
  });
});
