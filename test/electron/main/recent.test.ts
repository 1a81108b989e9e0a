import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as Paths from '../../../electron/main/paths.ts';
import { themeOf } from '../../../electron/main/theme.ts';

const place = vi.hoisted(() => ({ folder: '' }));
vi.mock('electron', () => ({ app: { addRecentDocument: () => undefined } }));
vi.mock('../../../electron/main/paths.ts', (): Partial<typeof Paths> => ({ dataFolder: () => place.folder }));
const { RecentFiles } = await import('../../../electron/main/recent.ts');

beforeEach(() => (place.folder = mkdtempSync(join(tmpdir(), 'sluicebox-recent-'))));
afterEach(() => rmSync(place.folder, { recursive: true, force: true }));

it.each(['', 'null', '[]', '{"files":7}', '{"files":{"length":2}}', '{"files":[null,7,{"path":7,"openedAt":1},{"path":"/b"}]}'])(
  'takes nothing from a damaged file: %s',
  (text) => {
    writeFileSync(join(place.folder, 'recent.json'), text);
    const recent = new RecentFiles();
    expect(recent.list()).toEqual([]);
    recent.add(['/a']);
    expect(recent.list()).toMatchObject([{ path: '/a' }]);
    expect(JSON.parse(readFileSync(join(place.folder, 'recent.json'), 'utf8'))).toMatchObject({ files: [{ path: '/a' }] });
  },
);

it.each([
  ['dark', 'dark'],
  ['purple', 'system'],
  [null, 'system'],
])('takes the theme %j of a state file as %s', (value, theme) => expect(themeOf(value)).toBe(theme));
