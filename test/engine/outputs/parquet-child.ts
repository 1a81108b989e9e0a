/** Writes messages as Parquet files for ever, 20 each time, and tells each time that they are acknowledged. A test kills it. */
import { writeSync } from 'node:fs';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { ParquetWriter } from '../../../engine/outputs/parquet-output.ts';

const output = new ParquetWriter({
  place: { path: process.argv[2] ?? '' },
  upkeep: null,
  flushInterval: 0,
  flushCount: 1,
  uuids: true,
  quietMs: null,
  retries: { delay: 1, max_delay: 5, max_jitter: 0, max_retries: -1 },
  onProblem: () => undefined,
});
for (;;) {
  await output.write(
    Array.from({ length: 20 }, (_, i) =>
      encodeMessage({ uuid: new Uint8Array(16), timestamp: BigInt(i), type: `type ${i % 3}`, fields: [] }),
    ),
  );
  writeSync(1, 'acknowledged\n');
}
