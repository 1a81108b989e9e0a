import { expect, it, vi } from 'vitest';
import type { RecordGraph } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { RecordDrawing } from '../../../../renderer/src/state/record-drawing.svelte.ts';

const COUNT: RecordGraph = { id: 1, title: 'a', measure: 'count', of: null, by: [], display: 'bars', unit: '', any: false, filters: [] };
const SPAN = { from: 0, to: 99 };

it('counts until it has its first answer, however long that is waited for', async () => {
  const answers: Record<string, unknown> = { 'view.open': { view: 7 }, 'view.rows': { facts: { span: SPAN } } };
  let tell: (event: object) => void = () => undefined;
  const client = {
    request: (name: string) => Promise.resolve(answers[name] ?? new Promise(() => undefined)),
    on: (_name: string, listener: (event: object) => void) => ((tell = listener), () => undefined),
  };
  const drawing = new RecordDrawing(client as unknown as Client, COUNT, {});
  await vi.waitFor(() => expect(drawing.span).not.toBeNull());
  // All records were looked through before anyone said which time is to be drawn.
  tell({ view: 7, facts: { span: SPAN }, scanned: 10, records: 10 });
  await vi.waitFor(() => expect(drawing.busy).toBe(false));
  drawing.show(0, 100);
  expect([drawing.busy, drawing.graph]).toEqual([true, null]);
  drawing.close();
});
