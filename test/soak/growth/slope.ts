/** A figure at a time in minutes. */
export type Point = readonly [minutes: number, value: number];

/** Growth of the figure in a minute, by the line through all points that is nearest to them. */
export function slopeOf(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number): number => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [time, value] = [mean(([at]) => at), mean(([, figure]) => figure)];
  return mean(([at, figure]) => (at - time) * (figure - value)) / mean(([at]) => (at - time) ** 2);
}
