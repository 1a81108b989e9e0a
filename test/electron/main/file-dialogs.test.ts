import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EngineSupervisor } from '../../../electron/main/engine.ts';
import type { MainWindow } from '../../../electron/main/window.ts';

const user = vi.hoisted(() => ({ path: '', response: 0, asked: [] as string[] }));
vi.mock('electron', () => ({
  dialog: {
    showSaveDialog: () => Promise.resolve({ filePath: user.path }),
    showMessageBox: (_parent: unknown, { message }: { readonly message: string }) => {
      user.asked.push(message);
      return Promise.resolve({ response: user.response });
    },
  },
}));
const { FileDialogs } = await import('../../../electron/main/file-dialogs.ts');

let folder: string;
const granted: string[] = [];
const dialogs = new FileDialogs(
  { grant: (use: string, paths: readonly string[]) => void granted.push(`${use} ${paths.join()}`) } as unknown as EngineSupervisor,
  { browserWindow: {} } as MainWindow,
);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-dialogs-'));
  Object.assign(user, { path: join(folder, 'mine'), response: 0, asked: [] });
  granted.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('adds the ending of a script, and asks before that replaces a file', async () => {
  const path = join(folder, 'mine.ts');
  expect(await dialogs.saveScript('mine.ts', 'first')).toEqual({ path });
  expect(user.asked).toEqual([]);
  expect(await dialogs.saveScript('mine.ts', 'second')).toBeNull();
  expect([user.asked, readFileSync(path, 'utf8')]).toEqual([['Replace mine.ts?'], 'first']);
  user.response = 1;
  expect(await dialogs.saveScript('mine.ts', 'second')).toEqual({ path });
  expect(readFileSync(path, 'utf8')).toBe('second');
});

it('adds the ending of a workspace, and asks before that replaces a file', async () => {
  const path = join(folder, 'mine.sluicebox');
  writeFileSync(path, '');
  expect([await dialogs.chooseWorkspace('mine'), granted]).toEqual([null, []]);
  user.response = 1;
  expect([await dialogs.chooseWorkspace('mine'), granted]).toEqual([{ path }, [`export ${path}`]]);
  // The dialog of the system has asked itself.
  Object.assign(user, { path, response: 0, asked: [] });
  expect([await dialogs.chooseWorkspace('mine'), user.asked]).toEqual([{ path }, []]);
});
