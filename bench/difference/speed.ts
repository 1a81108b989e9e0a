import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandSandboxes } from '../../engine/cli/command-sandboxes.ts';
import { FileDecoders, parseDecoding } from '../../engine/cli/file-decoders.ts';
import { Output } from '../../engine/cli/output.ts';
import { StoreJob } from '../../engine/cli/query/store-job.ts';
import { Difference } from '../../engine/store/difference/difference.ts';
import { RecordStore } from '../../engine/store/record-store.ts';
import { generatedLog } from '../logs.ts';
import { folder } from '../samples.ts';

const TURN_MS = 200;

/** Seconds of all processors that comparing the halves of a log of a web server takes, without opening it. */
export async function comparingSeconds(lines: number): Promise<number> {
  const { path } = generatedLog('access', lines);
  const place = mkdtempSync(join(folder, 'compared-'));
  const complain = (): void => undefined;
  const context = { out: new Output(process.stdout), complain, signal: new AbortController().signal };
  const sandboxes = commandSandboxes();
  const store = new RecordStore({ folder: place });
  const sink = {
    table: complain,
    add: (_: string, batch: Parameters<RecordStore['append']>[0]['batch']) => store.append({ batch, raw: null, source: 1, decoder: null }),
  };
  try {
    const decoding = parseDecoding(
      { decoder: undefined, set: [], scripts: undefined, 'only-decoded': false, strict: false, quiet: true },
      complain,
    );
    const job = new StoreJob(sink, context, complain, { isStrict: false, onlyDecoded: false });
    await new FileDecoders(sandboxes, decoding, context).with(
      path,
      async (started) => {
        job.into(path, started);
        await job.run(started.chunks);
      },
      null,
    );
    await store.flushed();
    const [first, last] = [store.segments[0]?.minTime ?? 0, store.segments.at(-1)?.maxTime ?? 0];
    const middle = (first + last) / 2;
    const before = process.cpuUsage();
    const difference = new Difference(store, { a: { to: middle }, b: { from: middle } });
    while (!difference.complete) await difference.advance(TURN_MS);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  } finally {
    await store.close();
    await sandboxes.close();
    rmSync(place, { recursive: true, force: true });
    rmSync(path, { force: true });
  }
}
