import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, type BrowserContext, type ElectronApplication, type Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { AllRequests, EngineState, Reply } from '../../../engine/api/types.ts';
import { patienceMs, testMs } from '../../patience.ts';
import { until } from '../../until.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');

/** Contexts of the windows whose waits are given the time that they need. */
const waiting = new Set<BrowserContext>();
/** Milliseconds after which the load of the machine is looked at again: it may rise while a story runs. */
const LOAD_MS = 1000;
setInterval(() => {
  const timeout = patienceMs();
  vi.setConfig({ ...{ expect: { poll: { timeout } } } });
  for (const context of waiting) context.setDefaultTimeout(timeout);
}, LOAD_MS).unref();

/** Windows of other tests may lie over this one: it is to draw all the same. */
const DRAW_ALWAYS = ['--disable-backgrounding-occluded-windows', '--disable-renderer-backgrounding'];

/** The samples that come with the product. */
export const SAMPLE = (name: string): string => join(ROOT, 'resources', 'samples', name);

/** The real application with a user-data folder of its own. */
export interface App extends AsyncDisposable {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly data: string;
  /** Opens files as if they were chosen in the dialog. */
  open(...paths: readonly string[]): Promise<void>;
  /** Gives the window a size in pixels, and waits until its page has it. */
  resize(width: number, height: number, zoom?: number): Promise<void>;
  /** Answers the shell’s questions in this way from now on; until then they are refused. */
  answer(how: 'confirm' | 'cancel'): Promise<void>;
  /** The questions that the shell has asked: the text of each. */
  questions(): Promise<string[]>;
  request<N extends keyof AllRequests>(name: N, input: AllRequests[N]['in']): Promise<AllRequests[N]['out']>;
  /** Asks for the state until it fits; fails with the last one seen when it never does. */
  stateWhere(fits: (state: EngineState) => boolean): Promise<EngineState>;
}

/** Starts Electron, once more if it crashes before it has begun: on a busy machine it does so once in hundreds of starts. */
function launched(options: Parameters<typeof _electron.launch>[0]): Promise<ElectronApplication> {
  return _electron.launch(options).catch((error: unknown) => {
    if (!String(error).includes('Process failed to launch')) throw error;
    return _electron.launch(options);
  });
}

/** Asks once more when the collector of the main process takes the promise of an evaluation before its answer has left, as happens once in thousands. */
function evaluateAgain(electron: ElectronApplication): void {
  const evaluate = electron.evaluate.bind(electron) as (script: unknown, argument: unknown) => Promise<unknown>;
  const again = (script: unknown, argument?: unknown): Promise<unknown> =>
    evaluate(script, argument).catch((error: unknown) => {
      if (!String(error).includes('promise was garbage collected')) throw error;
      return evaluate(script, argument);
    });
  electron.evaluate = again as ElectronApplication['evaluate'];
}

/**
 * Starts the built application on files, as `npm start -- FILE…` does.
 * @param switches more of Chromium's
 * @param answer to questions that the shell asks while it starts
 */
export async function startApp(
  files: readonly string[] = [],
  data = mkdtempSync(join(tmpdir(), 'sluicebox-e2e-')),
  switches: readonly string[] = [],
  answer: 'confirm' | 'cancel' = 'cancel',
): Promise<App> {
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const electron = await launched({
    executablePath: process.env['SLUICEBOX_ELECTRON'] as string,
    args: [
      '-r',
      join(import.meta.dirname, 'answers.cjs'),
      ROOT,
      ...root,
      '--log-level=3',
      `--user-data-dir=${data}`,
      ...DRAW_ALWAYS,
      ...switches,
      '--',
      ...files,
    ],
    env: { ...(process.env as Record<string, string>), SLUICEBOX_TEST_ANSWER: answer },
    colorScheme: null,
    timeout: testMs(),
  });
  evaluateAgain(electron);
  const context = electron.context();
  context.setDefaultTimeout(patienceMs());
  waiting.add(context);
  electron.on('close', () => waiting.delete(context));
  const page = await electron.firstWindow({ timeout: testMs() });
  await page.waitForLoadState('domcontentloaded');
  const request = async <N extends keyof AllRequests>(name: N, input: AllRequests[N]['in']): Promise<AllRequests[N]['out']> => {
    const ask = ([n, i]: readonly [N, AllRequests[N]['in']]): Promise<unknown> => window.sluicebox.request(n, i);
    const reply = (await page.evaluate(ask as (argument: unknown) => Promise<unknown>, [name, input])) as Reply<N>;
    if ('failed' in reply) throw new Error(`${name}: ${reply.failed.text}`);
    return reply.value;
  };
  const stateWhere = async (fits: (state: EngineState) => boolean): Promise<EngineState> => {
    let state: EngineState | null = null;
    const found = async (): Promise<EngineState | null> => {
      // An engine that is being restarted does not answer: ask again.
      state = await request('engine.state', {}).catch(() => null);
      return state !== null && fits(state) ? state : null;
    };
    return until(found, () => `the expected state of the engine: ${JSON.stringify(state)}`);
  };
  return {
    electron,
    page,
    data,
    request,
    stateWhere,
    async open(...paths) {
      await electron.evaluate(({ dialog }, filePaths) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths });
      }, paths as string[]);
      await request('shell.open', {});
    },
    async resize(width, height, zoom = 1) {
      await electron.evaluate(
        ({ BrowserWindow }, [w, h, factor]) => {
          const [window] = BrowserWindow.getAllWindows();
          window?.setContentSize(w, h);
          window?.webContents.setZoomFactor(factor);
        },
        [width, height, zoom] as const,
      );
      // The frame of a window may take a pixel.
      const missing = async (): Promise<number> => Math.abs((await page.evaluate(() => innerWidth)) - width / zoom);
      await expect.poll(missing).toBeLessThan(3);
    },
    answer: (how) => electron.evaluate((_, given) => void ((globalThis as Asked).answer = given), how),
    questions: () => electron.evaluate(() => (globalThis as Asked).questions ?? []),
    async [Symbol.asyncDispose]() {
      await electron.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Stand-in for the dialogs of the system, in the shell’s process; answers.cjs puts it there. */
interface Asked {
  answer?: 'confirm' | 'cancel';
  questions?: string[];
}
