import { expect, test } from 'vitest';
import { Journal, type PastCall } from '../../../engine/sandbox/journal.ts';
import type { SavedScript } from '../../../engine/sandbox/preservation.ts';

const state = (name: string): SavedScript => ({ head: { wide: false, version: null }, text: Buffer.from(name), block: new Uint8Array(0) });

/** Adds calls until a state is to be saved; returns the number of the last one. */
function untilDue(journal: Journal, from: number): number {
  for (let id = from; ; id++) if (journal.add(timer(id), 1, 0)) return id;
}

const timer = (id: number): PastCall => ({ kind: 'timer', id, ns: 0n });

/** A journal that has dropped its history. */
function old(): { journal: Journal; last: number } {
  const journal = new Journal(null);
  let last = 0;
  while (last < 300) {
    last = untilDue(journal, last + 1);
    journal.saved(state(`after ${last}`));
  }
  return { journal, last };
}

const idsOf = (journal: Journal): number[] => journal.calls.map(({ id }) => id);

test('calls that were answered before their state was there stay', () => {
  const { journal, last } = old();
  const due = untilDue(journal, last + 1);
  journal.add(timer(due + 1), 1, 0);
  journal.add(timer(due + 2), 1, 0);
  journal.saved(state('due'));
  expect([journal.checkpoint?.text.toString(), idsOf(journal)]).toEqual(['due', [due + 1, due + 2]]);
});

test('a state that comes from another host has what was repeated there', () => {
  const { journal, last } = old();
  const due = untilDue(journal, last + 1);
  journal.add(timer(due + 1), 1, 0);
  journal.interrupted();
  expect(idsOf(journal)).toEqual(Array.from({ length: due + 1 - last }, (_, i) => last + 1 + i));
  journal.add(timer(due + 2), 1, 0);
  journal.saved(state('repeated'));
  expect([journal.checkpoint?.text.toString(), idsOf(journal)]).toEqual(['repeated', [due + 2]]);
});

test('no second state is asked for while one is on its way, also when its host dies', () => {
  const { journal, last } = old();
  const due = untilDue(journal, last + 1);
  journal.interrupted();
  for (let i = 1; i < 1000; i++) expect(journal.add(timer(due + i), 1, 0)).toBe(false);
});
