import { compileMatcher } from '../engine/matcher/matcher.ts';
import { accessBatch, rate, ROWS } from './core-messages.ts';
import type { Benchmark } from './report.ts';

const EXPRESSIONS = [
  'TRUE',
  "Type == 'nginx.access'",
  "Type == 'nginx.access' && Fields[status] >= 500",
  'Severity <= 3 || Fields[status] == 404',
  "Fields[remote_addr] == '192.0.2.77'",
  'Fields[request] =~ /^GET \\/api/',
  'Fields[user_agent] =~ /AppleWebKit/',
  'Payload =~ /"GET \\/[a-z]+\\.html HTTP\\/1\\.\\d"/',
  'Fields[request] =~ /(?i)LOGIN|logout/',
  'Fields[sizes][0][1] > 299 && Fields[cached] == TRUE && Fields[missing] == NIL',
];

/** Compiled matchers over the columns of one batch. */
export const matchersBenchmark: Benchmark = {
  name: 'matchers',
  title: `Select from a batch of ${ROWS} messages with ten fields`,
  async run() {
    const batch = accessBatch();
    const figures = [];
    for (const expression of EXPRESSIONS) {
      const matcher = compileMatcher(expression);
      const rows = matcher.select(batch)?.length ?? ROWS;
      const value = await rate(() => matcher.select(batch), ROWS);
      figures.push({ what: expression, value, unit: 'messages/s' as const, note: `selects ${((rows / ROWS) * 100).toFixed(1)} %` });
    }
    return figures;
  },
};
