import type { DecoderDetector } from '../../detect/detect.ts';
import type { InputNotice } from '../../inputs/types.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import type { RecordStore } from '../../store/record-store.ts';
import type { ReadingTurns } from './reading-turns.ts';
import type { ReceivedFolder } from './received-records.ts';
import type { Source } from './source.ts';

/** The parts of the workspace that a source uses. */
export interface SourceContext {
  readonly store: RecordStore;
  readonly starter: SandboxStarter;
  readonly detector: DecoderDetector;
  readonly received: ReceivedFolder;
  readonly reading: ReadingTurns;
  /** Adds the workspace's filters and outputs to the pipeline of a source. */
  addPlugins(source: Source, pipeline: Pipeline): void;
  /** Called when a file was read to its end. */
  atEnd(source: Source): void;
  /** Called when something in `info` has changed. */
  changed(): void;
  /** Called when so many further records were read: `info` and `schema` have changed. */
  took(records: number): void;
  notice(notice: InputNotice): void;
}
