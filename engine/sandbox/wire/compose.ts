import { OPTIONAL_HEADERS, type IntHeader, type TextHeader } from '../../api/headers.ts';
import { intAt, textAt, type MessageBatch } from '../../message/batch/batch.ts';
import { headerColumns, type IntColumn, type TextColumn } from '../../message/batch/columns.ts';
import { mergeRows, takeRows } from '../../message/batch/gather.ts';
import { uuidsOfMade } from '../../message/batch/record-uuids.ts';
import type { ReceivedResult } from './inbound.ts';
import { Origin } from '../contract/protocol.ts';
import type { SandboxSpec } from '../contract/types.ts';

/** The messages of a result and the input row of each; null origins: message i comes from input row i. */
export interface Composed {
  readonly injected: MessageBatch | null;
  readonly origins: Uint32Array | null;
  /** Of a decoder: messages that it passed on; absent: none. */
  readonly unchanged?: Uint32Array;
}

const FILTER_TYPE = 'svc.sandbox.';
const PAYLOAD_TYPE = 'svc.sandbox-output';

/**
 * Completes the messages that a filter injected with the headers that it cannot choose: Type with its prefix, Logger and Hostname; for
 * payloads also Pid. Origins count among the rows that the sandbox received.
 */
export function composeFiltered(received: ReceivedResult, spec: SandboxSpec): Composed {
  const { injected, kinds, head } = received;
  if (injected === null) return { injected: null, origins: null };
  const isPayload = (row: number): boolean => (kinds === null ? head.origin : kinds[row]) === Origin.PAYLOAD;
  const batch = injected.with({
    type: prefixedTypes(injected, isPayload),
    logger: { constant: spec.name },
    hostname: { constant: spec.hostname },
    pid: pidOf(injected, isPayload, spec.pid),
  });
  return { injected: batch, origins: received.origins };
}

/** Completes the messages of an input: Logger is its name and Hostname this host, where the script sets none. */
export function composeInput({ injected, origins }: ReceivedResult, { name, hostname }: SandboxSpec): Composed {
  if (injected === null) return { injected, origins };
  const { length } = injected;
  const filled = {
    logger: filledText(injected.logger, { constant: name }, null, length),
    hostname: filledText(injected.hostname, { constant: hostname }, null, length),
  };
  return { injected: injected.with(filled), origins };
}

function prefixedTypes(batch: MessageBatch, isPayload: (row: number) => boolean): TextColumn {
  const { length, type } = batch;
  const types = Array.from({ length }, (_, row) => (isPayload(row) ? PAYLOAD_TYPE : FILTER_TYPE + (textAt(type, row) ?? '')));
  return columnOfTexts(types);
}

function pidOf(batch: MessageBatch, isPayload: (row: number) => boolean, pid: number): IntColumn | null {
  const rows: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < batch.length; row++) {
    const value = isPayload(row) ? pid : intAt(batch.pid, row);
    if (value === undefined) continue;
    rows.push(row);
    values.push(value);
  }
  if (rows.length === 0) return null;
  return { rows: rows.length === batch.length ? null : Uint32Array.from(rows), values: Int32Array.from(values) };
}

/**
 * Merges the messages of a decoder with the records that it passed on, in order. Headers that a message lacks come from its record.
 * @param source the rows that the sandbox received
 */
export function composeDecoded(received: ReceivedResult, source: MessageBatch): Composed {
  const { injected, origins, head, kinds, ownUuids } = received;
  const entries = head.injected + head.passed;
  if (entries === 0) return { injected: null, origins: null };
  if (injected === null) {
    const records = origins === null ? source : takeRows(source, origins);
    return { injected: records, origins, unchanged: Uint32Array.from({ length: records.length }, (_, row) => row) };
  }
  if (head.passed === 0) return { injected: fillFrom(injected, source, origins, ownUuids), origins };
  const [made, passed] = splitByKind(kinds as Uint8Array);
  const rowOf = (entry: number): number => (origins === null ? entry : (origins[entry] as number));
  const filled = fillFrom(injected, source, made.map(rowOf), ownUuids);
  return {
    injected: mergeRows([
      { batch: filled, order: made },
      { batch: takeRows(source, passed.map(rowOf)), order: passed },
    ]),
    origins,
    unchanged: passed,
  };
}

