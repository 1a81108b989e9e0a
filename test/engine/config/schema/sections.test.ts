import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configurationPages } from '../../../../engine/config/docs.ts';
import { parseConfig } from '../../../../engine/config/load.ts';
import { formatProblem } from '../../../../engine/config/problems.ts';
import { sectionTypes } from '../../../../engine/config/schema/sections.ts';
import { INPUT_TYPES, inputTypeOf } from '../../../../engine/inputs/built-in.ts';
import { inputType, type InputContext } from '../../../../engine/inputs/shared/input-type.ts';
import { decoding, interval, splitter } from '../../../../engine/inputs/shared/parameters.ts';
import { StatHub } from '../../../../engine/inputs/stats/stat-hub.ts';
import type { Input } from '../../../../engine/inputs/types.ts';
import { OUTPUT_TYPES, outputTypeOf } from '../../../../engine/outputs/built-in.ts';
import { outputType } from '../../../../engine/outputs/output-type.ts';
import { encoder, exit } from '../../../../engine/outputs/parameters.ts';
import type { Piece, Writer } from '../../../../engine/outputs/writers.ts';
import { matching, receiver } from '../../../../engine/section/receiver.ts';
import { restart } from '../../../../engine/section/restart.ts';

/** An input that was made up, and all that has to be said of it. */
const moonInput = inputType({
  type: 'MoonInput',
  summary: 'Looks at the moon.',
  example: '[moon]\ntype = "MoonInput"\nphase = "full"',
  parameters: () => ({
    phase: z.enum(['new', 'full']).describe('Phase to wait for.'),
    ticker_interval: interval.default(3600).describe('Time between two looks.'),
    splitter: splitter.default('none').describe('How its light is cut.'),
    ...decoding,
  }),
  rules: [{ holds: ({ phase, ticker_interval: wait }) => phase === 'full' || wait < 7200, error: 'a new moon needs more looks' }],
  source: { form: () => 'whole' },
  facts: ({ phase }) => ({ kind: 'poll', label: `${phase} moon`, location: 'the sky' }),
  make: ({ name, phase, ticker_interval: seconds }, { split, hostname }) => new MoonInput(name, { phase, seconds, split, hostname }),
});

class MoonInput implements Input {
  readonly name: string;
  readonly options: object;

  constructor(name: string, options: object) {
    this.name = name;
    this.options = options;
  }

  start = (): Promise<void> => Promise.resolve();
  stop = (): Promise<void> => Promise.resolve();
  stats = (): ReturnType<Input['stats']> => ({ bytes: 0, records: 0, dropped: 0, totalBytes: 0 });
}

/** An output that was made up. */
const bottleOutput = outputType({
  type: 'BottleOutput',
  summary: 'Throws messages into the sea.',
  example: '[sea]\ntype = "BottleOutput"\nmessage_matcher = "TRUE"\ncork = true',
  parameters: () => ({
    ...matching,
    cork: z.boolean().describe('Close the bottle.'),
    encoder: encoder('text'),
    ...receiver,
    ...restart,
    ...exit,
  }),
  make: ({ name, cork }, { onProblem }) => new BottleWriter(() => onProblem(`${name}: ${cork ? 'closed' : 'open'}`)),
});

class BottleWriter implements Writer {
  readonly onWrite: () => void;

  constructor(onWrite: () => void) {
    this.onWrite = onWrite;
  }

  write = (_pieces: readonly Piece[]): Promise<void> => Promise.resolve(this.onWrite());
  close = (): Promise<void> => Promise.resolve();
}

const inputs = [...INPUT_TYPES, moonInput];
const outputs = [...OUTPUT_TYPES, bottleOutput];
const types = sectionTypes(inputs, outputs);
const parsed = (text: string): ReturnType<typeof parseConfig> => parseConfig(text, 'p.toml', { environment: {}, types });
const problemsOf = (text: string): string[] => parsed(text).problems.map(formatProblem);

const context: InputContext = { hostname: 'host', stateDirectory: '', split: { kind: 'none' }, stats: new StatHub() };

