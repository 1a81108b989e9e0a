import type { OpenPreview } from '../../api/open-types.ts';
import type { DecoderDetector } from '../../detect/detect.ts';
import { HEAD_LENGTH } from '../../detect/forms/head.ts';
import { CommandChain, type CommandOptions } from '../../inputs/process/command-chain.ts';
import { nowNs } from '../../message/timestamp.ts';
import { textPreview } from './open-look.ts';

/** Milliseconds that a command has, and that it may be quiet between its lines. */
const MOST_MS = 10_000;
const QUIET_MS = 700;

/**
 * Runs commands until they have written enough to recognise their output, or are quiet, and ends them.
 * @throws {InputError} when they cannot be started
 */
export async function commandSample(detector: DecoderDetector, commands: readonly CommandOptions[]): Promise<OpenPreview> {
  const chain = await CommandChain.start(commands, { stdout: true, stderr: true });
  try {
    return await textPreview(detector, await firstOutput(chain), nowNs());
  } finally {
    await chain.stop();
  }
}

/** The first output of both streams, as it comes. */
async function firstOutput({ stdout, stderr, ended }: CommandChain): Promise<string> {
  const { promise: enough, resolve: done } = Promise.withResolvers<void>();
  const deadline = setTimeout(done, MOST_MS);
  let quiet: NodeJS.Timeout | undefined;
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      // It has to be read to its end; what comes too late is not kept.
      if (text.length < HEAD_LENGTH) text += piece;
      clearTimeout(quiet);
      if (text.length >= HEAD_LENGTH) done();
      else quiet = setTimeout(done, QUIET_MS);
    });
  }
  await Promise.race([enough, ended]);
  clearTimeout(deadline);
  clearTimeout(quiet);
  return text.slice(0, HEAD_LENGTH);
}
