import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { EngineError, messageOf } from '../base/errors.ts';

export interface ProfilingOptions {
  /** File for a CPU profile: `.cpuprofile`, as Chromium's developer tools read it. */
  readonly cpuprof?: string | undefined;
  /** File for a sampled profile of the live heap: `.heapprofile`. */
  readonly memprof?: string | undefined;
}

export interface Profiling {
  /**
   * Writes the profiles.
   * @throws {EngineError} `profile.unwritten`
   */
  stop(): Promise<void>;
}

/** Profiles this process from now on. */
export async function startProfiling({ cpuprof, memprof }: ProfilingOptions): Promise<Profiling> {
  if (cpuprof === undefined && memprof === undefined) return { stop: () => Promise.resolve() };
  const session = new Session();
  session.connect();
  if (cpuprof !== undefined) {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  }
  if (memprof !== undefined) await session.post('HeapProfiler.startSampling');
  return {
    async stop() {
      if (cpuprof !== undefined) await write(cpuprof, (await session.post('Profiler.stop')).profile);
      if (memprof !== undefined) await write(memprof, (await session.post('HeapProfiler.stopSampling')).profile);
      session.disconnect();
    },
  };
}

async function write(path: string, profile: object): Promise<void> {
  try {
    await writeFile(path, JSON.stringify(profile));
  } catch (error) {
    throw new EngineError('profile.unwritten', `the profile cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
