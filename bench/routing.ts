import { compileMatcher } from '../engine/matcher/matcher.ts';
import type { Consumer } from '../engine/pipeline/consumer.ts';
import { Router } from '../engine/pipeline/router.ts';
import { Subscription } from '../engine/pipeline/selection.ts';
import { accessBatch, rate, ROWS } from './core-messages.ts';
import type { Benchmark } from './report.ts';

/** A consumer that only counts the messages it gets. */
function counter(name: string, expression: string): Consumer {
  let taken = 0;
  return {
    name,
    subscription: new Subscription({ matcher: compileMatcher(expression) }),
    get pending() {
      return taken < 0 ? 1 : 0;
    },
    submit: async ({ batch, rows }) => {
      taken += rows?.length ?? batch.length;
      return Promise.resolve();
    },
    stop: () => Promise.resolve(),
  };
}

/** Typical matchers of filters, each with a different constant. */
const EXPRESSIONS: readonly ((i: number) => string)[] = [
  (i) => `Fields[status] == ${200 + i}`,
  (i) => `Type == 'nginx.access' && Fields[body_bytes_sent] > ${i * 600}`,
  (i) => `Fields[remote_addr] == '192.0.2.${i}'`,
  (i) => `Fields[request] =~ /^GET \\/${String.fromCharCode(97 + (i % 26))}/`,
  (i) => `Type == 'other.${i}'`,
];

/** Measures the router with many filters, without the work of the filters. */
export const routingBenchmark: Benchmark = {
  name: 'routing',
  title: `Route messages with ten fields, in batches of ${ROWS}, past filters with different matchers`,
  async run() {
    const batch = accessBatch();
    const figures = [];
    for (const count of [1, 10, 30, 100]) {
      const router = new Router();
      for (let i = 0; i < count; i++) router.addFilter(counter(`f${i}`, (EXPRESSIONS[i % EXPRESSIONS.length] as (i: number) => string)(i)));
      const value = await rate(async () => (await router.accept(batch)).delivered, ROWS);
      const note = `${((value * count) / 1e6).toFixed(0)} million decisions/s`;
      figures.push({ what: `${count} filter${count === 1 ? '' : 's'}`, value, unit: 'messages/s' as const, note });
    }
    return figures;
  },
};
