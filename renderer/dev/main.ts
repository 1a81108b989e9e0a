import { createMock } from './mock.ts';

const wanted = new URLSearchParams(location.search);
Object.defineProperty(window, 'sluicebox', {
  value: createMock({
    empty: wanted.has('empty'),
    records: Number(wanted.get('records') ?? 1_000_000),
    delay: Number(wanted.get('delay') ?? 3),
    live: !wanted.has('still'),
    many: wanted.has('many'),
  }),
});
await import('../src/main.ts');
