import { expect, it } from 'vitest';
import { markText } from '../../../../../../renderer/src/views/logs/table/mark-text.ts';

const field = (name: string, ...values: string[]) => ({ name, type: 'string' as const, representation: null, values });
const fields = [field('status', '503'), field('request', 'GET / HTTP/1.1'), field('tags', 'a', 'b'), field('empty', '')];

it.each([
  { columns: ['request', 'status'], payload: null, text: 'GET / HTTP/1.1  503' },
  { columns: ['tags', 'missing', 'empty'], payload: null, text: 'a, b' },
  { columns: ['status'], payload: 'it fails', text: '503  it fails' },
  { columns: [], payload: 'it fails', text: 'it fails' },
  { columns: ['missing'], payload: null, text: 'as it was read' },
])('shows a mark with the columns $columns as $text', ({ columns, payload, text }) => {
  expect(markText({ fields, payload }, columns, 'as it was read')).toBe(text);
});
