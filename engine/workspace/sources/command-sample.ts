import { StringDecoder } from 'node:string_decoder';
import type { OpenPreview } from '../../api/open-types.ts';
import type { DecoderDetector } from '../../detect/detect.ts';
import { HEAD_LENGTH } from '../../detect/forms/head.ts';
import { CommandChain, type ChainResult, type CommandOptions } from '../../inputs/process/command-chain.ts';
import { commandEnd } from '../../inputs/process/command-end.ts';
import { InputError } from '../../inputs/notices.ts';
import { nowNs } from '../../message/timestamp.ts';
import { linesOf, textPreview } from './open-look.ts';

/** Milliseconds that a command has, and that it may be quiet between its lines. */
const MOST_MS = 10_000;
const QUIET_MS = 700;

/**
 * Runs commands until they have written enough to recognise their output, or are quiet, and ends them. Their errors are shown, but not recognised.
 * @throws {InputError} when they cannot be started, or fail before they have written anything but errors
 */
export async function commandSample(detector: DecoderDetector, commands: readonly CommandOptions[]): Promise<OpenPreview> {
  const chain = await CommandChain.start(commands, { stdout: true, stderr: true });
  try {
    const { stdout, stderr, end } = await firstOutput(chain);
    if (end !== null && stdout === '') {
      const { reason } = commandEnd(end, commands);
      if (reason !== null) throw new InputError('process.failed', reason);
    }
    const preview = await textPreview(detector, stdout, nowNs());
    return stdout === '' ? { ...preview, lines: linesOf(stderr) } : preview;
  } finally {
    await chain.stop();
  }
}

interface FirstOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** null: the commands run on. */
  readonly end: ChainResult | null;
}

/** The first output of both streams. */
async function firstOutput(chain: CommandChain): Promise<FirstOutput> {
  const { promise: enough, resolve: done } = Promise.withResolvers<void>();
  const deadline = setTimeout(done, MOST_MS);
  let quiet: NodeJS.Timeout | undefined;
  const heads = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8');
    chain[name]?.on('data', (piece: Buffer) => {
      if (name === 'stderr') chain.hear(piece);
      // It has to be read to its end; what comes too late is not kept.
      if (heads[name].length < HEAD_LENGTH) heads[name] += decoder.write(piece);
      clearTimeout(quiet);
      if (heads[name].length >= HEAD_LENGTH) done();
      else quiet = setTimeout(done, QUIET_MS);
    });
  }
  const end = await Promise.race([enough.then(() => null), chain.ended]);
  clearTimeout(deadline);
  clearTimeout(quiet);
  return { stdout: heads.stdout.slice(0, HEAD_LENGTH), stderr: heads.stderr.slice(0, HEAD_LENGTH), end };
}
