import { ByteReader, ParquetError } from './byte-reader.ts';

/** Decodes so many small numbers from runs and bit-packed groups; the opposite of `RunEncoder`. @param bits width of a value, 0 to 32 */
export function readRuns(bytes: Buffer, bits: number, count: number): Uint32Array {
  const values = new Uint32Array(count);
  const from = new ByteReader(bytes);
  if (bits > 32) throw new ParquetError(`numbers of ${bits} bits`);
  for (let at = 0; at < count;) {
    const head = from.varint();
    const isPacked = head % 2 === 1;
    const length = Math.floor(head / 2) * (isPacked ? 8 : 1);
    const taken = Math.min(length, count - at);
    if (taken === 0) throw new ParquetError('a run is empty');
    if (isPacked) unpack(from.take((length * bits) / 8), bits, values.subarray(at, at + taken));
    else {
      let value = 0;
      for (let shift = 0; shift < bits; shift += 8) value |= from.byte() << shift;
      values.fill(value >>> 0, at, at + taken);
    }
    at += taken;
  }
  return values;
}

function unpack(bytes: Buffer, bits: number, values: Uint32Array): void {
  let bit = 0;
  for (let i = 0; i < values.length; i++) {
    let value = 0;
    for (let got = 0; got < bits;) {
      const take = Math.min(bits - got, 8 - (bit & 7));
      value |= (((bytes[bit >> 3] as number) >> (bit & 7)) & ((1 << take) - 1)) << got;
      got += take;
      bit += take;
    }
    values[i] = value >>> 0;
  }
}
