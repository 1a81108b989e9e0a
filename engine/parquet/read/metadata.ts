import { ByteReader, ParquetError } from './byte-reader.ts';
import { readStruct, ThriftView } from './thrift-reader.ts';

const MAGIC = 'PAR1';

/** Bytes of the metadata of a file. */
const MAX_BYTES = 32 << 20;

/** The metadata at the end of a file. @throws {ParquetError} */
export function metadataOf(file: Buffer): ThriftView {
  if (file.length < 12 || file.toString('latin1', file.length - 4) !== MAGIC) throw new ParquetError('it does not end as a Parquet file');
  const end = file.length - 8;
  const length = file.readUInt32LE(end);
  if (length > end - 4) throw new ParquetError('its metadata are cut');
  if (length > MAX_BYTES) throw new ParquetError('its metadata are too large');
  return new ThriftView(readStruct(new ByteReader(file.subarray(end - length, end))));
}
