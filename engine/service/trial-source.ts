import { recordBatch } from '../inputs/pieces.ts';
import { joinTexts } from '../inputs/text.ts';
import type { Input, InputSink, InputStats } from '../inputs/types.ts';
import { SourceFeed } from '../pipeline/scripts/source-feed.ts';
import type { SourceForm } from '../sandbox/contract/types.ts';

/** Makes a source that gives a script texts instead of what it would read: records, whole units, or the pieces of one stream. */
export function trialSource(texts: readonly string[], form: SourceForm): SourceFeed {
  return new SourceFeed({ input: new TextsInput(texts, form), form, keepsState: false, remembers: false, endsWhenIdle: true });
}

class TextsInput implements Input {
  readonly name = 'source';
  readonly #texts: readonly string[];
  readonly #form: SourceForm;
  #stopped = false;

  constructor(texts: readonly string[], form: SourceForm) {
    this.#texts = texts;
    this.#form = form;
  }

  start(sink: InputSink): Promise<void> {
    void this.#bring(sink);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return Promise.resolve();
  }

  stats(): InputStats {
    return { bytes: 0, records: 0, dropped: 0, totalBytes: 0 };
  }

  async #bring(sink: InputSink): Promise<void> {
    let stream = {};
    for (const text of this.#texts) {
      if (this.#stopped) return;
      // Data that is not cut into records stays bytes, one in each unit.
      const payload = joinTexts([this.#form === 'records' ? text : Buffer.from(text).toString('latin1')]);
      const batch = recordBatch(payload, { type: 'logfile', logger: this.name, hostname: null });
      await sink.deliver({ batch, firstLine: 0, stream, acknowledge: () => undefined });
      if (this.#form !== 'whole') continue;
      sink.ended?.(stream);
      stream = {};
    }
    sink.ended?.(stream);
    sink.idle();
  }
}
