import { messageOf } from '../base/errors.ts';
import { Serial } from '../base/time/serial.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import { batchOf } from '../message/batch/builder.ts';
import { nowNs } from '../message/timestamp.ts';
import type { Message } from '../message/types.ts';
import { scriptReference } from '../plugins/catalog.ts';
import type { Config } from '../plugins/parameters.ts';
import { sandboxSpec, type SandboxStarter } from '../plugins/sandboxes.ts';
import { decoderSplit } from '../plugins/split.ts';
import type { PluginScript } from '../plugins/types.ts';
import type { UserScripts } from '../plugins/user-scripts.ts';
import { wordsOf } from '../sandbox/contract/errors.ts';
import type { Sandbox, SandboxResult } from '../sandbox/contract/types.ts';
import { Head } from './forms/head.ts';
import { KnownLooks } from './known-looks.ts';
import type { DecoderCandidate, Look } from './looks.ts';

/** The decoder that a text needs. */
export interface RecognisedDecoder {
  readonly script: PluginScript;
  /** Bundled name, or path of the script. */
  readonly name: string;
  readonly config: Readonly<Config>;
  /** Options for cutting the source into its records. */
  readonly split: SplitOptions;
  /** Share of the sample that it decoded, 0 to 1. */
  readonly confidence: number;
  /** The first decoded records, three at most. */
  readonly records: readonly Message[];
}

export interface DetectedDecoder extends RecognisedDecoder {
  /** The running decoder, owned by the caller. */
  readonly sandbox: Sandbox;
}

interface ReadyDecoder {
  /** The script that was started; after a change the decoder is started again. */
  readonly script: PluginScript;
  readonly sandbox: Promise<Sandbox>;
}

type StartedBy = Pick<DecoderCandidate, 'decoder' | 'config'>;

interface Trial {
  readonly candidate: DecoderCandidate;
  readonly confidence: number;
  readonly records: readonly Message[];
}

const SHOWN_RECORDS = 3;
/** Smallest share of the sample that a decoder must take. */
const ENOUGH = 0.6;
/** Share at which the other decoders are not tried. */
const PLENTY = 0.98;
/** Most decoders kept ready. */
const MOST_READY = 6;

/**
 * Finds the decoder of a text: compares the text with the looks in the decoders' metas, then tries those that match in sandboxes, which
 * are kept for the next time.
 */
export class DecoderDetector {
  readonly #starter: SandboxStarter;
  readonly #onError: (text: string) => void;
  readonly #looks: KnownLooks;
  readonly #ready = new Map<string, ReadyDecoder>();
  /** One text after the other: what ends a decoder at one of them must not count for others. */
  readonly #turns = new Serial();

  /**
   * @param onError called for decoders that could not be tried
   * @param scripts decoders of the user, which are recognised as the bundled ones are
   */
  constructor(starter: SandboxStarter, onError: (text: string) => void = () => undefined, scripts: UserScripts | null = null) {
    this.#starter = starter;
    this.#onError = onError;
    this.#looks = new KnownLooks(scripts);
  }

  /**
   * Returns the decoder that takes most of the first `HEAD_LENGTH` characters of a text; null when none takes enough.
   * @param writtenNs time when the text was written
   */
  recognise(text: string, writtenNs = nowNs()): Promise<RecognisedDecoder | null> {
    return this.#turns.run(() => this.#recognise(text, writtenNs));
  }

