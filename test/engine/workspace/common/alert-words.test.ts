import { describe, expect, it } from 'vitest';
import type { Graph } from '../../../../engine/api/types.ts';
import { alertWords } from '../../../../engine/workspace/common/alert-words.ts';

const columns = ['HTTP_200', 'HTTP_500', 'latency'].map((name) => ({ name })) as unknown as Graph['columns'];
const graphs = [{ title: 'HTTP Status', columns }];

describe('alerts in words', () => {
  it.each([
    ['algorithm: roc col: 1 msg: no new data', 'no data any more: 2xx of HTTP Status'],
    ['algorithm: roc col: 2 msg: unexpected data', 'data where there was none before: 5xx of HTTP Status'],
    ['algorithm: mww col: 3 msg: detected anomaly, increasing values', 'unusually increasing: latency of HTTP Status'],
    [
      'algorithm: roc col: 2 msg: detected anomaly, standard deviation exceeds 1.5',
      'unusual change, over 1.5 standard deviations: 5xx of HTTP Status',
    ],
    ['algorithm: mww_nonparametric col: 9 msg: detected anomaly, pstat: 0.9', 'unusual values: column 9 of HTTP Status'],
  ])('%s', (reason, words) => {
    expect(alertWords(`HTTP Status - ${reason}`, graphs)).toBe(words);
  });

  it('are told for each line, and other alerts are left as they are', () => {
    expect(alertWords('the disk is full\nHTTP Status - algorithm: roc col: 1 msg: no new data', graphs)).toBe(
      'the disk is full\nno data any more: 2xx of HTTP Status',
    );
  });
});
