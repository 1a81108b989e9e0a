/** A packed stream that is damaged, or ends too early. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

export const endsTooEarly = (): DamagedError => new DamagedError('unexpected end of file');

/** A packed stream or archive whose text goes beyond a bound. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}
