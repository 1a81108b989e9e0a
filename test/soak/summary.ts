import type { OutputName, SoakResult } from './soak.ts';

const COLUMNS = ['output', 'records', 'lost', 'repeated', 'allowed', 'per kill', 'most after one kill', 'out of order', 'torn'] as const;

/** The figures as a table, an output in each line. */
export function summaryOf(result: SoakResult): string {
  const { seconds, engineKills, hostKills, resets, httpRequests, httpFailures, httpFailingShare } = result;
  const kills = engineKills + hostKills;
  const rows = outputsOf(result).map(([name, figures]) => [
    name,
    figures.records,
    figures.lost,
    figures.repeated,
    Math.floor(result.allowed[name]),
    Math.round(figures.repeated / Math.max(1, kills)),
    figures.mostAfterOneKill,
    figures.outOfOrder,
    figures.broken,
  ]);
  const lines = [COLUMNS, ...rows].map((row) => row.map(String));
  const widths = COLUMNS.map((_, i) => Math.max(...lines.map((line) => (line[i] as string).length)));
  const text = lines.map((line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number))).join('  '),
  );
  const head =
    `${engineKills} kills of the engine, ${hostKills} of processes that run its scripts, in ${Math.round(seconds)} s; ` +
    `${resets} resets by the TCP server; ${httpFailures} of ${httpRequests} requests failed by the HTTP server, ` +
    `in ${Math.round(httpFailingShare * 100)} % of the time`;
  return `${head}\n${text.join('\n')}\n`;
}

/** Faults that the figures show; empty: none. */
export function problemsOf(result: SoakResult): string[] {
  const problems = outputsOf(result).flatMap(([name, { lost, broken, outOfOrder, repeated }]) => {
    const most = Math.floor(result.allowed[name]);
    return [
      ...(lost > 0 ? [`${name}: ${lost} records are lost`] : []),
      ...(broken > 0 ? [`${name}: ${broken} records are torn`] : []),
      ...(outOfOrder > 0 ? [`${name}: ${outOfOrder} records are out of order`] : []),
      ...(repeated > most ? [`${name}: ${repeated} records came again, and ${most} can be accounted for`] : []),
    ];
  });
  return result.code === 0 ? problems : [...problems, `the service ended with ${result.code ?? 'a signal'} when it was asked to stop`];
}

function outputsOf({ outputs }: SoakResult): [OutputName, SoakResult['outputs'][OutputName]][] {
  return Object.entries(outputs) as [OutputName, SoakResult['outputs'][OutputName]][];
}
