import { DecoderDetector } from '../detect/detect.ts';
import type { ScriptStarter } from '../plugins/sandboxes.ts';
import { UserScripts } from '../plugins/user-scripts.ts';
import type { PipelineSink } from './pipeline-events.ts';

/**
 * The detectors of a service, one for each folder of the user's scripts: hundreds of inputs whose files are recognised read the looks, and start the decoders
 * that are tried, once.
 */
export class Detectors {
  readonly #starter: ScriptStarter;
  readonly #tell: PipelineSink;
  readonly #byFolder = new Map<string, DecoderDetector>();

  constructor(starter: ScriptStarter, tell: PipelineSink) {
    this.#starter = starter;
    this.#tell = tell;
  }

  /** @param scripts folder of the user's scripts; its decoders are recognised, too */
  of(scripts: string): DecoderDetector {
    const known = this.#byFolder.get(scripts);
    if (known !== undefined) return known;
    const say = (text: string): void =>
      this.#tell({ kind: 'notice', notice: { level: 'warning', code: 'decoder.untried', subject: 'auto', text: `[auto] ${text}` } });
    const detector = new DecoderDetector(this.#starter, say, new UserScripts(scripts, 'decoder', say));
    this.#byFolder.set(scripts, detector);
    return detector;
  }
}
