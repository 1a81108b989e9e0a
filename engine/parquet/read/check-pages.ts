import { crc32 } from 'node:zlib';
import { Encoding, Page } from '../column.ts';
import { ByteReader, ParquetError } from './byte-reader.ts';
import { guarded } from './guarded.ts';
import { metadataOf } from './metadata.ts';
import { readStruct, ThriftView } from './thrift-reader.ts';

/**
 * Compares the pages of a file with their checksums and their headers with the metadata, without reading values.
 * @returns whether all pages have one; those of earlier versions have none
 * @throws {ParquetError} for a damaged page
 */
export function checkPages(file: Buffer): boolean {
  return guarded(() => {
    const groups = metadataOf(file).structs(4);
    const chunks = groups.flatMap((group) => group.structs(1)).map((chunk) => chunk.struct(3));
    return chunks.map((chunk) => checkChunk(file, chunk)).every(Boolean);
  });
}

function checkChunk(file: Buffer, meta: ThriftView): boolean {
  const pages = new ByteReader(file);
  pages.skip(meta.has(11) ? meta.number(11) : meta.number(9));
  const begin = pages.at;
  const end = begin + meta.number(7);
  let isChecked = true;
  let places = 0;
  let unpacked = 0;
  while (pages.at < end) {
    const from = pages.at;
    const head = new ThriftView(readStruct(pages));
    unpacked += pages.at - from + head.number(2);
    isChecked = checkPage(head, pages.take(head.number(3))) && isChecked;
    places += placesOf(head, meta.has(11));
  }
  // The headers of pages have no checksums: what they say adds up to what the metadata say, which have one.
  if (pages.at !== end || places !== meta.number(5) || unpacked !== meta.number(6)) throw new ParquetError('a header of a page is damaged');
  return isChecked;
}

/** The rows and further values of lists that a page has. */
function placesOf(head: ThriftView, byDictionary: boolean): number {
  if (head.number(1) === Page.DICTIONARY && head.struct(7).number(2) === Encoding.PLAIN) return 0;
  const data = head.number(1) === Page.DATA ? head.struct(5) : null;
  const isKnown =
    data?.number(2) === (byDictionary ? Encoding.RLE_DICTIONARY : Encoding.PLAIN) && [3, 4].every((id) => data.number(id) === Encoding.RLE);
  if (!isKnown) throw new ParquetError('a header of a page is damaged');
  return data.number(1);
}

/** Compares a page with the checksum in its header. @returns whether there is one @throws {ParquetError} */
export function checkPage(head: ThriftView, stored: Uint8Array): boolean {
  if (!head.has(4)) return false;
  if (crc32(stored) !== head.number(4) >>> 0) throw new ParquetError('a page is not what was written');
  return true;
}
