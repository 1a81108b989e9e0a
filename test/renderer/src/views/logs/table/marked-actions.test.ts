import { expect, test } from 'vitest';
import type { App } from '../../../../../../renderer/src/state/app.svelte.ts';
import { markedActions, markedText } from '../../../../../../renderer/src/views/logs/table/marked-actions.ts';

const marked = (text: string, inside = true): string | null => {
  const within = { contains: () => inside } as unknown as Element;
  return markedText(within, { isCollapsed: text === '', anchorNode: null, focusNode: null, toString: () => text } as unknown as Selection);
};

test('a marked text is one line of one record', () => {
  expect(marked(' GET /cart ')).toBe('GET /cart');
  expect(marked('one\ntwo')).toBeNull();
  expect(marked('  ')).toBeNull();
  expect(marked('')).toBeNull();
  expect(marked('elsewhere', false)).toBeNull();
});

test('it can be searched, filtered for and out, highlighted and copied', () => {
  const did: unknown[] = [];
  const app = {
    logs: {
      add: (term: unknown) => did.push(['filter', term]),
      search: { open: () => did.push('open'), change: (part: unknown) => did.push(['search', part]) },
    },
    highlighters: { list: [], edit: ({ kind, text }: { kind: string; text: string }) => did.push(['highlight', kind, text]) },
    copy: (text: string) => did.push(['copy', text]),
  };
  const actions = markedActions(app as unknown as App, 'a.b*');
  expect(actions.map(({ label }) => label)).toEqual([
    'Search for “a.b*”',
    'Filter for “a.b*”',
    'Filter out “a.b*”',
    'Highlight “a.b*”…',
    'Copy the marked text',
  ]);
  for (const { run } of actions) run();
  const term = { kind: 'text', text: 'a.b*', label: 'a.b*', caseSensitive: false };
  expect(did).toEqual([
    'open',
    ['search', { text: 'a.b*', regex: false, word: false }],
    ['filter', { ...term, out: false }],
    ['filter', { ...term, out: true }],
    ['highlight', 'text', 'a.b*'],
    ['copy', 'a.b*'],
  ]);
});
