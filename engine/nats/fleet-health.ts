import type { FleetConsumer, FleetEdge, FleetStream } from '../api/fleet-types.ts';

/** Bounds beyond which somebody should look. */
export interface HealthBounds {
  /** Batches that a reader may have before it, waiting or not acknowledged. */
  readonly lag: number;
  /** Milliseconds since its last batch after which an edge is dead, and after which nobody expects it any more. */
  readonly deadMs: number;
  readonly goneMs: number;
}

type EdgeState = 'live' | 'dead' | 'gone';

/** A reader with its lag. */
export interface ReaderHealth extends FleetConsumer {
  /** Batches that it has before it. */
  readonly lag: number;
  readonly isLate: boolean;
}

export interface EdgeHealth extends FleetEdge {
  readonly state: EdgeState;
}

export interface StreamHealth extends Omit<FleetStream, 'consumers' | 'edges'> {
  readonly readers: readonly ReaderHealth[];
  readonly edges: readonly EdgeHealth[];
}

export interface FleetHealth {
  readonly streams: readonly StreamHealth[];
  /** Lines about all that is beyond a bound. */
  readonly problems: readonly string[];
}

/** Judges the readers and edges of streams. @param nowMs milliseconds since 1970 */
export function healthOf(streams: readonly FleetStream[], nowMs: number, bounds: HealthBounds): FleetHealth {
  const judged = streams.map((stream) => streamHealth(stream, nowMs, bounds));
  return { streams: judged, problems: judged.flatMap((stream) => problemsOf(stream, nowMs)) };
}

function streamHealth(
  { consumers, edges, ...stream }: FleetStream,
  nowMs: number,
  { lag: most, deadMs, goneMs }: HealthBounds,
): StreamHealth {
  const stateOf = (silentMs: number): EdgeState => (silentMs < deadMs ? 'live' : silentMs < goneMs ? 'dead' : 'gone');
  return {
    ...stream,
    readers: consumers.map((consumer) => {
      const lag = consumer.waiting + consumer.unacknowledged;
      return { ...consumer, lag, isLate: lag > most };
    }),
    edges: edges.map((edge) => ({ ...edge, state: stateOf(nowMs - edge.lastMs) })),
  };
}

function problemsOf({ name, readers, edges }: StreamHealth, nowMs: number): string[] {
  return [
    ...readers.filter(({ isLate }) => isLate).map((reader) => `${name}: reader ${reader.name} is ${reader.lag} batches behind`),
    ...edges
      .filter(({ state }) => state === 'dead')
      .map((edge) => `${name}: edge ${edge.name} has sent nothing for ${Math.round((nowMs - edge.lastMs) / 1000)} s`),
  ];
}
