/** Types of a cluster of NATS: who publishes to it, and who reads there. */

/** A consumer of a stream: the workers, or others, that share its name. Counts are of batches. */
export interface FleetConsumer {
  readonly name: string;
  /** Batches that were not delivered to it yet. */
  readonly waiting: number;
  /** Batches that were delivered to it and are not acknowledged. */
  readonly unacknowledged: number;
  /** Position in the stream up to which all is acknowledged. */
  readonly acknowledged: number;
}

/** A program that publishes to a stream. */
export interface FleetEdge {
  readonly name: string;
  /** Batches since its start. */
  readonly batches: number;
  /** Milliseconds since 1970 of its last batch. */
  readonly lastMs: number;
  /** Position of that batch in the stream. */
  readonly position: number;
  /** Bytes that waited in its disk buffer behind that batch; null: it does not say. */
  readonly waiting: number | null;
  readonly subjects: readonly string[];
}

/** A stream, who publishes to it and who reads it. */
export interface FleetStream {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly batches: number;
  readonly bytes: number;
  /** Milliseconds since 1970 of the oldest and the newest batch; 0: it is empty. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly consumers: readonly FleetConsumer[];
  /** By name. Of very many subjects some may be missing. */
  readonly edges: readonly FleetEdge[];
}

/** A cluster, as somebody types it. */
export interface ClusterAddress {
  /** `host:port`, several with commas or blanks between them. */
  readonly servers: string;
  /** Path of a file with credentials; empty: none. */
  readonly credentials: string;
}

/** Start of the reading of a stream: at its oldest batch, behind its newest one, or at a time (milliseconds since 1970). */
export type StreamStart = 'begin' | 'end' | number;
