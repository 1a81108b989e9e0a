import { addRecord } from './framing.ts';
import { Records, type TakeRecords } from './records.ts';
import { inflated, isSingle } from './zlib.ts';

/** Bytes of a message, unpacked: rsyslog itself takes 8 KiB where nothing else is set. */
const MOST_MESSAGE_BYTES = 1 << 20;

/** A fault of a record: it cannot be unpacked, and is left out, or it was too long, and is cut. */
type SingleFault = 'packed' | 'truncated';

/** Unpacks the records that rsyslog has packed one by one (`compression.mode="single"`), and passes all on in their order. */
export class SingleRecords {
  readonly #maxRecord: number;
  readonly #plain = new Records();
  readonly #unpacked = new Records();
  #bytes = 0;

  /** @param maxRecord bytes of an unpacked record; longer ones are cut */
  constructor(maxRecord = Infinity) {
    this.#maxRecord = maxRecord;
  }

  /** Bytes that came out of packed records. */
  get unpackedBytes(): number {
    return this.#bytes;
  }

  push(bytes: Buffer, { starts, ends, count }: Records, take: TakeRecords, fault: (fault: SingleFault) => void): void {
    for (let i = 0; i < count; i++) {
      const [start, end] = [starts[i] as number, ends[i] as number];
      if (!isSingle(bytes, start, end)) {
        this.#plain.add(start, end);
        continue;
      }
      give(bytes, this.#plain, take);
      const text = this.#unpack(bytes.subarray(start + 1, end));
      if (text === null) fault('packed');
      else if (!addRecord(this.#unpacked, text, 0, text.length, this.#maxRecord)) fault('truncated');
      if (text !== null) give(text, this.#unpacked, take);
    }
    give(bytes, this.#plain, take);
  }

  #unpack(packed: Buffer): Buffer | null {
    try {
      const text = inflated(packed, MOST_MESSAGE_BYTES);
      this.#bytes += text.length;
      return text;
    } catch {
      return null;
    }
  }
}

function give(bytes: Buffer, records: Records, take: TakeRecords): void {
  if (records.count > 0) take(bytes, records);
  records.clear();
}