describe('an input in the list', () => {
  it('is checked, with its defaults', () => {
    const { config, problems } = parsed(moonInput.example);
    expect(problems).toEqual([]);
    expect(config.inputs).toMatchObject([{ name: 'moon', type: 'MoonInput', phase: 'full', ticker_interval: 3600, can_exit: false }]);
  });

  it.each<[string, string[]]>([
    ['[m]\ntype = "MoonInput"', ['p.toml:1: [m] phase: must be new or full, not nothing']],
    ['[m]\ntype = "MoonInput"\nphase = "ful"', ['p.toml:3: [m] phase: must be new or full, not "ful" (did you mean full?)']],
    ['[m]\ntype = "MoonInput"\nphase = "new"\nticker_interval = 9000', ['p.toml:1: [m]: a new moon needs more looks']],
    ['[m]\ntype = "MoonInputs"\nphase = "new"', ['p.toml:2: [m] type: "MoonInputs" is not a type of section (did you mean MoonInput?)']],
  ])('is checked: %s', (text, wanted) => expect(problemsOf(text)).toEqual(wanted));

  it('is documented, with what others have too', () => {
    const page = configurationPages(types)['MoonInput.md'];
    expect(page).toContain('# MoonInput\n\nLooks at the moon.\n\n```toml\n[moon]');
    expect(page).toMatch(/\| `phase` +\| `new`, `full` +\| required +\| Phase to wait for\. +\|/);
  });

  it('is made', () => {
    const [config] = parsed(moonInput.example).config.inputs;
    const made = inputTypeOf('MoonInput', inputs).make({ ...config, name: 'moon' }, context);
    expect(made).toMatchObject({ name: 'moon', options: { phase: 'full', seconds: 3600, split: { kind: 'none' }, hostname: 'host' } });
    expect(made).toBeInstanceOf(MoonInput);
  });

  it('is a source of scripts, without what a section does itself', () => {
    const script = '[s]\ntype = "SandboxInput"\nfilename = "s.js"\n[s.source]\ntype = "MoonInput"\nphase = "new"\n';
    const { config, problems } = parsed(script);
    expect(problems).toEqual([]);
    expect(config.inputs).toMatchObject([{ source: { type: 'MoonInput', phase: 'new', ticker_interval: 3600 } }]);
    expect(problemsOf(`${script}ticker_interval = 9000`)).toEqual(['p.toml:4: [s] source: a new moon needs more looks']);
    expect(problemsOf(`${script}decoder = "x"`)).toEqual([
      'p.toml:7: [s] source.decoder: is not a parameter of this section (known are type, phase, ticker_interval, retries, splitter)',
    ]);
    expect(problemsOf(script.replace('MoonInput', 'SunInput'))).toEqual([expect.stringMatching(/must be FileInput, .* or MoonInput$/)]);
  });
});

describe('an output in the list', () => {
  it('is checked, documented and made', async () => {
    const { config, problems } = parsed(bottleOutput.example);
    expect(problems).toEqual([]);
    expect(configurationPages(types)['BottleOutput.md']).toContain('# BottleOutput\n\nThrows messages into the sea.');
    const told: string[] = [];
    const onProblem = (text: string): void => void told.push(text);
    const [section] = config.outputs;
    const type = outputTypeOf('BottleOutput', outputs);
    const writer = await type.make({ ...section, name: 'sea', use_buffering: false }, { stdout: new PassThrough(), onProblem });
    await writer.write(['help']);
    expect(told).toEqual(['sea: closed']);
  });

  it('is a target of scripts, without what a section does itself', () => {
    const script =
      '[s]\ntype = "SandboxOutput"\nfilename = "s.js"\nmessage_matcher = "TRUE"\n[s.target]\ntype = "BottleOutput"\ncork = false\n';
    const { config, problems } = parsed(script);
    expect(problems).toEqual([]);
    expect(config.outputs).toMatchObject([{ target: { type: 'BottleOutput', cork: false } }]);
    expect(problemsOf(`${script}encoder = "text"`)).toEqual([
      'p.toml:8: [s] target.encoder: is not a parameter of this section (known are type, cork, retries)',
    ]);
  });
});

it('says of types that are not there that they are not', () => {
  expect(() => inputTypeOf('MoonInput')).toThrow(RangeError);
  expect(() => outputTypeOf('BottleOutput')).toThrow(RangeError);
});
