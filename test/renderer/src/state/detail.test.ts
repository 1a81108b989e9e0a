import { expect, it } from 'vitest';
import { RequestError, type Client } from '../../../../renderer/src/lib/api.ts';
import { Detail } from '../../../../renderer/src/state/detail.svelte.ts';
import { until } from '../../../until.ts';

it('shows no record that comes after it was put away, and the next one all the same', async () => {
  const waiting: (() => void)[] = [];
  const request = (_: string, { id }: { id: number }): Promise<unknown> => new Promise((resolve) => waiting.push(() => resolve({ id })));
  const detail = new Detail({ request } as unknown as Client);
  detail.show(1);
  detail.show(null);
  waiting[0]?.();
  await new Promise((done) => setImmediate(done));
  expect(detail.record).toBeNull();
  detail.show(2);
  detail.show(null);
  detail.show(3);
  waiting[1]?.();
  await until(() => waiting.length === 3, 'the request for the next one');
  expect(detail.record).toBeNull();
  waiting[2]?.();
  await until(() => detail.record?.id === 3, 'the next one');
});

it('shows nothing when its record is gone, and says when one could not be had', async () => {
  const answers: Promise<unknown>[] = [
    Promise.resolve({ id: 1 }),
    Promise.reject(new RequestError('record.get', { code: 'record.unknown', text: 'There is no record 1.' })),
    Promise.reject(new Error('the disk')),
  ];
  for (const answer of answers) answer.catch(() => undefined);
  const detail = new Detail({ request: () => answers.shift() } as unknown as Client);
  detail.show(1);
  await until(() => detail.record !== null, 'the record');
  detail.refresh();
  await until(() => detail.record === null, 'no record');
  expect(detail.problem).toBeNull();
  detail.show(2);
  await until(() => detail.problem === 'the disk', 'the problem');
  detail.show(null);
  expect(detail.problem).toBeNull();
});

it('says nothing of a record that was put away before it could not be had', async () => {
  let fail = (): void => undefined;
  const detail = new Detail({
    request: () => new Promise((_resolve, reject) => (fail = () => reject(new Error('the disk')))),
  } as unknown as Client);
  detail.show(1);
  detail.show(null);
  fail();
  await new Promise((done) => setImmediate(done));
  expect(detail.problem).toBeNull();
});