  /** The same, with a running decoder for the caller. */
  detect(text: string, writtenNs = nowNs()): Promise<DetectedDecoder | null> {
    return this.#turns.run(async () => {
      const found = await this.#recognise(text, writtenNs);
      return found === null ? null : { ...found, sandbox: await this.#take(found) };
    });
  }

  /** Hands a running sandbox of a recognised decoder over to the caller. */
  take(found: RecognisedDecoder): Promise<Sandbox> {
    return this.#turns.run(() => this.#take(found));
  }

  async #recognise(text: string, writtenNs: bigint): Promise<RecognisedDecoder | null> {
    const head = new Head(text);
    if (head.lines.length === 0) return null;
    const ranks = this.#looks.ranks();
    const best = (await this.#firstOf(ranks.exact, head, writtenNs)) ?? (await this.#inCore(ranks.exact, head, writtenNs));
    const found = best ?? (await this.#firstOf(ranks.general, head, writtenNs));
    return found === null ? null : recognised(found);
  }

  /** Tries the ranks one after the other. */
  async #firstOf(ranks: readonly (readonly Look[])[], head: Head, writtenNs: bigint): Promise<Trial | null> {
    for (const looks of ranks) {
      const best = await this.#bestOf(looks, head, writtenNs);
      if (best !== null) return best;
    }
    return null;
  }

  /** Tries the ranks on the lines alone that can be records: others stand in front of them and between. */
  async #inCore(ranks: readonly (readonly Look[])[], { core }: Head, writtenNs: bigint): Promise<Trial | null> {
    const best = core === null ? null : await this.#firstOf(ranks, core.head, writtenNs);
    return best === null || core === null ? null : { ...best, confidence: best.confidence * core.share };
  }

  /** Tries the decoders that may fit and returns the best; null when none does. */
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

  #take({ script: decoder, config }: RecognisedDecoder): Promise<Sandbox> {
    const { sandbox } = this.#readyFor({ decoder, config });
    this.#ready.delete(keyOf({ decoder, config }));
    return sandbox;
  }

  async #try(candidate: DecoderCandidate, records: readonly Message[]): Promise<Trial> {
    try {
      const sandbox = await this.#readyFor(candidate).sandbox;
      const result = await sandbox.process(batchOf(records), null);
      if (candidate.decoder.name === 'generic' && result.terminated === null && !hasTimeOrLevel(result))
        return { candidate, confidence: 0, records: [] };
      if (result.terminated !== null) this.#couldNotTry(candidate, wordsOf(result.terminated));
      else if (records.length > 0)
        return { candidate, confidence: 1 - result.failures.length / records.length, records: firstMessages(result) };
    } catch (error) {
      this.#couldNotTry(candidate, messageOf(error));
    }
    this.#ready.delete(keyOf(candidate));
    return { candidate, confidence: 0, records: [] };
  }

  #couldNotTry({ decoder }: DecoderCandidate, why: string): void {
    this.#onError(`The decoder ${scriptReference(decoder)} could not be tried: ${why}`);
  }

  #readyFor(candidate: StartedBy): ReadyDecoder {
    const key = keyOf(candidate);
    const known = this.#ready.get(key);
    const isSame = known?.script === candidate.decoder;
    if (known !== undefined && !isSame) this.#end(key, known);
    if (known === undefined) this.#makeRoom();
    const ready = isSame ? known : { script: candidate.decoder, sandbox: this.#start(candidate) };
    // Behind those that were not needed for longer.
    this.#ready.delete(key);
    this.#ready.set(key, ready);
    return ready;
  }

  /** Ends the decoder that was not needed for longest. */
  #makeRoom(): void {
    const [oldest] = this.#ready;
    if (oldest !== undefined && this.#ready.size >= MOST_READY) this.#end(...oldest);
  }

  #end(key: string, { sandbox }: ReadyDecoder): void {
    this.#ready.delete(key);
    sandbox.then(async (started) => started.stop()).catch(() => undefined);
  }

  async #start({ decoder, config }: StartedBy): Promise<Sandbox> {
    return this.#starter.start(sandboxSpec('decoder', decoder, { config }));
  }
}

function recognised({ candidate: { decoder, config }, confidence, records }: Trial): RecognisedDecoder {
  return { script: decoder, name: scriptReference(decoder), config, split: decoderSplit(decoder, config), confidence, records };
}

const keyOf = ({ decoder, config }: StartedBy): string => JSON.stringify([decoder.path, config]);

/** Makes the message of an undecoded record. */
export const asRecord = (payload: string, timestamp = nowNs()): Message => ({
  uuid: new Uint8Array(16),
  timestamp,
  type: 'logfile',
  payload,
  fields: [],
});

/** Whether the decoder for any log found a time, a level or a name: else the log is of no form. A field says that there is no time. */
function hasTimeOrLevel({ injected }: SandboxResult): boolean {
  if (injected === null || injected.severity !== null) return true;
  const undated = injected.fields.find(({ name, rows }) => name === 'undated' && rows === null);
  return undated === undefined || injected.fields.some(({ name }) => name === 'container');
}

function firstMessages({ injected }: SandboxResult): Message[] {
  return injected === null ? [] : Array.from({ length: Math.min(injected.length, SHOWN_RECORDS) }, (_, row) => injected.message(row));
}
