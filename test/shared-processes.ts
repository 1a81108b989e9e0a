import {
  BaseSequencer,
  ForksPoolWorker,
  type PoolOptions,
  type PoolWorker,
  type TestSpecification,
  type VitestPluginContext,
  type WorkerRequest,
} from 'vitest/node';
import { processGroup, type ProcessGroup } from './sharing.ts';

type Task = Parameters<NonNullable<PoolWorker['canReuse']>>[0];

/** A process that runs one test file, or several of those that share one. */
class TestProcess extends ForksPoolWorker {
  override readonly name = 'test processes';
  #files = 0;
  #group: ProcessGroup | undefined;

  override send(message: WorkerRequest): void {
    if (message.type === 'run') {
      this.#files++;
      this.#group = groupOf(message.context);
    }
    super.send(message);
  }

  canReuse({ context }: Task): boolean {
    return this.#group !== undefined && this.#files < this.#group.most && groupOf(context) === this.#group;
  }
}

function groupOf({ files }: Task['context']): ProcessGroup | undefined {
  const [first, ...others] = files.map(({ filepath }) => processGroup(filepath));
  return others.every((other) => other === first) ? first : undefined;
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

/** Runs files that share processes group by group, behind all others: they are short, so that both workers end at about the same time. */
export class SharedLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => -(processGroup(moduleId)?.most ?? Infinity);
    return sorted.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  }
}
