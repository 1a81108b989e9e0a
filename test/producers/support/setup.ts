import { unpackProducers } from '../../../scripts/lib/producers.mjs';

/** Unpacks the servers for a run that was started without `npm test`, which brings them along. */
export async function setup(): Promise<(() => void) | undefined> {
  if (process.env['SLUICEBOX_PRODUCERS'] !== undefined) return undefined;
  const producers = await unpackProducers();
  if ('reason' in producers) throw new Error(producers.reason);
  process.env['SLUICEBOX_PRODUCERS'] = producers.folder;
  return producers.remove;
}
