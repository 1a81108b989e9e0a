import { errorText } from '../notices.ts';
import type { InputNotice } from '../types.ts';
import type { StreamFault } from './framing.ts';
import { framingNotice, singleNotice, type Place } from './packing.ts';

export function faultNotice(fault: StreamFault, { host, name }: Place, maxRecord: number): InputNotice {
  switch (fault) {
    case 'truncated':
      return {
        level: 'warning',
        code: 'record.truncated',
        text: `${host} sends records longer than ${maxRecord} bytes to input ${name}: they are cut. Check how the sender ends its records.`,
      };
    case 'packed':
      return singleNotice(`${host} sends compressed messages to input ${name}`);
    case 'framing':
      return framingNotice(
        `${host} sends records to input ${name} whose length does not fit what follows: they are cut at line ends. Check the framing in the sender's settings (RFC 6587).`,
      );
  }
}

export function brokenNotice(error: unknown, { host, name }: Place): InputNotice {
  const text = `The connection from ${host} to input ${name} broke (${errorText(error)}). What came before was read.`;
  return { level: 'info', code: 'connection.broken', text };
}

export function unreadNotice(name: string, connections: number): InputNotice {
  const text = `Input ${name} has cut ${connections} connections off that were still sending when it stopped: what was not read of them is lost, unless their senders send it again.`;
  return { level: 'warning', code: 'records.lost', text };
}

export function lostNotice(name: string, records: number): InputNotice {
  const text = `Input ${name} lost ${records} records at its end, because they were not taken any more.`;
  return { level: 'warning', code: 'records.lost', text };
}

/** @param host of the client; undefined: it is gone */
export function clientNotice(name: string, host: string | undefined, reason: string): InputNotice {
  const text = `A client${host === undefined ? '' : ` at ${host}`} of input ${name} was refused: ${reason}.`;
  return { level: 'info', code: 'connection.refused', text };
}

export function fullNotice(name: string, limit: number): InputNotice {
  const text = `Input ${name} refuses connections: ${limit} are open already, which is the most. Close some.`;
  return { level: 'warning', code: 'connection.refused', text };
}
