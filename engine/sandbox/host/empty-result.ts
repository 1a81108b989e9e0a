import type { End } from '../../api/ends.ts';
import type { ResultHead } from '../contract/protocol.ts';

/** The head of a result that brings nothing but the end. */
export function endedHead(end: End, row: number, lost: boolean): ResultHead {
  return {
    globals: 0,
    used: [],
    injected: 0,
    passed: 0,
    origins: -1,
    kinds: -1,
    origin: 0,
    timestamps: 0,
    uuids: null,
    headers: [null, null, null, null, null, null, null],
    fields: [],
    failures: [],
    encoded: null,
    ended: { ...end, row },
    lost,
    status: null,
  };
}
