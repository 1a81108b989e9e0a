import { expect, test } from 'vitest';
import type { OperationQuery } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { OperationList } from '../../../../renderer/src/state/operations.svelte.ts';

/** A client of an engine whose records have these variables. */
function clientOf(having: readonly string[]): Client {
  const request = (name: string, input: OperationQuery): Promise<unknown> => {
    if (name === 'view.open') return Promise.resolve({ view: 1 });
    const distinct = having.includes(input.variable) ? 3 : 0;
    return Promise.resolve({ operations: [], matching: distinct, distinct, total: 9, records: 9, complete: true });
  };
  return { request } as unknown as Client;
}

const wishOf = (variable: string) => ({ variable, order: 'start', down: false, text: '' }) as const;

test('remembers the variables that no record has, until others are gathered', async () => {
  const list = new OperationList(clientOf(['Pid']));
  await list.find({});
  await list.show(wishOf('Fields[trace]'));
  await list.show(wishOf('Pid'));
  expect(list.vain).toEqual(['Fields[trace]']);
  await list.show(wishOf('Fields[trace]'));
  expect(list.vain).toEqual(['Fields[trace]']);
  await list.show(wishOf('Pid'));
  expect(list.vainOf({}, 9)).toEqual(['Fields[trace]']);
  expect(list.vainOf({}, 10)).toEqual([]);
  expect(list.vainOf({ matcher: 'Pid == 1' }, 9)).toEqual([]);
  await list.find({});
  expect(list.vain).toEqual([]);
});
