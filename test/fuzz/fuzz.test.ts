import { describe, expect, it } from 'vitest';
import { campaign, SECONDS, type Target } from './campaign.ts';
import * as messageTargets from './targets/messages.ts';
import * as otlpTargets from './targets/otlp.ts';
import * as statTargets from './targets/stats.ts';
import * as streamTargets from './targets/streams.ts';
import * as textTargets from './targets/texts.ts';

const targets: Target[] = [messageTargets, otlpTargets, statTargets, streamTargets, textTargets].flatMap((all): Target[] =>
  Object.values(all),
);
const only = process.env.SLUICEBOX_FUZZ_ONLY;

describe('what comes from outside is taken or refused in order', () => {
  it.each(targets.filter(({ name }) => only === undefined || name === only))(
    '$name',
    (target) => {
      const { runs, outcomes, slowestMs } = campaign(target);
      expect(runs).toBeGreaterThan(target.seeds.length);
      expect(outcomes).toBeGreaterThan(1);
      if (process.env.SLUICEBOX_FUZZ_SECONDS === undefined) return;
      process.stderr.write(`${target.name}: ${runs} runs, ${outcomes} outcomes, at most ${slowestMs.toFixed(0)} ms\n`);
    },
    SECONDS * 1000 + 300_000,
  );
});
