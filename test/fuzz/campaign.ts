import { workMs } from '../growth.ts';
import { mutate, Random } from './mutator.ts';

/** Something that takes bytes from outside. */
export interface Target {
  readonly name: string;
  /** Inputs to begin with. */
  readonly seeds: readonly Uint8Array[];
  /** Words of its language. */
  readonly words?: readonly string[];
  /**
   * Takes an input and checks what came of it. What it throws is a finding. Returns a word for what happened: inputs that make something new
   * happen are built upon.
   */
  run(bytes: Uint8Array): string;
}

export interface Campaign {
  readonly runs: number;
  /** How many different things happened. */
  readonly outcomes: number;
  readonly slowestMs: number;
}

/** Seconds for each target: `SLUICEBOX_FUZZ_SECONDS`, or a short time for every day. */
export const SECONDS = Number(process.env.SLUICEBOX_FUZZ_SECONDS ?? 0.4);
const SEED = Number(process.env.SLUICEBOX_FUZZ_SEED ?? (process.env.SLUICEBOX_FUZZ_SECONDS === undefined ? 1 : Date.now() % 2 ** 31));

/** An input that takes more work than this is a finding, too. */
const MAX_MS = 2000;
/** Changed inputs that are tried however slow the machine is. */
const MIN_CHANGED = 200;
const MAX_CORPUS = 4000;
const MAX_OUTCOMES = 100_000;

class Finding extends Error {
  override readonly name = 'Finding';
}

/**
 * Runs a target on changed inputs for some time.
 * @throws {Finding} with the input in base64
 */
export function campaign(target: Target, seconds = SECONDS, seed = SEED): Campaign {
  const random = new Random(seed);
  const corpus: Uint8Array[] = [...target.seeds];
  const outcomes = new Set<string>();
  const end = performance.now() + seconds * 1000;
  let runs = 0;
  let slowestMs = 0;
  for (const input of target.seeds) attempt(input);
  const least = runs + MIN_CHANGED;
  while (runs < least || performance.now() < end) attempt(mutate(random, random.pick(corpus), random.pick(corpus), target.words ?? []));
  return { runs, outcomes: outcomes.size, slowestMs };

  function attempt(input: Uint8Array): void {
    runs++;
    let outcome = '';
    let ms: number;
    try {
      ms = workMs(() => (outcome = target.run(Uint8Array.from(input))));
    } catch (cause) {
      throw new Finding(`${target.name}, seed ${seed}: ${shown(cause)}\ninput in base64: ${Buffer.from(input).toString('base64')}`, {
        cause,
      });
    }
    slowestMs = Math.max(slowestMs, ms);
    if (ms > MAX_MS) {
      throw new Finding(
        `${target.name}, seed ${seed}: took ${Math.round(ms)} ms\ninput in base64: ${Buffer.from(input).toString('base64')}`,
      );
    }
    if (outcomes.has(outcome) || outcomes.size >= MAX_OUTCOMES) return;
    outcomes.add(outcome);
    if (corpus.length < MAX_CORPUS) corpus.push(input);
    else corpus[target.seeds.length + random.below(MAX_CORPUS - target.seeds.length)] = input;
  }
}

const shown = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

/** The beginning of a text, without what differs from input to input: numbers, and what is quoted. */
export const shapeOf = (text: string): string => (text.split(/["'`/\\]/, 1)[0] as string).replaceAll(/\d+/g, '#').slice(0, 60);
