import { printableLines } from '../api/printable.ts';
import type { PipelineConfig } from '../config/sections.ts';
import { plainOf, type ConfigTest } from '../config/tests.ts';
import { messageOf } from '../base/errors.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { batchOf } from '../message/batch/builder.ts';
import { messageOf as messageFrom } from '../message/json/json-parse.ts';
import type { Message } from '../message/types.ts';
import { tryConfig, type Trial } from '../service/config-trial.ts';
import type { ScriptStarter } from '../plugins/sandboxes.ts';
import type { CommandContext } from './command.ts';
import { isRecord, MADE_AT, matches, shown } from './expected.ts';

/** Characters shown of each text in a difference. */
const LONGEST = 200;

/**
 * Runs the `[[tests]]` of a configuration, each in a pipeline of its own, and prints the results in the Test Anything Protocol.
 * An interrupt ends them.
 * @returns how many failed
 */
export async function runConfigTests(config: PipelineConfig, starter: ScriptStarter, { out, signal }: CommandContext): Promise<number> {
  let failed = 0;
  out.add(`1..${config.tests.length}\n`);
  for (const [i, test] of config.tests.entries()) {
    if (signal.aborted) break;
    const trial = await tried(config, test, starter);
    const expected = test.out.map(plainOf);
    const passed = isAsExpected(expected, trial);
    if (!passed) failed++;
    out.addLine(`${passed ? 'ok' : 'not ok'} ${i + 1} - ${test.title}`);
    if (!passed) out.add(printableLines(difference(test, expected, trial)));
    await out.flush();
  }
  return failed;
}

async function tried(config: PipelineConfig, { input, in: items, output }: ConfigTest, starter: ScriptStarter): Promise<Trial> {
  const script = config.inputs.find((section) => section.name === input);
  const texts = items.filter((item) => typeof item === 'string');
  try {
    if (input !== undefined && script?.type === 'SandboxInput' && script.source !== undefined && texts.length === items.length) {
      return await tryConfig({ config, batches: [], input, reading: { input, texts }, output, starter });
    }
    const batches = items.map((item) => batchFrom(plainOf(item), input));
    return await tryConfig({ config, batches, input, output, starter });
  } catch (error) {
    return { texts: [], messages: [], problems: [messageOf(error)], broken: true };
  }
}

/** Makes a batch of one item of a test: a text becomes a record of the input, a table a message. */
function batchFrom(item: unknown, input: string | undefined): MessageBatch {
  const given = isRecord(item) ? item : { Payload: item };
  return batchOf([messageFrom({ Timestamp: MADE_AT, ...(input === undefined ? {} : { Logger: input }), ...given })]);
}

function isAsExpected(expected: readonly unknown[], { texts, messages, broken }: Trial): boolean {
  if (broken) return false;
  if (expected.every((item) => typeof item === 'string') && expected.length > 0) {
    return expected.length === texts.length && expected.every((item, i) => lineOf(item) === lineOf(texts[i] as string));
  }
  return expected.length === messages.length && expected.every((item, i) => agrees(item, messages[i] as Message, texts[i]));
}

/** Compares an item with a message, or with the text that the output wrote for it; encoders may leave messages out. */
const agrees = (item: unknown, message: Message, text: string | undefined): boolean =>
  typeof item === 'string' ? text !== undefined && lineOf(item) === lineOf(text) : matches(item, message, 'named fields');

/** A text without its last line end, which tests do not compare. */
const lineOf = (text: string): string => text.replace(/\n$/, '');

function difference({ origin, out }: ConfigTest, expected: readonly unknown[], { texts, messages, problems }: Trial): string {
  const asTexts = out.length > 0 && out.every((item) => typeof item === 'string');
  const lines = [
    `  at ${origin.file}:${origin.line}`,
    `  expected ${shown(expected)}`,
    `  but got  ${shown(asTexts ? texts.map(lineOf) : messages, LONGEST)}`,
    ...problems.map((problem) => `  ${problem}`),
  ];
  return lines.map((line) => `# ${line.replaceAll('\n', '\n#   ')}\n`).join('');
}
