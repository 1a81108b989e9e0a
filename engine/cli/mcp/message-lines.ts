/** A line of a stream; null: it was longer than it may be. */
export type MessageLine = string | null;

/** The lines of a stream of bytes, without their ends. Of one that is too long nothing is kept. */
export async function* messageLines(stream: AsyncIterable<unknown>, mostBytes: number): AsyncGenerator<MessageLine> {
  let pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size > mostBytes) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const line = (): MessageLine => {
    const whole = size > mostBytes ? null : Buffer.concat(pieces).toString('utf8').replace(/\r$/, '');
    pieces = [];
    size = 0;
    return whole;
  };
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      add(bytes.subarray(from, at));
      from = at + 1;
      yield line();
    }
    add(bytes.subarray(from));
  }
  if (size > 0) yield line();
}
