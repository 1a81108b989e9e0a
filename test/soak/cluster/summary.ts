import type { ClusterSoakResult } from './soak.ts';

const number = (value: number): string => value.toLocaleString('en');

export function summaryOf(result: ClusterSoakResult): string {
  const { seconds, done, leftOut, upgrades, written, rows, withoutRepeats, fields, watched, mostLag } = result;
  return [
    `In ${Math.round(seconds)} s:`,
    ...[...done].map(([name, count]) => `${String(count).padStart(5)} × ${name}`),
    `${String(upgrades).padStart(5)} × a program replaced by a newer one`,
    ...leftOut.map((text) => `left out: ${text}`),
    `${number(written)} records written, ${number(rows)} messages in the lake, ${number(rows - written)} of them repeats`,
    `${number(withoutRepeats)} without those of the same Uuid: ${number(fields.older)} with the former fields, ${number(fields.newer)} with the present ones`,
    `${number(mostLag)} batches waited at most; a desk that listened saw ${number(watched)} messages`,
    '',
  ].join('\n');
}

/** Faults that the figures show; empty: none. */
export function problemsOf(result: ClusterSoakResult): string[] {
  const { written, records, withoutRepeats, lost, doubled, fields, mostLag, lastLag, codes } = result;
  const failed = codes.filter((code) => code !== 0);
  return [
    ...(lost > 0 || records < written ? [`${Math.max(lost, written - records)} records are lost`] : []),
    ...(doubled > 0 || withoutRepeats !== written
      ? [`${withoutRepeats} Uuids for ${written} records, of which ${doubled} came twice`]
      : []),
    ...(fields.none > 0 ? [`${fields.none} records have other fields than their edges gave them`] : []),
    ...(fields.older === 0 || fields.newer === 0 ? ['the fields of the records did not change on the way'] : []),
    ...(mostLag === 0 ? ['no batch was seen to wait'] : []),
    ...(lastLag > 0 ? [`${lastLag} batches wait at the end`] : []),
    ...(failed.length > 0 ? [`services ended with ${failed.join(', ')}`] : []),
  ];
}
