import {
  BaseSequencer,
  ForksPoolWorker,
  type PoolOptions,
  type PoolWorker,
  type TestSpecification,
  type VitestPluginContext,
  type WorkerRequest,
} from 'vitest/node';
import { sharesProcess } from './sharing.ts';

/** Most files that share a process, which bounds its memory. */
const MOST = 40;

type Task = Parameters<NonNullable<PoolWorker['canReuse']>>[0];

/** A process that runs one test file, or several of those that share one. */
class TestProcess extends ForksPoolWorker {
  override readonly name = 'test processes';
  #files = 0;
  #isShared = false;

  override send(message: WorkerRequest): void {
    if (message.type === 'run') {
      this.#files++;
      this.#isShared = message.context.files.every(({ filepath }) => sharesProcess(filepath));
    }
    super.send(message);
  }

  canReuse({ context }: Task): boolean {
    return this.#isShared && this.#files < MOST && context.files.every(({ filepath }) => sharesProcess(filepath));
  }
}

/** For Vitest's option `pool`, with `isolate: false`: files get processes of their own all the same, but for those that share one. */
export const testProcesses = { name: 'test processes', createPoolWorker: (options: PoolOptions) => new TestProcess(options) };

/** Gives each file a process where there is one worker alone: Vitest would give it all files at once. */
export const isolateSingle = {
  name: 'isolate-single',
  configureVitest({ vitest, project }: VitestPluginContext): void {
    if (vitest.config.maxWorkers === 1 || project.config.maxWorkers === 1) project.config.isolate = true;
  },
};

/** Runs files that share processes one after the other, behind all others: they are short, so that both workers end at about the same time. */
export class SharedLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(({ moduleId }) => !sharesProcess(moduleId)), ...sorted.filter(({ moduleId }) => sharesProcess(moduleId))];
  }
}
