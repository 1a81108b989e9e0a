import { app, type ProcessMetric } from 'electron';
import { ownProcess, relieve, type ProcessFigures } from '../../engine/base/process/memory-relief.ts';
import type { MainWindow } from './window.ts';

/** Growth in bytes that is worth a collection in the shell, which holds little. */
const SHELL_GROWTH = 8 << 20;
/** The same in the page. */
const PAGE_GROWTH = 16 << 20;

/** Gives memory of the shell and of the page back to the system when they rest. */
export function relieveMemory(window: MainWindow): void {
  relieve(ownProcess(SHELL_GROWTH), pageOf(window));
}

/** The process of the page, measured from outside. */
function pageOf(window: MainWindow): ProcessFigures {
  let metric: ProcessMetric | undefined;
  const measure = (): void => {
    const pid = window.pageProcess;
    metric = pid === null ? undefined : app.getAppMetrics().find((one) => one.pid === pid);
  };
  return {
    growth: PAGE_GROWTH,
    cpu: () => {
      measure();
      return (metric?.cpu.cumulativeCPUUsage ?? 0) * 1e6;
    },
    held: () => (metric?.memory.workingSetSize ?? 0) * 1024,
    collect: () => window.collectGarbage(),
  };
}
