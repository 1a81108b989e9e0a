/**
 * The outline of a small area chart, as an SVG path: from 0 at the lower edge to the largest value at the upper. Empty when there is
 * nothing to draw.
 */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  const largest = Math.max(0, ...values);
  if (values.length < 2 || largest === 0) return '';
  const step = width / (values.length - 1);
  const points = values.map(
    (value, index) => `${round(index * step)} ${round(height - 1 - (Math.max(0, value) / largest) * (height - 2))}`,
  );
  return `M0 ${height}L${points.join('L')}L${width} ${height}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
