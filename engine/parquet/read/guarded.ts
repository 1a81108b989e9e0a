import { messageOf } from '../../base/errors.ts';
import { ParquetError } from './byte-reader.ts';

/** Reads a part of a file; any error, of whatever kind, means that the file is damaged. @throws {ParquetError} */
export function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ParquetError ? error : new ParquetError(`it is damaged (${messageOf(error)})`, { cause: error });
  }
}