function splitByKind(kinds: Uint8Array): [made: Uint32Array, passed: Uint32Array] {
  const made: number[] = [];
  const passed: number[] = [];
  for (const [entry, kind] of kinds.entries()) (kind === Origin.PASSED ? passed : made).push(entry);
  return [Uint32Array.from(made), Uint32Array.from(passed)];
}

const HEADERS_OF_RECORD: ReadonlySet<TextHeader | IntHeader> = new Set(
  OPTIONAL_HEADERS.filter(({ inherited }) => inherited).map(({ member }) => member),
);

function fillFrom(injected: MessageBatch, source: MessageBatch, origins: Uint32Array | null, ownUuids: Uint32Array | null): MessageBatch {
  const { length } = injected;
  const headers = headerColumns(
    (name) => (HEADERS_OF_RECORD.has(name) ? filledText(injected[name], source[name], origins, length) : injected[name]),
    (name) => (HEADERS_OF_RECORD.has(name) ? filledInt(injected[name], source[name], origins, length) : injected[name]),
  );
  const identity = source.isIdentified ? { uuids: () => filledUuids(injected, source, origins, ownUuids), isIdentified: true } : {};
  return injected.with({ ...headers, ...identity });
}

function filledUuids(injected: MessageBatch, source: MessageBatch, origins: Uint32Array | null, own: Uint32Array | null): Uint8Array {
  if (own?.length === injected.length) return injected.uuids;
  const made = uuidsOfMade(source.uuids, origins);
  if (own === null) return made;
  const all = made.slice();
  for (const row of own) all.set(injected.uuids.subarray(row * 16, row * 16 + 16), row * 16);
  return all;
}

function isFull(column: TextColumn | IntColumn | null): boolean {
  return column !== null && (column.constant !== undefined || column.rows === null);
}

function filledText(own: TextColumn | null, source: TextColumn | null, origins: Uint32Array | null, length: number): TextColumn | null {
  if (source === null || isFull(own)) return own;
  if (own === null && (source.constant !== undefined || origins === null)) return source;
  const texts = Array.from({ length }, (_, row) => textAt(own, row) ?? textAt(source, origins === null ? row : (origins[row] as number)));
  return columnOfTexts(texts);
}

function filledInt(own: IntColumn | null, source: IntColumn | null, origins: Uint32Array | null, length: number): IntColumn | null {
  if (source === null || isFull(own)) return own;
  if (own === null && (source.constant !== undefined || origins === null)) return source;
  const rows: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < length; row++) {
    const value = intAt(own, row) ?? intAt(source, origins === null ? row : (origins[row] as number));
    if (value === undefined) continue;
    rows.push(row);
    values.push(value);
  }
  if (rows.length === 0) return null;
  return { rows: rows.length === length ? null : Uint32Array.from(rows), values: Int32Array.from(values) };
}

/** Builds a column of texts, undefined where a row has none; repeated texts are stored once. */
function columnOfTexts(texts: readonly (string | undefined)[]): TextColumn {
  const places = new Map<string, number>();
  const pieces: string[] = [];
  const rows: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let size = 0;
  for (const [row, text] of texts.entries()) {
    if (text === undefined) continue;
    let start = places.get(text);
    if (start === undefined) {
      places.set(text, (start = size));
      pieces.push(text);
      size += text.length;
    }
    rows.push(row);
    starts.push(start);
    ends.push(start + text.length);
  }
  if (places.size === 1 && rows.length === texts.length) return { constant: texts[0] as string };
  const full = rows.length === texts.length;
  return {
    rows: full ? null : Uint32Array.from(rows),
    text: pieces.join(''),
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
  };
}
