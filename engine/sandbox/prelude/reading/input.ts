import { headerNamed } from '../../../api/headers.ts';
import {
  HEADER_NAMES,
  type ColumnPlace,
  type Delivery,
  type FieldInfo,
  type HeaderInfo,
  type ProcessHead,
} from '../../contract/protocol.ts';
import { batch, type DeliveredText } from '../batch.ts';
import { inHeap } from '../heap-text.ts';
import { SharedText } from '../shared-text.ts';
import { INT_HEADER, InputColumn, noWords, TEXT_HEADER, TIME, UUID } from './input-column.ts';
import { BOOL, BYTES, DOUBLE, STRING } from './row-message.ts';
import { state } from '../state/state.ts';
import { forgetVariables } from './variables.ts';

const typesByKind = { uuid: UUID, time: TIME, text: TEXT_HEADER, int: INT_HEADER } as const;
const headerTypes = HEADER_NAMES.map((name) => typesByKind[headerNamed(name)?.kind ?? 'text']);

batch.models = [new InputColumn('', null, TEXT_HEADER, 0), new SharedText(0, 0, 0)];

/** Begins a batch; its delivery must follow. */
export function openBatch(head: ProcessHead): void {
  const columns: InputColumn[] = [];
  for (let i = 0; i < head.headers.length; i++) columns.push(headerColumn(i, head.headers[i] as HeaderInfo, head.length));
  for (let i = 0; i < head.fields.length; i++) {
    const { name, representation, type } = head.fields[i] as FieldInfo;
    columns.push(new InputColumn(name, representation, type, head.length));
  }
  batch.length = head.length;
  batch.columns = columns;
  batch.texts = [];
  batch.isWhole = false;
  forgetVariables();
}

/** An unset header is a loaded column without entries. */
function headerColumn(index: number, info: HeaderInfo, length: number): InputColumn {
  const column = new InputColumn(HEADER_NAMES[index] as string, null, headerTypes[index] as number, length);
  if (info === null) {
    column.loaded = true;
    column.rows = noWords;
  } else if ('constant' in info) {
    column.loaded = true;
    column.constant = info.constant;
  }
  return column;
}

/** Drops the batch, so that its memory can be freed between calls. */
export function closeBatch(): void {
  batch.length = 0;
  batch.columns = [];
  batch.texts = [];
  batch.isWhole = false;
  forgetVariables();
}

/** Puts delivered values into their columns. */
export function acceptDelivery(delivery: Delivery, block: ArrayBuffer, texts: readonly (DeliveredText | number)[]): void {
  let at = 0;
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] as DeliveredText | number;
    if (typeof text === 'number') batch.texts.push(new SharedText(i, at, (at += text)));
    else batch.texts.push(state.setup.isolated && typeof text === 'string' ? inHeap(text) : text);
  }
  for (let i = 0; i < delivery.columns.length; i++) {
    const place = delivery.columns[i] as ColumnPlace;
    fill(batch.columns[place.id] as InputColumn, place, block);
  }
}

function fill(column: InputColumn, place: ColumnPlace, block: ArrayBuffer): void {
  column.loaded = true;
  column.rows = place.rows < 0 ? null : new Uint32Array(block, place.rows, place.entries);
  column.offsets = place.offsets < 0 ? null : new Uint32Array(block, place.offsets, place.entries + 1);
  switch (column.type) {
    case STRING:
    case TEXT_HEADER:
      column.textNumber = place.text;
      column.starts = new Uint32Array(block, place.values, place.count);
      column.ends = new Uint32Array(block, place.ends, place.count);
      break;
    case BYTES:
      column.bytes = new Uint8Array(block, place.bytes, place.bytesLength);
      column.starts = new Uint32Array(block, place.values, place.count);
      column.ends = new Uint32Array(block, place.ends, place.count);
      break;
    case DOUBLE:
      column.doubles = new Float64Array(block, place.values, place.count);
      break;
    case BOOL:
      column.bytes = new Uint8Array(block, place.values, place.count);
      break;
    case UUID:
      column.bytes = new Uint8Array(block, place.values, place.count * 16);
      break;
    case INT_HEADER:
      column.ints = new Int32Array(block, place.values, place.count);
      break;
    default:
      column.ints = new Int32Array(block, place.values, place.count * 2);
  }
}
