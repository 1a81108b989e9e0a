/** The thread that sorts the rows of a view: for a million of them it takes a second, which the engine's own thread does not have. */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import { decodeBatch } from '../../message/batch/wire.ts';
import { SortKeys } from './sort-keys.ts';
import type { FromSorter, ToSorter } from './sort-protocol.ts';

let keys: SortKeys | null = null;

function answer(message: ToSorter): FromSorter | null {
  switch (message.kind) {
    case 'begin':
      keys = new SortKeys(message.column, message.most);
      return null;
    case 'add':
      keys?.add(decodeBatch(message.bytes), message.rows, message.parts);
      return { kind: 'added' };
    case 'sort':
      if (keys === null) throw new Error('there is nothing to sort');
      return { kind: 'sorted', result: keys.sort() };
  }
}

parentPort?.on('message', (message: ToSorter) => {
  let reply: FromSorter | null;
  try {
    reply = answer(message);
  } catch (error) {
    reply = { kind: 'failed', text: messageOf(error) };
  }
  if (reply === null) return;
  const memory = reply.kind === 'sorted' ? [reply.result.arrivals.buffer, reply.result.rows.buffer, reply.result.alarms.buffer] : [];
  parentPort?.postMessage(reply, memory);
});
