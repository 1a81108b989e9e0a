import { expect, it } from 'vitest';
import type { FleetConsumer, FleetEdge, FleetStream } from '../../../engine/api/fleet-types.ts';
import { healthOf } from '../../../engine/nats/fleet-health.ts';

const NOW = Date.UTC(2026, 10, 30);
const BOUNDS = { lag: 100, deadMs: 300_000, goneMs: 86_400_000 };

const reader = (name: string, waiting: number, unacknowledged: number): FleetConsumer => ({
  name,
  waiting,
  unacknowledged,
  acknowledged: 0,
});
const edge = (name: string, silentSeconds: number): FleetEdge => ({
  name,
  batches: 1,
  lastMs: NOW - silentSeconds * 1000,
  position: 1,
  waiting: null,
  subjects: [],
});
const stream = (consumers: readonly FleetConsumer[], edges: readonly FleetEdge[]): FleetStream => ({
  name: 'LOGS',
  subjects: ['logs.>'],
  batches: 1,
  bytes: 1,
  firstMs: 0,
  lastMs: 0,
  consumers,
  edges,
});

it.each<[what: string, streams: readonly FleetStream[], problems: readonly string[]]>([
  ['no streams', [], []],
  ['a reader within its bound', [stream([reader('lake', 60, 40)], [])], []],
  ['a reader beyond it', [stream([reader('lake', 60, 41)], [])], ['LOGS: reader lake is 101 batches behind']],
  ['edges that live', [stream([], [edge('web1', -5), edge('web2', 299)])], []],
  ['one that is dead', [stream([], [edge('web1', 300)])], ['LOGS: edge web1 has sent nothing for 300 s']],
  ['one that was taken away', [stream([], [edge('web1', 86_400)])], []],
])('tells problems of %s', (_, streams, problems) => expect(healthOf(streams, NOW, BOUNDS).problems).toEqual(problems));

it('keeps what it judges', () => {
  const { streams } = healthOf([stream([reader('lake', 1, 2)], [edge('web1', 400)])], NOW, BOUNDS);
  expect(streams).toMatchObject([
    { name: 'LOGS', readers: [{ name: 'lake', lag: 3, isLate: false }], edges: [{ name: 'web1', state: 'dead', subjects: [] }] },
  ]);
});
