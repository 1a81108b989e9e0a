import type { DecoderDetector } from '../../detect/detect.ts';
import { sourceHead } from '../../detect/source-head.ts';
import { TextSource } from '../../inputs/shared/read.ts';
import type { Sandbox } from '../../sandbox/contract/types.ts';
import { firstFile } from './samples.ts';
import type { DecoderChoice } from '../../api/types.ts';

/** A decoder that was detected, ready to run. */
export interface FoundDecoder {
  readonly choice: DecoderChoice;
  readonly sandbox: Sandbox;
}

/** Detects the decoder of a text, by its beginning; null: none fits. @param writtenNs when the text was written, if not just now */
export async function detectByText(detector: DecoderDetector, text: string, writtenNs?: bigint): Promise<FoundDecoder | null> {
  const found = await detector.detect(text, writtenNs);
  if (found === null) return null;
  const { sandbox, name, config, confidence } = found;
  return { choice: { name, config, confidence, by: 'detected' }, sandbox };
}

/** Detects the decoder of the first file that a list of paths and patterns leads to; null: there is no file, or none fits. */
export async function detectByFiles(detector: DecoderDetector, paths: readonly string[]): Promise<FoundDecoder | null> {
  const path = await firstFile(paths);
  if (path === null) return null;
  const source = new TextSource(path);
  try {
    const { text, writtenNs } = await sourceHead(source);
    return await detectByText(detector, text, writtenNs);
  } finally {
    await source.close();
  }
}
