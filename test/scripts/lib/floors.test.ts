import { existsSync, readFileSync } from 'node:fs';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { withFloors } from '../../../scripts/lib/floors-page.mjs';
import { FLOORS, roomOf, whyNot } from '../../../scripts/lib/floors.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';

describe('the floors', () => {
  it('are twelve at most', () => expect(FLOORS.length).toBeLessThanOrEqual(12));

  it('are folders and files that are there', () => {
    const rooms = FLOORS.flatMap(({ wings, inside = [] }) => [...Object.keys(wings), ...inside.flat()]);
    const missing = rooms.filter((room) => !existsSync(inRoot(room.replace(/\/\*$/, ''))));
    expect(missing).toEqual([]);
  });

  it('are listed in docs/architecture.md (else: npm run docs)', () => {
    const page = readFileSync(inRoot('docs/architecture.md'), 'utf8');
    expect(withFloors(page)).toBe(page);
  });

  it.each([
    ['engine/pipeline/scripts/source-feed.ts', 'engine/pipeline/scripts'],
    ['engine/pipeline/router.ts', 'engine/pipeline/*'],
    ['engine/base/errors.ts', 'engine/base'],
    ['engine/index.ts', 'engine/index.ts'],
    ['plugins/api.d.ts', 'plugins/*'],
    ['renderer/src/main.ts', 'renderer/src/*'],
    ['renderer/src/views/scripts/script/heat.ts', 'renderer/src/views/scripts'],
    ['renderer/src/styles/base.css', undefined],
    ['electron/main/menu.ts', undefined],
  ])('have %s in the room %s', (file, room) => expect(roomOf(file)).toBe(room));

  it.each([
    ['down', 'engine/service/inputs.ts', 'engine/inputs/types.ts', undefined],
    ['in a room', 'engine/sandbox/hosts/pool.ts', 'engine/sandbox/hosts/repeat.ts', undefined],
    ['down in a wing', 'engine/sandbox/hosts/pool.ts', 'engine/sandbox/contract/types.ts', undefined],
    [
      'up in a wing',
      'engine/sandbox/wire/frames.ts',
      'engine/sandbox/hosts/pool.ts',
      'engine/sandbox/hosts stands above engine/sandbox/wire: imports go down.',
    ],
    ['to the ground', 'engine/message/docs.ts', 'engine/base/errors.ts', undefined],
    ['up', 'engine/pipeline/router.ts', 'engine/service/inputs.ts', 'engine/service stands above engine/pipeline/*: imports go down.'],
    ['up to the top', 'engine/workspace/server.ts', 'engine/index.ts', 'engine/index.ts stands above engine/workspace/*: imports go down.'],
    ['aside', 'engine/cli/main.ts', 'engine/workspace/workspace.ts', 'engine/cli/ and engine/workspace/ do not import each other.'],
    ['up', 'plugins/modules/alert.ts', 'plugins/lib/hosts.ts', 'plugins/lib stands above plugins/modules: imports go down.'],
    ['down', 'renderer/src/App.svelte', 'renderer/src/frame/Frame.svelte', undefined],
    ['to the contract', 'renderer/src/lib/api.ts', 'engine/api/types.ts', undefined],
    [
      'up',
      'renderer/src/lib/theme.ts',
      'renderer/src/state/prefs.svelte.ts',
      'renderer/src/state stands above renderer/src/lib: imports go down.',
    ],
    [
      'aside',
      'renderer/src/views/logs/LogsView.svelte',
      'renderer/src/views/overview/ItemCard.svelte',
      'renderer/src/views/logs and renderer/src/views/overview stand on one floor: neither imports the other.',
    ],
  ])('judge an import that goes %s', (_way, from, to, message) => expect(whyNot(from, to)).toBe(message));
});

describe('the lint rule', () => {
  // The project's own configuration, of which this rule is tried alone: it needs no types.
  const eslint = new ESLint({
    cwd: inRoot(),
    ruleFilter: ({ ruleId }) => ruleId === 'sluicebox/imports-go-down',
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
  });
  const lint = async (text: string, file = 'engine/pipeline/router.ts'): Promise<(string | null)[]> => {
    const [result] = await eslint.lintText(text, { filePath: inRoot(file) });
    return (result?.messages ?? []).filter(({ severity }) => severity === 2).map(({ ruleId }) => ruleId);
  };

  it.each([
    ['an import', `import { inputOf } from '../service/inputs.ts';\nexport const x = inputOf;`],
    ['the import of a type', `import type { PipelineEdges } from '../service/outside.ts';\nexport type X = PipelineEdges;`],
    ['a type that is imported where it stands', `export type X = import('../service/outside.ts').PipelineEdges;`],
    ['a re-export', `export { inputOf } from '../service/inputs.ts';`],
    ['a dynamic import', `export const x = import('../service/inputs.ts');`],
  ])('refuses %s that goes up', async (_what, text) => expect(await lint(text)).toContain('sluicebox/imports-go-down'));

  it('lets imports go down', async () => {
    const text = `import { EngineError } from '../errors.ts';\nexport const x = EngineError;`;
    expect(await lint(text)).toEqual([]);
  });

  it('holds in components', async () => {
    const component = (path: string): string => `<script lang="ts">\n  import Part from '${path}';\n</script>\n\n<Part />\n`;
    const file = 'renderer/src/components/KeyCaps.svelte';
    expect(await lint(component('../frame/Rail.svelte'), file)).toContain('sluicebox/imports-go-down');
    expect(await lint(component('./IconButton.svelte'), file)).not.toContain('sluicebox/imports-go-down');
  });
});
