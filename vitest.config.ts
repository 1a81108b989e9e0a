import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { isolateSingle, SharedLast, testProcesses } from './test/shared-processes.ts';

// As with the command itself: what the engine prepares and Node compiles is made once, not in each of thousands of processes.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  plugins: [svelte(), isolateSingle],
  resolve: {
    // The browser build of Svelte, so that components and runes behave in tests as they do in the window.
    conditions: ['browser'],
    alias: { 'fast-check': join(import.meta.dirname, 'test/fast-check.ts') },
  },
  test: {
    pool: 'forks',
    // One more than the cores that continuous integration has: many tests wait for other processes.
    maxWorkers: 3,
    sequence: { sequencer: SharedLast },
    setupFiles: ['test/setup.ts'],
    globalSetup: ['test/temporary-folder.ts', 'test/bundled-command.ts'],
    // isolated-vm aborts under Node's start-up snapshot.
    execArgv: ['--no-node-snapshot', '--disable-warning=ExperimentalWarning'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/producers/**'],
          // Each file has a process of its own, but for those that share one.
          pool: testProcesses,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          // Windows that share a display take the keyboard from each other.
          maxWorkers: 2,
          fileParallelism: process.env.SLUICEBOX_DISPLAYS !== undefined,
          setupFiles: ['test/setup.ts', 'test/e2e/support/display.ts'],
          // A browser stands still for reasons that no count of processes tells, such as another virtual machine on the same cores.
          env: { SLUICEBOX_PATIENCE: '3' },
        },
      },
      {
        extends: true,
        test: {
          name: 'producers',
          include: ['test/producers/*.test.ts'],
          globalSetup: ['test/producers/support/setup.ts'],
          fileParallelism: false,
        },
      },
    ],
  },
});
