import type { Receipt } from '../writers.ts';

/** Messages that wait for others before they are published. */
export class Gathered {
  /** By their subjects. */
  readonly groups = new Map<string, Uint8Array[]>();
  readonly done = Promise.withResolvers<void>();
  messages = 0;
  bytes = 0;
  /** A text that stands for all of them, and what tells the bytes that wait behind them; null: of no disk buffer. */
  mark: string | null = null;
  #receipt: Receipt | undefined;

  /** @param subjectOf the subject of a message by its number; null: it is left out */
  add(messages: readonly Uint8Array[], subjectOf: (i: number) => string | null, receipt: Receipt | undefined): void {
    for (const [i, bytes] of messages.entries()) {
      const subject = subjectOf(i);
      if (subject === null) continue;
      const group = this.groups.get(subject);
      if (group === undefined) this.groups.set(subject, [bytes]);
      else group.push(bytes);
      this.bytes += bytes.length;
    }
    this.messages += messages.length;
    this.#receipt = receipt;
    this.mark = receipt?.mark(messages.length) ?? null;
  }

  /** Bytes that wait in the disk buffer behind them; undefined: not known. */
  get waiting(): number | undefined {
    return this.#receipt?.waiting?.();
  }
}
