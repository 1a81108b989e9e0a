/** Records within some bytes, in order: record i is bytes [starts[i], ends[i]). Made once and used again. */
export class Records {
  starts = new Uint32Array(256);
  ends = new Uint32Array(256);
  count = 0;

  add(start: number, end: number): void {
    if (this.count === this.starts.length) this.#grow();
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count++;
  }

  clear(): void {
    this.count = 0;
  }

  #grow(): void {
    const { starts, ends } = this;
    this.starts = new Uint32Array(2 * starts.length);
    this.ends = new Uint32Array(2 * ends.length);
    this.starts.set(starts);
    this.ends.set(ends);
  }
}

/** Takes the records in some bytes. Both are only valid during the call. */
export type TakeRecords = (bytes: Buffer, records: Records) => void;
