import { messageOf } from '../errors.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import { batchOf } from '../message/builder.ts';
import { nowNs } from '../message/timestamp.ts';
import type { Message } from '../message/types.ts';
import { scriptReference } from '../plugins/catalog.ts';
import type { Config } from '../plugins/parameters.ts';
import { sandboxSpec, type SandboxStarter } from '../plugins/sandboxes.ts';
import { decoderSplit } from '../plugins/split.ts';
import type { PluginScript } from '../plugins/types.ts';
import type { UserScripts } from '../plugins/user-scripts.ts';
import type { Sandbox, SandboxResult } from '../sandbox/types.ts';
import { Head } from './forms/head.ts';
import { bundledLooks, KnownLooks } from './known-looks.ts';
import type { DecoderCandidate, Look } from './looks.ts';

export interface DetectedDecoder {
  /** Bundled name, or path of the script. */
  readonly name: string;
  readonly config: Readonly<Config>;
  /** How the source has to be cut into records for it. */
  readonly split: SplitOptions;
  /** The part of the sample that it decoded, 0 to 1. */
  readonly confidence: number;
  /** The first records that it decoded, three at most. */
  readonly records: readonly Message[];
  /** The decoder itself, running; the caller has it to himself. */
  readonly sandbox: Sandbox;
}

interface ReadyDecoder {
  /** As it was then: one that somebody has changed since is started anew. */
  readonly script: PluginScript;
  readonly sandbox: Promise<Sandbox>;
}

interface Trial {
  readonly candidate: DecoderCandidate;
  readonly confidence: number;
  readonly records: readonly Message[];
}

const SHOWN_RECORDS = 3;
/** The least part of the sample that a decoder must take. */
const ENOUGH = 0.6;
/** With this much the others need not be tried. */
const PLENTY = 0.98;
/** Decoders that are kept ready at most. */
const MOST_READY = 6;
/** A line of the decoder that is made ready before anybody asks. */
const LIKELY = '192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 1 "-" "-"\n';

/**
 * Finds out which decoder fits: by what the decoders say about their files first, then by trying those in their sandboxes, which it keeps
 * for the next time.
 */
export class DecoderDetector {
  readonly #starter: SandboxStarter;
  readonly #onError: (text: string) => void;
  readonly #looks: KnownLooks;
  readonly #ready = new Map<string, ReadyDecoder>();

  /**
   * @param onError hears of decoders that could not be tried
   * @param scripts decoders of the user, which are recognised as the bundled ones are
   */
  constructor(starter: SandboxStarter, onError: (text: string) => void = () => undefined, scripts: UserScripts | null = null) {
    this.#starter = starter;
    this.#onError = onError;
    this.#looks = new KnownLooks(scripts);
  }

  /** Soon reads what the decoders say, and makes the likeliest one ready, and with it what every sandbox needs. */
  warm(): void {
    setImmediate(() => {
      const head = new Head(LIKELY);
      const [likely] = bundledLooks().flatMap((look) => (look.decoder.name === 'nginx_access' ? look.candidates(head) : []));
      if (likely !== undefined) this.#sandbox(likely).catch(() => undefined);
    });
  }

  /**
   * The decoder that takes most of a text, of which it looks at the first `HEAD_LENGTH` characters; null when none takes enough.
   * @param writtenNs when the text was written
   */
  async detect(text: string, writtenNs = nowNs()): Promise<DetectedDecoder | null> {
    const head = new Head(text);
    if (head.lines.length === 0) return null;
    for (const looks of this.#looks.ranks()) {
      const best = await this.#bestOf(looks, head, writtenNs);
      if (best !== null) return this.#detected(best);
    }
    return null;
  }

  /** The best of the decoders that may fit; null: none of them does. */
  async #bestOf(looks: readonly Look[], head: Head, writtenNs: bigint): Promise<Trial | null> {
    let best: Trial | null = null;
    for (const look of looks) {
      for (const candidate of look.candidates(head)) {
        const trial = await this.#try(
          candidate,
          candidate.records.map((record) => asRecord(record, writtenNs)),
        );
        if (trial.confidence >= ENOUGH && trial.confidence > (best?.confidence ?? 0)) best = trial;
        if (trial.confidence >= PLENTY) return best;
      }
    }
    return best;
  }

  async #detected({ candidate, confidence, records }: Trial): Promise<DetectedDecoder> {
    const { decoder, config } = candidate;
    const split = decoderSplit(decoder, config);
    return { name: scriptReference(decoder), config, split, confidence, records, sandbox: await this.#take(candidate) };
  }

  /** A running sandbox of this decoder, for the caller alone. */
  #take(candidate: DecoderCandidate): Promise<Sandbox> {
    const sandbox = this.#sandbox(candidate);
    // At once: another file may be at this point, too.
    this.#ready.delete(keyOf(candidate));
    return sandbox;
  }

  async #try(candidate: DecoderCandidate, records: readonly Message[]): Promise<Trial> {
    try {
      const sandbox = await this.#sandbox(candidate);
      const result = await sandbox.process(batchOf(records), null);
      if (result.terminated === null && records.length > 0)
        return { candidate, confidence: 1 - result.failures.length / records.length, records: firstMessages(result) };
    } catch (error) {
      this.#onError(`The decoder ${scriptReference(candidate.decoder)} could not be tried: ${messageOf(error)}`);
    }
    this.#ready.delete(keyOf(candidate));
    return { candidate, confidence: 0, records: [] };
  }

  #sandbox(candidate: DecoderCandidate): Promise<Sandbox> {
    const key = keyOf(candidate);
    const ready = this.#ready.get(key);
    if (ready?.script === candidate.decoder) return ready.sandbox;
    if (ready === undefined) this.#makeRoom();
    else this.#end(key, ready);
    const sandbox = this.#start(candidate);
    this.#ready.set(key, { script: candidate.decoder, sandbox });
    return sandbox;
  }

  /** Ends the decoder that has been ready for longest. */
  #makeRoom(): void {
    const [oldest] = this.#ready;
    if (oldest !== undefined && this.#ready.size >= MOST_READY) this.#end(...oldest);
  }

  #end(key: string, { sandbox }: ReadyDecoder): void {
    this.#ready.delete(key);
    sandbox.then(async (started) => started.stop()).catch(() => undefined);
  }

  async #start({ decoder, config }: DecoderCandidate): Promise<Sandbox> {
    return this.#starter.start(sandboxSpec('decoder', decoder, { config }));
  }
}

const keyOf = ({ decoder, config }: DecoderCandidate): string => JSON.stringify([decoder.path, config]);

/** A record as it was read. */
export const asRecord = (payload: string, timestamp = nowNs()): Message => ({
  ...{ uuid: new Uint8Array(16), timestamp, type: 'logfile', payload },
  fields: [],
});

function firstMessages({ injected }: SandboxResult): Message[] {
  return injected === null ? [] : Array.from({ length: Math.min(injected.length, SHOWN_RECORDS) }, (_, row) => injected.message(row));
}
