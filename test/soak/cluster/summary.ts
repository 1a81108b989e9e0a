import type { ClusterSoakResult } from './soak.ts';

export function summaryOf({ seconds, kills, written, rows, withoutRepeats, watched, mostLag }: ClusterSoakResult): string {
  return (
    `${kills.edge} kills of edges, ${kills.worker} of workers, ${kills.server} of servers, in ${Math.round(seconds)} s\n` +
    `${written} records written, ${rows} messages in the lake, ${withoutRepeats} without those of the same Uuid\n` +
    `${mostLag} batches waited at most; a desk that listened saw ${watched} messages\n`
  );
}

/** Faults that the figures show; empty: none. */
export function problemsOf(result: ClusterSoakResult): string[] {
  const { written, records, withoutRepeats, lost, doubled, mostLag, lastLag, codes } = result;
  const failed = codes.filter((code) => code !== 0);
  return [
    ...(lost > 0 || records < written ? [`${Math.max(lost, written - records)} records are lost`] : []),
    ...(doubled > 0 || withoutRepeats !== written
      ? [`${withoutRepeats} Uuids for ${written} records, of which ${doubled} came twice`]
      : []),
    ...(mostLag === 0 ? ['no batch was seen to wait'] : []),
    ...(lastLag > 0 ? [`${lastLag} batches wait at the end`] : []),
    ...(failed.length > 0 ? [`services ended with ${failed.join(', ')}`] : []),
  ];
}
