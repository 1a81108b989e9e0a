import { inHeap } from './heap-text.ts';
import { state } from './state/state.ts';

/** Memory that the host shares with the isolate for the texts of a batch. */
let shared: ArrayBufferLike = new ArrayBuffer(0);

/** Takes memory in which texts of later batches are. */
export function shareTexts(buffer: SharedArrayBuffer): void {
  shared = buffer;
}

/** A text of the batch whose bytes are in shared memory. */
export class SharedText {
  readonly bytes: Uint8Array;
  readonly #number: number;
  #text: string | null = null;

  constructor(number: number, from: number, to: number) {
    this.#number = number;
    this.bytes = new Uint8Array(shared, from, to - from);
  }

  get text(): string {
    return (this.#text ??= inHeap(state.host.text(this.#number)));
  }
}
