import { NO_RESULT } from '../../../engine/sandbox/contract/types.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { FilterRunner } from '../../../engine/pipeline/filter-runner.ts';
import { Router } from '../../../engine/pipeline/router.ts';
import { specOf, message } from './fakes.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const heapUsed = async (): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  collect();
  return process.memoryUsage().heapUsed;
};

it('a filter keeps nothing of the batches that it is done with', async () => {
  const router = new Router();
  const sandbox = {
    spec: specOf('f'),
    state: 'running' as const,
    process: () => Promise.resolve(NO_RESULT),
    timer: () => Promise.resolve(NO_RESULT),
    report: () => Promise.reject(new Error('none')),
    stop: () => Promise.resolve(),
  };
  const runner = new FilterRunner({
    name: 'f',
    matcher: { select: () => null },
    sandbox,
    router,
    tickerInterval: 0,
    clock: 'wall',
    maxMessageLoops: 4,
  });
  router.addFilter(runner);
  const batch = batchOf([message('x')]);
  const send = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await (await router.accept(batch)).delivered;
  };
  await send(2000);
  const before = await heapUsed();
  await send(40_000);
  expect((await heapUsed()) - before).toBeLessThan(1_000_000);
  await runner.stop();
});
