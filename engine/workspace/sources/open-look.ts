import { basename } from 'node:path';
import type { OpenPlan, OpenPreview } from '../../api/open-types.ts';
import type { DecoderDetector } from '../../detect/detect.ts';
import { sourceHead } from '../../detect/source-head.ts';
import { TextSource } from '../../inputs/shared/read.ts';
import { decoderTitle } from './running-decoder.ts';
import { previewOf } from './preview.ts';
import { firstFile } from './samples.ts';
import { storedTableAt } from './stored-table.ts';

/** Sources that are looked into; the others are named alone. */
const MOST_PREVIEWS = 3;
const SHOWN_LINES = 5;
const LINE_LENGTH = 500;

/** Plans for what the locations lead to, with the first records of the first ones. @throws {InputError} when one of these cannot be read */
export async function openPlans(detector: DecoderDetector, locations: readonly string[]): Promise<OpenPlan[]> {
  const plans: OpenPlan[] = [];
  for (const path of locations) {
    const isShown = plans.length < MOST_PREVIEWS && (await storedTableAt(path)) === null;
    const preview = isShown ? await previewFile(detector, path) : null;
    plans.push({ path, label: basename(path), preview });
  }
  return plans;
}

async function previewFile(detector: DecoderDetector, location: string): Promise<OpenPreview | null> {
  const path = await firstFile([location]);
  if (path === null) return null;
  const source = new TextSource(path);
  try {
    const { text, writtenNs } = await sourceHead(source);
    return await textPreview(detector, text, writtenNs);
  } finally {
    await source.close();
  }
}

/** The beginning of a log as it would be decoded. @param writtenNs not long after which it was written */
export async function textPreview(detector: DecoderDetector, text: string, writtenNs: bigint): Promise<OpenPreview> {
  const found = await detector.recognise(text, writtenNs);
  return {
    decoder: found === null ? null : decoderTitle(found.name),
    confidence: found?.confidence ?? 0,
    records: found?.records.map(previewOf) ?? [],
    lines: linesOf(text),
  };
}

/** The first lines of a text, to be shown. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).slice(0, SHOWN_LINES);
  return lines.filter((line) => line !== '').map((line) => line.slice(0, LINE_LENGTH));
}
