/** Counts the bytes of the batches that a host was sent and has not answered yet: it holds them until it comes to them. */
export class BytesUnderWay {
  readonly #calls = new Map<string, number>();
  #sum = 0;
  /** The most that ever were under way together: memory that a process has freed does not go back to the system at once. */
  most = 0;

  /** Returns whether that is more than ever before. */
  sent(box: number, call: number, bytes: number): boolean {
    this.answered(box, call);
    this.#calls.set(`${box} ${call}`, bytes);
    this.#sum += bytes;
    if (this.#sum <= this.most) return false;
    this.most = this.#sum;
    return true;
  }

  answered(box: number, call: number): void {
    const key = `${box} ${call}`;
    this.#sum -= this.#calls.get(key) ?? 0;
    this.#calls.delete(key);
  }

  /** The sandbox has ended: its calls are answered no more. */
  ended(box: number): void {
    for (const key of [...this.#calls.keys()]) if (key.startsWith(`${box} `)) this.answered(box, Number(key.slice(key.indexOf(' ') + 1)));
  }
}
