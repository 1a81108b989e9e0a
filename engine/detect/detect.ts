import { messageOf } from '../errors.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import { batchOf } from '../message/builder.ts';
import { nowNs } from '../message/timestamp.ts';
import type { Message } from '../message/types.ts';
import { bundledNames, findPlugin } from '../plugins/catalog.ts';
import type { Config } from '../plugins/parameters.ts';
import type { Sandbox, SandboxResult } from '../sandbox/types.ts';
import { FORMS, nginxCandidate, sampleOf, type DecoderCandidate, type Head } from './forms/index.ts';
import { sandboxSpec, type SandboxStarter } from '../plugins/sandboxes.ts';

export interface DetectedDecoder {
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

interface Trial {
  readonly candidate: DecoderCandidate;
  readonly confidence: number;
  readonly records: readonly Message[];
}

/** As many characters of a source are looked at. */
export const HEAD_LENGTH = 64 << 10;

const BYTE_ORDER_MARK = /^\ufeff/;
const SHOWN_RECORDS = 3;
/** The least part of the sample that a decoder must take. */
const ENOUGH = 0.6;
/** With this much the others need not be tried. */
const PLENTY = 0.98;
/** Decoders that are kept ready at most. */
const MOST_READY = 6;
/** The candidate that is made ready before anybody asks. */
const LIKELY = nginxCandidate(
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
);

/** Finds out which decoder fits: by the form of the text first, then by trying those decoders in their sandboxes, which it keeps for the next time. */
export class DecoderDetector {
  readonly #starter: SandboxStarter;
  readonly #onError: (text: string) => void;
  readonly #ready = new Map<string, Promise<Sandbox>>();

  /** @param onError hears of decoders that could not be tried */
  constructor(starter: SandboxStarter, onError: (text: string) => void = () => undefined) {
    this.#starter = starter;
    this.#onError = onError;
  }

  /** Makes the likeliest decoder ready, and with it what every sandbox needs. */
  warm(): void {
    if (bundledNames('decoder').includes(LIKELY.name)) this.#sandbox(LIKELY).catch(() => undefined);
  }

  /**
   * The decoder that takes most of a text, of which it looks at the first `HEAD_LENGTH` characters; null when none takes enough.
   * @param writtenNs when the text was written
   */
  async detect(text: string, writtenNs = nowNs()): Promise<DetectedDecoder | null> {
    const head = headOf(text);
    if (head.lines.length === 0) return null;
    const known = new Set(bundledNames('decoder'));
    let best: Trial | null = null;
    for (const form of FORMS) {
      for (const candidate of form(head).filter(({ name }) => known.has(name))) {
        const trial = await this.#try(
          candidate,
          (candidate.records ?? head.lines).map((record) => asRecord(record, writtenNs)),
        );
        if (trial.confidence >= ENOUGH && trial.confidence > (best?.confidence ?? 0)) best = trial;
        if (trial.confidence >= PLENTY) break;
      }
      if (best !== null) break;
    }
    return best === null ? null : this.#detected(best);
  }

  async #detected({ candidate, confidence, records }: Trial): Promise<DetectedDecoder> {
    const { name, config, split = { kind: 'line' } } = candidate;
    return { name, config, split, confidence, records, sandbox: await this.#take(candidate) };
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
      this.#onError(`The decoder ${candidate.name} could not be tried: ${messageOf(error)}`);
    }
    this.#ready.delete(keyOf(candidate));
    return { candidate, confidence: 0, records: [] };
  }

  #sandbox(candidate: DecoderCandidate): Promise<Sandbox> {
    const key = keyOf(candidate);
    let sandbox = this.#ready.get(key);
    if (sandbox === undefined) {
      this.#makeRoom();
      this.#ready.set(key, (sandbox = this.#start(candidate)));
    }
    return sandbox;
  }

  /** Ends the decoder that has been ready for longest. */
  #makeRoom(): void {
    const [oldest] = this.#ready;
    if (oldest === undefined || this.#ready.size < MOST_READY) return;
    this.#ready.delete(oldest[0]);
    oldest[1].then(async (sandbox) => sandbox.stop()).catch(() => undefined);
  }

  async #start({ name, config }: DecoderCandidate): Promise<Sandbox> {
    return this.#starter.start(sandboxSpec('decoder', findPlugin('decoder', name), { config }));
  }
}

const keyOf = ({ name, config }: DecoderCandidate): string => JSON.stringify([name, config]);

/** The head of a text, of which lines that are cut off at its end are no part. */
function headOf(source: string): Head {
  const cut = source.slice(0, HEAD_LENGTH).replace(BYTE_ORDER_MARK, '');
  const text = (source.length > HEAD_LENGTH ? cut.slice(0, cut.lastIndexOf('\n') + 1) : cut).replaceAll('\r\n', '\n');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return { text, lines: sampleOf(lines) };
}

/** A record as it was read. */
export const asRecord = (payload: string, timestamp = nowNs()): Message => ({
  ...{ uuid: new Uint8Array(16), timestamp, type: 'logfile', payload },
  fields: [],
});

function firstMessages({ injected }: SandboxResult): Message[] {
  return injected === null ? [] : Array.from({ length: Math.min(injected.length, SHOWN_RECORDS) }, (_, row) => injected.message(row));
}
