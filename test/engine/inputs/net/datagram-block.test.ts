import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatagramBlock, eachRun, LARGEST_DATAGRAM } from '../../../../engine/inputs/net/datagram-block.ts';

/** The runs of a block: their sender, their datagrams, and the bytes behind each. */
function runs(block: DatagramBlock): [host: string, texts: string[], behind: string[]][] {
  const found: [string, string[], string[]][] = [];
  eachRun(block.sent(), (bytes, { starts, ends, count }, host) => {
    const rows = Array.from({ length: count }, (_, i) => [starts[i] as number, ends[i] as number] as const);
    found.push([
      host,
      rows.map(([start, end]) => bytes.toString('latin1', start, end)),
      rows.map(([, end]) => bytes.toString('latin1', end, end + 1)),
    ]);
  });
  return found;
}

describe('a block', () => {
  it('has the datagrams of a sender that follow each other as one run', () => {
    const block = new DatagramBlock();
    for (const [text, from] of [
      ['a', '192.0.2.1'],
      ['', '192.0.2.1'],
      ['b', '::ffff:192.0.2.2'],
      ['c', '192.0.2.1'],
    ] as const)
      block.add(Buffer.from(text), from);
    expect(runs(block)).toEqual([
      ['192.0.2.1', ['a', ''], ['\n', '\n']],
      ['192.0.2.2', ['b'], ['\n']],
      ['192.0.2.1', ['c'], ['\n']],
    ]);
  });

  it('gives back what was put in, in order', () => {
    const datagram = fc.tuple(fc.uint8Array({ maxLength: 20 }), fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1'));
    fc.assert(
      fc.property(fc.array(datagram, { maxLength: 40 }), (datagrams) => {
        const block = new DatagramBlock();
        for (const [bytes, from] of datagrams) block.add(bytes, from);
        expect(block.count).toBe(datagrams.length);
        expect(runs(block).flatMap(([host, texts]) => texts.map((text) => [text, host]))).toEqual(
          datagrams.map(([bytes, from]) => [Buffer.from(bytes).toString('latin1'), from]),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('is full by number, and by bytes', () => {
    const many = new DatagramBlock();
    let count = 0;
    for (; many.fits(0); count++) many.add(new Uint8Array(0), 'a');
    expect(count).toBe(4096);
    const large = new DatagramBlock();
    count = 0;
    for (; large.fits(LARGEST_DATAGRAM); count++) large.add(new Uint8Array(LARGEST_DATAGRAM), 'a');
    expect(count).toBe(4);
  });

  it('is made anew in the memory of another', () => {
    const first = new DatagramBlock();
    first.add(Buffer.from('old'), 'a');
    const block = new DatagramBlock(first.sent().memory);
    expect([block.count, runs(block)]).toEqual([0, []]);
    block.add(Buffer.from('n'), '192.0.2.9');
    expect(runs(block)).toEqual([['192.0.2.9', ['n'], ['\n']]]);
  });
});
