import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import type { Message } from '../../../../engine/message/types.ts';

const plain = (over: Partial<Message> = {}): Message => ({ uuid: new Uint8Array(16), timestamp: 0n, fields: [], ...over });

describe('MessageBatch', () => {
  it('makes random uuids once, when somebody asks', () => {
    const batch = new MessageBatch({ length: 2, timestamps: new BigInt64Array(2) });
    expect(batch.knownUuids).toBeNull();
    const uuids = batch.uuids;
    expect(uuids).toHaveLength(32);
    expect(batch.uuids).toBe(uuids);
    expect(batch.knownUuids).toBe(uuids);
  });

  it('keeps its uuids when columns are replaced, also those that nobody has asked for yet', () => {
    const batch = new MessageBatch({ length: 1, timestamps: new BigInt64Array(1) });
    const changed = batch.with({ type: { constant: 't' }, timestamps: BigInt64Array.of(5n) });
    expect(changed.knownUuids).toBeNull();
    expect(changed.message(0)).toEqual({ uuid: batch.uuids, timestamp: 5n, type: 't', fields: [] });
  });

  it('removes a header that is replaced by null', () => {
    const batch = batchOf([plain({ type: 't', logger: 'l' })]).with({ type: null });
    expect(batch.message(0)).toEqual(plain({ logger: 'l' }));
  });

  it.each([-1, 1, NaN])('has no row %s', (row) => {
    expect(() => batchOf([plain()]).message(row)).toThrow(RangeError);
  });
});

describe('what isolates use', () => {
  const folder = resolve(import.meta.dirname, '../../../../engine/message');

  /** The file and all that it imports. */
  function closureOf(file: string, found = new Map<string, string>()): Map<string, string> {
    if (found.has(file)) return found;
    const code = readFileSync(file, 'utf8');
    found.set(file, code);
    for (const [, path] of code.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gms))
      closureOf(resolve(dirname(file), path as string), found);
    return found;
  }

  const files = [
    'protobuf/script-protobuf.ts',
    'timestamp.ts',
    'uuid.ts',
    'integer.ts',
    'utf8.ts',
    'protobuf/varint.ts',
    'binary-search.ts',
  ];
  it.each(files)('%s needs nothing of Node', (name) => {
    for (const [file, code] of closureOf(resolve(folder, name))) {
      const uncommented = code.replaceAll(/\/\*.*?\*\//gs, '');
      expect(uncommented, file).not.toMatch(/from 'node:/);
      expect(uncommented.replaceAll(/'[^'\n]*'/g, "''"), file).not.toMatch(/\bBuffer\b|\bprocess\b|TextDecoder|TextEncoder/);
    }
    expect(closureOf(resolve(folder, 'protobuf/script-protobuf.ts')).size).toBe(9);
  });
});
