/** A figure of another program for the same work, on two cores of a machine of 2026. What can be measured here is measured by `anchors`. */
export interface Peer {
  readonly name: string;
  /** In the unit of our figure. */
  readonly value: number;
}

/** File, decoder, http_status and a counting output, with a queue on disk between them, in lines/s by cores. */
export const END_TO_END: Readonly<Record<number, Peer>> = {
  1: { name: 'Hindsight 0.16', value: 77_000 },
  2: { name: 'Hindsight 0.16', value: 84_500 },
};

/** Reads and decodes lines of the combined access log, in lines/s. */
export const DECODE: readonly Peer[] = [
  { name: 'lua_sandbox', value: 133_000 },
  { name: 'LuaJIT', value: 155_000 },
];

/** Time from the append of a line until it is painted, in ms. */
export const LIVE = { median: { name: 'lnav 0.11', value: 260 }, percentile95: { name: 'lnav 0.11', value: 360 } } as const;

/** Describes the ratio of our time to that of a peer. */
export function ofTheTime(ms: number, peer: Peer): string {
  return `${(ms / peer.value).toPrecision(2)} of the time of ${peer.name} on another machine`;
}

/** Describes the ratios of our value to those of peers. */
export function beside(value: number, peers: readonly Peer[]): string {
  return `${peers.map((peer) => `${(value / peer.value).toPrecision(2)} times ${peer.name}`).join(', ')} on another machine`;
}
