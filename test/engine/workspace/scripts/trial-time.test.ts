import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Sandbox, SandboxSpec } from '../../../../engine/sandbox/contract/types.ts';
import { FakeSandbox } from '../../pipeline/fakes.ts';
import { Engine } from '../engine-fixture.ts';
import { FakeSandboxes } from '../fake-sandboxes.ts';

const RECORDS = 500;
const LINE = '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"\n';

/** The time of the machine's clock for each hundred records, and the processor time of the script in it. */
interface Pace {
  readonly passes: number;
  readonly works?: number;
}

/** Sandboxes whose drafts take time without taking any. */
class TimedSandboxes extends FakeSandboxes {
  readonly #pace: Pace;
  #late = 0;

  constructor(pace: Pace) {
    super();
    this.#pace = pace;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + this.#late);
  }

  override async start(spec: SandboxSpec): Promise<Sandbox> {
    if (spec.name !== 'draft') return super.start(spec);
    const { passes, works } = this.#pace;
    let workMs = 0;
    const process = () => {
      this.#late += passes / 100;
      workMs += (works ?? 0) / 100;
      return [];
    };
    const sandbox = new FakeSandbox(spec, { process });
    return works === undefined ? sandbox : Object.defineProperty(sandbox, 'workMs', { get: () => workMs });
  }
}

describe('a trial', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each<[string, Pace, number]>([
    ['gets all records on a machine that is busy with other things', { passes: 5000, works: 20 }, RECORDS],
    ['is over when the script has worked for four seconds', { passes: 2500, works: 2500 }, 200],
    ['is over after forty seconds, however little the script got to work', { passes: 15_000, works: 20 }, 300],
    ['is over after four seconds where nobody measures the work', { passes: 2500 }, 200],
  ])('%s', async (_what, pace, processed) => {
    const engine = new Engine(undefined, new TimedSandboxes(pace));
    const source = await engine.open(engine.file('access.log', LINE.repeat(RECORDS)));
    await engine.settled(source);
    const limits = { memory: 8_388_608, instructions: 100_000, output: 64_512 };
    const reply = await engine.ask('script.try', {
      ...{ kind: 'filter', text: 'function process_message() { return 0; }', path: null, typed: false },
      ...{ source, matcher: 'TRUE', config: {}, records: RECORDS, limits },
    });
    expect(reply).toMatchObject({ records: RECORDS, selected: RECORDS, processed });
    await engine.workspace.stop();
  });
});
