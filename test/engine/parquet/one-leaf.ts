/** Files of one column, for tests of what writes and reads columns. */
import { writeChunk, type LeafData, type Packing } from '../../../engine/parquet/column.ts';
import { footer, type Leaf } from '../../../engine/parquet/footer.ts';
import { GrowingBytes } from '../../../engine/parquet/growing.ts';
import { metadataOf } from '../../../engine/parquet/read/metadata.ts';
import type { LeafKind } from '../../../engine/parquet/read/chunk.ts';
import type { ThriftView } from '../../../engine/parquet/read/thrift-reader.ts';

const MAGIC = Buffer.from('PAR1');

/** A file with this column, and the description of its chunk. */
export function fileOf(
  kind: LeafKind,
  leaf: Leaf,
  data: Omit<LeafData, 'type' | 'path'>,
  packing: Packing = 'all',
): { file: Buffer; meta: ThriftView } {
  const out = new GrowingBytes();
  out.bytes(MAGIC);
  const path = kind === 'list' ? [leaf.name, 'list', 'element'] : [leaf.name];
  const chunk = writeChunk(out, { ...data, type: leaf.type, path }, packing);
  const end = footer({
    columns: [{ kind, leaf }],
    groups: [{ rows: data.rows, chunks: [chunk] }],
    metadata: { made: 'here' },
    createdBy: 'test',
  });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(end.length);
  const file = Buffer.concat([out.view(), end, length, MAGIC]);
  const [group] = metadataOf(file).structs(4);
  const [column] = group?.structs(1) ?? [];
  if (column === undefined) throw new Error('no column');
  return { file, meta: column.struct(3) };
}
