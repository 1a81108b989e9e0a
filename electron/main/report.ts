import { app } from 'electron';
import { writeFile } from 'node:fs/promises';
import type { EngineState, SourceInfo } from '../../engine/api/types.ts';
import type { EngineSupervisor } from './engine.ts';
import { say } from './terminal.ts';
import type { MainWindow } from './window.ts';

const POLL_MS = 50;
const LONGEST_WAIT_MS = 60_000;
/** Time for the views to fetch and paint what the engine has. */
const PAINT_MS = 700;

/**
 * Reports the content of the window on standard output, for a virtual display: the opened files, the number of decoded records with their
 * decoder, and the path of a screenshot. Enabled by SLUICEBOX_REPORT=1.
 */
export async function reportWhenPainted(engine: EngineSupervisor, window: MainWindow, files: readonly string[]): Promise<void> {
  if (process.env['SLUICEBOX_REPORT'] !== '1') return;
  const state = await whenRead(engine, files.length);
  await pause(PAINT_MS);
  say(...describe(state));
  await saveScreenshot(window);
  if (process.env['SLUICEBOX_EXIT_AFTER_REPORT'] === '1') app.quit();
}

async function whenRead(engine: EngineSupervisor, expected: number): Promise<EngineState> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const state = await engine.request('engine.state', {});
    const busy = state.sources.some((source) => source.state === 'opening' || source.state === 'reading');
    const settled = state.sources.length >= expected && !busy && state.queued === 0;
    if (settled || performance.now() > deadline) return state;
    await pause(POLL_MS);
  }
}

function describe(state: EngineState): string[] {
  if (state.sources.length === 0) return ['Nothing is open: the window shows the start screen.'];
  return state.sources.map((source) => `${source.location}: ${outcome(source)}`);
}

function outcome(source: SourceInfo): string {
  if (source.state === 'failed') return source.problem ?? 'could not be read';
  const how = source.decoder === null ? 'shown raw' : `${source.records - source.failures} decoded by ${source.decoder.name}`;
  const refused = source.failures === 0 ? '' : `, ${source.failures} refused and shown raw`;
  return `${source.records} records, ${how}${refused}`;
}

async function saveScreenshot(window: MainWindow): Promise<void> {
  const path = process.env['SLUICEBOX_SCREENSHOT'];
  const contents = window.browserWindow?.webContents;
  if (path === undefined || contents === undefined) return;
  const image = await contents.capturePage();
  await writeFile(path, image.toPNG());
  say(`Screenshot of the window: ${path}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
