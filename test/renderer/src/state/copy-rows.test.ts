import { expect, it } from 'vitest';
import type { App } from '../../../../renderer/src/state/app.svelte.ts';
import { copyRows, type CopyForm } from '../../../../renderer/src/state/copy-rows.ts';

const row = (text: string): object => ({ id: 1, time: 0, severity: null, source: 1, type: '', values: [''], columns: ['user'], text });

async function copied(form: CopyForm): Promise<string> {
  let result = '';
  const app = {
    logs: {
      selection: { first: 0, last: 1 },
      async *read() {
        yield await Promise.resolve([row(''), row('')]);
      },
      text: () => Promise.resolve({ text: 'one\n  two  \n', count: 2 }),
    },
    columns: { layout: { fields: [{ name: 'user', width: 100 }], widths: {}, hidden: ['time', 'severity', 'source', 'type'] } },
    tableFacts: { sources: 1, severities: 'none', time: 'full', type: '', texts: true },
    prefs: { zone: 'utc' },
    engine: { source: () => undefined },
    copy: (text: string) => void (result = text),
    fail: (error: unknown) => expect.fail(String(error)),
  } as unknown as App;
  await copyRows(app, form);
  return result;
}

it('copies the last record as whole as the others', async () => {
  expect(await copied('cells')).toBe('\t\n\t');
  expect(await copied('raw')).toBe('one\n  two  ');
});
