import { basename } from 'node:path';
import { cutTo } from './display-width.ts';
import type { LineCount, SandboxReport, Usage } from '../sandbox/contract/types.ts';

/** Lines of a profile that are shown. */
const SHOWN_LINES = 20;
/** Columns of the source of a line that are shown: a compressed script is one line. */
const SOURCE_COLUMNS = 120;

/**
 * Formats the resources that a sandbox used: each limit, the calls, and the lines that took most steps.
 * @param script path and text of the script, whose lines are shown
 */
export function usageReport(report: SandboxReport, script: { readonly path: string; readonly text: string }): string {
  const { memory, instructions, output, processed, failures, injected, averageNs, timers = 0, timerAverageNs = 0 } = report;
  const rows = [
    ['', 'last', 'most', 'limit'],
    ['memory', ...uses(memory, bytesText)],
    ['instructions', ...uses(instructions, String)],
    ['output', ...uses(output, bytesText)],
  ];
  const calls = [
    `${processed} × process_message (${duration(averageNs)} each), ${failures} failed`,
    ...(timers > 0 ? [`${timers} × timer_event (${duration(timerAverageNs)} each)`] : []),
    `${injected} injected`,
  ];
  return `${table(rows)}\n${calls.join('; ')}\n${profileText(report.profile ?? [], script)}`;
}

function uses({ current, maximum, limit }: Usage, text: (value: number) => string): string[] {
  return [text(current), text(Math.max(current, maximum)), limit === 0 ? 'none' : text(limit)];
}

function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}

const duration = (ns: number): string => (ns < 1e6 ? `${(ns / 1e3).toFixed(1)} µs` : `${(ns / 1e6).toFixed(1)} ms`);

/** Formats rows with the first column aligned left and the others right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  return rows.map(line).join('\n');
}

function profileText(lines: readonly LineCount[], { path, text }: { readonly path: string; readonly text: string }): string {
  if (lines.length === 0) return '';
  const source = text.split('\n');
  const own = basename(path);
  const total = lines.reduce((sum, { steps }) => sum + steps, 0);
  const shown = lines.slice(0, SHOWN_LINES).map(({ file, line, steps }) => {
    const share = `${((100 * steps) / total).toFixed(1)} %`;
    const place = line === 0 ? file : `${file}:${line}`;
    const code = file === own && line > 0 ? cutTo(source[line - 1]?.trim() ?? '', SOURCE_COLUMNS) : '';
    return `${String(steps).padStart(10)}  ${share.padStart(7)}  ${place}  ${code}`.trimEnd();
  });
  const rest = lines.length > SHOWN_LINES ? [`            … and ${lines.length - SHOWN_LINES} lines more`] : [];
  return `${['     steps    share  line', ...shown, ...rest].join('\n')}\n`;
}
