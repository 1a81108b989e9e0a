import { messageOf } from '../errors.ts';
import { batchOf } from '../message/builder.ts';
import type { Message } from '../message/types.ts';
import { bundledNames, findPlugin, type Config } from '../plugins/index.ts';
import { sandboxSpec, type SandboxStarter } from './sandboxes.ts';

/** A decoder that may fit, with its parameters. */
export interface DecoderCandidate {
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
export const CANDIDATES: readonly DecoderCandidate[] = [
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

/**
 * Finds the decoder that takes most of these lines; null when none takes enough. `onError` hears of decoders that could not be tried.
 */
export async function detectDecoder(
  lines: readonly string[],
  starter: SandboxStarter,
  onError: (text: string) => void = () => undefined,
): Promise<DetectedDecoder | null> {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, SAMPLE_LINES);
  if (sample.length === 0) return null;
  const known = new Set(bundledNames('decoder'));
  const share = (form: RegExp): number => sample.filter((line) => form.test(line)).length / sample.length;
  const candidates = CANDIDATES.filter(({ name }) => known.has(name))
    .map((candidate) => ({ candidate, share: share(candidate.form) }))
    .sort((a, b) => b.share - a.share);
  let best: DetectedDecoder | null = null;
  for (const { candidate } of candidates) {
    const confidence = await tryDecoder(candidate, sample, starter, onError);
    if (confidence >= ENOUGH && confidence > (best?.confidence ?? 0)) {
      best = { name: candidate.name, config: candidate.config, confidence };
      if (confidence >= PLENTY) break;
    }
  }
  return best;
}

async function tryDecoder(
  { name, config }: DecoderCandidate,
  sample: readonly string[],
  starter: SandboxStarter,
  onError: (text: string) => void,
): Promise<number> {
  try {
    const sandbox = await starter.start(sandboxSpec('decoder', findPlugin('decoder', name), { name: `detect ${name}`, config }));
    try {
      const { failures, terminated } = await sandbox.process(batchOf(sample.map(asRecord)), null);
      return terminated === null ? 1 - failures.length / sample.length : 0;
    } finally {
      await sandbox.stop();
    }
  } catch (error) {
    onError(`The decoder ${name} could not be tried: ${messageOf(error)}`);
    return 0;
  }
}

const asRecord = (payload: string): Message => ({ uuid: new Uint8Array(16), timestamp: 0n, type: 'logfile', payload, fields: [] });
