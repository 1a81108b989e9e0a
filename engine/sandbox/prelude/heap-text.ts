/** Code units of the texts that are copied: V8 has shorter ones in its heap already, and a longer copy could take the memory that a batch may. */
const LEAST = 4096;
const MOST = 1 << 20;

/**
 * The same text in the heap of the isolate. A long text that comes from outside stays there, and code that V8 has not optimised to the end then calls
 * its runtime for each character.
 */
export function inHeap(text: string): string {
  const { length } = text;
  // V8 gives a text back as it is where nothing is put together.
  return length < LEAST || length > MOST ? text : [text.slice(0, length - 1), text.slice(length - 1)].join('');
}
