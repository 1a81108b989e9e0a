import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requests as known } from '../../../engine/api/requests/index.ts';
import type { EngineRequests } from '../../../engine/api/types.ts';
import { parseWorkspace } from '../../../engine/workspace/file/workspace-content.ts';
import { harmTo, hostileRequests, layLinks, layPrey, type Prey } from '../../hostile-requests.ts';
import { until } from '../../until.ts';
import { Engine } from './engine-fixture.ts';

type EngineRequest = keyof EngineRequests;
const isOfEngine = (name: string): name is EngineRequest => !name.startsWith('shell.');

const workspaceOf = (log: string): string => `[own_input]
type = "FileInput"
paths = [${JSON.stringify(log)}]

[http_status]
type = "SandboxFilter"
plugin = "http_status"
message_matcher = "Fields[status] != NIL"
`;

describe('a window that was taken over', () => {
  let engine: Engine;
  let prey: Prey;
  let requests: ReturnType<typeof hostileRequests>;
  const answers: unknown[] = [];

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-api-'));
    writeFileSync(join(folder, 'own.log'), 'one\ntwo\n');
    writeFileSync(join(folder, 'workspace.toml'), workspaceOf(join(folder, 'own.log')));
    engine = new Engine(folder);
    engine.confirms = () => false;
    prey = layPrey();
    const scripts = join(folder, 'scripts');
    layLinks(scripts, prey);
    const source = await until(
      () => engine.workspace.state().sources.find(({ records }) => records === 2),
      () => 'the records of the source',
    );
    requests = hostileRequests(prey, source.id, scripts);
  });
  afterAll(() => engine.workspace.stop());

  it('has hostile inputs for every request that there is', () => {
    expect(Object.keys(requests).sort()).toEqual(Object.keys(known).sort());
    for (const [name, cases] of Object.entries(requests)) expect(cases.length, name).toBeGreaterThan(0);
  });

  it.each(Object.keys(known).filter(isOfEngine))('gets nowhere with %s', async (name) => {
    const wrong = [null, [], 'text', 7, { ['__proto__']: { id: 1 }, extra: 1 }].map((input) => ({
      what: JSON.stringify(input),
      input,
      code: 'request.invalid',
    }));
    for (const { what, input, code } of [...wrong, ...requests[name]]) {
      const answer = await engine.ask(name, input as never).then(
        (value) => ({ value, code: null }),
        (error: Error & { code: string }) => ({ text: error.message, code: error.code }),
      );
      answers.push(answer);
      expect(answer.code, `${name}: ${what}: ${JSON.stringify(answer)}`).toBe(code);
    }
    expect(harmTo(prey, [...answers, engine.events])).toEqual([]);
  });

  it('has left the workspace file valid, with nothing in it that starts or listens', () => {
    const path = join(engine.folder, 'workspace.toml');
    const { config, problems } = parseWorkspace(readFileSync(path, 'utf8'), path);
    expect(problems).toEqual([]);
    expect(config.inputs.map(({ name }) => name)).toEqual(['own_input']);
    expect(config.filters.every(({ filename }) => filename === undefined)).toBe(true);
  });
});
