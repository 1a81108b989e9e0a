import { messageOf } from '../errors.ts';
import { batchOf } from '../message/builder.ts';
import type { Message } from '../message/types.ts';
import { bundledNames, findPlugin, type Config } from '../plugins/index.ts';
import type { Sandbox } from '../sandbox/types.ts';
import { sandboxSpec, type SandboxStarter } from './sandboxes.ts';

/** A decoder that may fit, with its parameters. */
interface DecoderCandidate {
  readonly name: string;
  readonly config: Readonly<Config>;
  /** What most of its lines look like; candidates whose form is there are tried first. */
  readonly form: RegExp;
}

export interface DetectedDecoder {
  readonly name: string;
  readonly config: Readonly<Config>;
  /** The part of the sample that it decoded, 0 to 1. */
  readonly confidence: number;
  /** The decoder itself, running; the caller has it to himself. */
  readonly sandbox: Sandbox;
}

const ACCESS_FORM = /\[\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} [+-]\d{4}\]/;
const SYSLOG_FORM = /^(<\d{1,3}>)?(1 )?(\d{4}-\d{2}-\d{2}T|[A-Z][a-z]{2} [ \d]\d \d{2}:)/;
const COMMON = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';
const COMBINED = `${COMMON} "$http_referer" "$http_user_agent"`;
const APACHE_COMBINED = '%h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"';

const nginx = (format: string): DecoderCandidate => ({
  name: 'nginx_access',
  form: ACCESS_FORM,
  config: { log_format: format, type: 'nginx.access' },
});
const apache = (format: string): DecoderCandidate => ({
  name: 'apache_access',
  form: ACCESS_FORM,
  config: { log_format: format, type: 'apache.access' },
});

/** The formats that are recognised; of those that fit equally well, the first one is taken, so the more exact come first. */
const CANDIDATES: readonly DecoderCandidate[] = [
  nginx(`${COMBINED} "$http_x_forwarded_for"`),
  nginx(COMBINED),
  apache(`%v:%p ${APACHE_COMBINED}`),
  apache(APACHE_COMBINED),
  nginx(COMMON),
  apache('%h %l %u %t "%r" %>s %b'),
  { name: 'syslog', form: SYSLOG_FORM, config: { type: 'syslog' } },
];

/** Lines that are tried. */
export const SAMPLE_LINES = 100;
/** The least part of the sample that a decoder must take. */
const ENOUGH = 0.6;
/** With this much the others need not be tried. */
const PLENTY = 0.98;
/** The candidate that is made ready before anybody asks. */
const LIKELY = nginx(COMBINED);

/** Finds out which decoder fits by trying them in their sandboxes, which it keeps for the next time. */
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

  /** The decoder that takes most of these lines; null when none takes enough. */
  async detect(lines: readonly string[]): Promise<DetectedDecoder | null> {
    const sample = lines.filter((line) => line.trim() !== '').slice(0, SAMPLE_LINES);
    if (sample.length === 0) return null;
    let best: { readonly candidate: DecoderCandidate; readonly confidence: number } | null = null;
    for (const candidate of byForm(sample)) {
      const confidence = await this.#try(candidate, sample);
      if (confidence >= ENOUGH && confidence > (best?.confidence ?? 0)) best = { candidate, confidence };
      if (confidence >= PLENTY) break;
    }
    if (best === null) return null;
    const { candidate, confidence } = best;
    return { name: candidate.name, config: candidate.config, confidence, sandbox: await this.#take(candidate) };
  }

  /** A running sandbox of this decoder, for the caller alone. */
  async #take(candidate: DecoderCandidate): Promise<Sandbox> {
    const sandbox = await this.#sandbox(candidate);
    this.#ready.delete(keyOf(candidate));
    return sandbox;
  }

  async #try(candidate: DecoderCandidate, sample: readonly string[]): Promise<number> {
    try {
      const sandbox = await this.#sandbox(candidate);
      const { failures, terminated } = await sandbox.process(batchOf(sample.map(asRecord)), null);
      if (terminated === null) return 1 - failures.length / sample.length;
    } catch (error) {
      this.#onError(`The decoder ${candidate.name} could not be tried: ${messageOf(error)}`);
    }
    this.#ready.delete(keyOf(candidate));
    return 0;
  }

  #sandbox(candidate: DecoderCandidate): Promise<Sandbox> {
    const key = keyOf(candidate);
    let sandbox = this.#ready.get(key);
    if (sandbox === undefined) this.#ready.set(key, (sandbox = this.#start(candidate)));
    return sandbox;
  }

  async #start({ name, config }: DecoderCandidate): Promise<Sandbox> {
    return this.#starter.start(sandboxSpec('decoder', findPlugin('decoder', name), { config }));
  }
}

const keyOf = ({ name, config }: DecoderCandidate): string => JSON.stringify([name, config]);

/** The candidates whose decoder is there, those first whose form most lines have. */
function byForm(sample: readonly string[]): DecoderCandidate[] {
  const known = new Set(bundledNames('decoder'));
  const share = (form: RegExp): number => sample.filter((line) => form.test(line)).length;
  const candidates = CANDIDATES.filter(({ name }) => known.has(name)).map((candidate) => ({ candidate, share: share(candidate.form) }));
  return candidates.sort((a, b) => b.share - a.share).map(({ candidate }) => candidate);
}

const asRecord = (payload: string): Message => ({ uuid: new Uint8Array(16), timestamp: 0n, type: 'logfile', payload, fields: [] });
