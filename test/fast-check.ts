import { createRequire } from 'node:module';
import type fastCheck from 'fast-check';

/** fast-check as the tests get it: each run tries the same cases, others with another `SLUICEBOX_SEED`. What fails names its seed in any case. */
const fc = createRequire(import.meta.url)('fast-check') as typeof fastCheck;
fc.configureGlobal({ seed: Number(process.env.SLUICEBOX_SEED ?? 1) });

export default fc;
