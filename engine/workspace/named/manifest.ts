import { z } from 'zod';
import { filterSets, highlighterList } from '../../api/schemas.ts';
import { EngineError } from '../../errors.ts';
import { LIMITS } from '../common/limits.ts';
import { markList } from '../marks/marks-file.ts';

/** A name that a script may have in a workspace. */
export const SCRIPT_NAME = /^\w[\w.-]{0,199}\.(?:js|mjs|ts)$/;
/** Where sections and decoders name a script of the workspace: its name follows. */
export const SCRIPTS = 'scripts/';

const MOST_SCRIPT = 1_000_000;
const MOST_TEXT = 4_000_000;

const path = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0]*$/);

const file = z.strictObject({
  /** Where it was: an absolute path, a pattern, or the address of what was packed. */
  path,
  /** By which filters name it. */
  section: z.string().min(1).max(5000),
  label: z.string().max(4096),
  /** null: it is detected. */
  decoder: z
    .strictObject({
      name: z.string().min(1).max(300),
      config: z.record(z.string().max(100), z.union([z.string().max(65_536), z.number(), z.boolean()])),
    })
    .nullable(),
  timeOffset: z.number().min(-315_576_000).max(315_576_000),
  /** Bytes of its records, which come with the workspace; null: they do not. */
  records: z.int().nonnegative().nullable(),
});

const schema = z.strictObject({
  sluicebox: z.literal('workspace'),
  version: z.literal(1),
  savedAt: z.number(),
  files: z.array(file).max(LIMITS.sources),
  /** The sections of its other sources, of filters, decoders and queries: TOML, as in the workspace file. */
  sections: z.string().max(MOST_TEXT),
  scripts: z.array(z.strictObject({ name: z.string().regex(SCRIPT_NAME), text: z.string().max(MOST_SCRIPT) })).max(LIMITS.scripts),
  highlighters: highlighterList,
  filterSets,
  marks: markList.max(LIMITS.marks),
  window: z.record(z.string().max(100), z.json()),
});

/** The first line of a workspace: everything but the records. */
export type Manifest = z.infer<typeof schema>;
export type ManifestFile = Manifest['files'][number];
export type ManifestScript = Manifest['scripts'][number];

/** Checks the first line of a file. @throws {EngineError} `workspace.damaged` */
export function checkManifest(head: unknown, place: string): Manifest {
  const of = (key: string): unknown => (typeof head === 'object' && head !== null ? (head as Record<string, unknown>)[key] : undefined);
  if (of('sluicebox') !== 'workspace') throw new EngineError('workspace.damaged', `${place} is no workspace of Sluicebox.`);
  if (of('version') !== 1)
    throw new EngineError('workspace.damaged', `${place} was saved by a newer Sluicebox (form ${String(of('version'))}, known is 1).`);
  const { data, error } = schema.safeParse(head);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new EngineError('workspace.damaged', `${place} is no workspace that can be read: ${issue?.path.join('.')} ${issue?.message}`);
}
