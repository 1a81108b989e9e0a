import { z } from 'zod';
import { NO_INCIDENT } from '../../api/incident-types.ts';
import { filterSets, highlighterList, incidentText, recordGraphs } from '../../api/requests/shapes.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import { bundledNames } from '../../plugins/catalog.ts';
import { LIMITS } from '../common/limits.ts';
import { markList } from '../marks/marks-file.ts';

/** A name that a script may have in a workspace. */
export const SCRIPT_NAME = /^\w[\w.-]{0,199}\.(?:js|mjs|ts)$/;
/** Prefix by which sections and decoders name a script of the workspace: its name follows. */
export const SCRIPTS = 'scripts/';

const MOST_SCRIPT = 1_000_000;
const MOST_TEXT = 4_000_000;

const path = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0]*$/);

const file = z.strictObject({
  /** Place from which it was packed: an absolute path, a pattern, or an address. */
  path,
  /** Name of the section, by which filters refer to it. */
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
  recordGraphs: recordGraphs.default([]),
  incident: incidentText.default(NO_INCIDENT),
  /** Records that were open when an incident was written, and that are not around its marks. */
  leftOut: z.int().nonnegative().default(0),
  marks: markList.max(LIMITS.marks),
  window: z.record(z.string().max(100), z.json()),
});

/** The first line of a workspace: everything but the records. */
export type Manifest = z.infer<typeof schema>;
export type ManifestFile = Manifest['files'][number];

/** Checks that what is saved can be opened again. @throws {EngineError} `workspace.too-large` */
export function requireSavable(manifest: Manifest): void {
  const long = manifest.scripts.find(({ text }) => text.length > MOST_SCRIPT);
  if (long !== undefined) {
    const most = MOST_SCRIPT.toLocaleString('en');
    throw new EngineError('workspace.too-large', `A workspace takes scripts of up to ${most} characters along; ${long.name} is longer.`);
  }
  const [issue] = schema.safeParse(manifest).error?.issues ?? [];
  if (issue !== undefined)
    throw new EngineError('workspace.too-large', `What is open does not fit into a workspace: ${issue.path.join('.')} ${issue.message}.`);
}

/** Checks the first line of a file. @throws {EngineError} `workspace.damaged` */
export function checkManifest(head: unknown, place: string): Manifest {
  const of = (key: string): unknown => (typeof head === 'object' && head !== null ? (head as Record<string, unknown>)[key] : undefined);
  if (of('sluicebox') !== 'workspace') throw new EngineError('workspace.damaged', `${place} is not a workspace of Sluicebox.`);
  if (of('version') !== 1)
    throw new EngineError('workspace.damaged', `${place} was saved by a newer Sluicebox (form ${String(of('version'))}, known is 1).`);
  const refuse = (why: string, cause?: unknown): EngineError =>
    new EngineError('workspace.damaged', `${place} is not a workspace that can be read: ${why}`, { cause });
  const { data, error } = parse(head, refuse);
  if (data === undefined) throw refuse(`${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`);
  const strange = data.files.find(({ decoder }) => decoder !== null && !isDecoder(decoder.name, data));
  if (strange !== undefined) throw refuse(`it names a decoder ${strange.decoder?.name}, which it does not bring.`);
  return data;
}

function parse(head: unknown, refuse: (why: string, cause: unknown) => EngineError): ReturnType<typeof schema.safeParse> {
  try {
    return schema.safeParse(head);
  } catch (cause) {
    // Values within values, too many for the stack.
    throw refuse(messageOf(cause), cause);
  }
}

/** Whether it is a bundled decoder or a script of the workspace: another path would start a script that nobody was asked for. */
function isDecoder(decoder: string, { scripts }: Manifest): boolean {
  return bundledNames('decoder').includes(decoder) || scripts.some(({ name }) => decoder === SCRIPTS + name);
}
