import { z } from 'zod';

/** The choices of a workspace about its rules. */
export interface RuleChoices {
  /** Folders that someone chose. */
  readonly folders: readonly string[];
  /** Whether the rules that come with Sluicebox are run. */
  readonly bundled: boolean;
  /** Keys of rules that are switched off. */
  readonly off: readonly string[];
}

export const NO_CHOICES: RuleChoices = { folders: [], bundled: false, off: [] };

const schema = z.strictObject({
  version: z.literal(1),
  folders: z.array(z.string()),
  bundled: z.boolean(),
  off: z.array(z.string()),
});

/** @throws {Error} when it is no such file */
export function parseChoices(text: string): RuleChoices {
  const { folders, bundled, off } = schema.parse(JSON.parse(text));
  return { folders, bundled, off };
}

export function formatChoices(choices: RuleChoices): string {
  return `${JSON.stringify({ version: 1, ...choices }, null, 1)}\n`;
}
