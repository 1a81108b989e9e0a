import { dirname, join, isAbsolute } from 'node:path';
import { z } from 'zod';
import type { SandboxKind } from '../sandbox/contract/types.ts';
import { FORMS } from '../outputs/encode.ts';
import { nearOrAll } from '../base/text/suggest.ts';
import { isTable, type ConfigDocument, type Table } from './document.ts';
import { checkQueries, isQueries, QUERIES } from './queries.ts';
import { findingsOf, show, type ConfigProblem, type Finding } from './problems.ts';
import {
  SECTION_TYPES,
  type DecoderConfig,
  type EncoderConfig,
  type FilterConfig,
  type InputConfig,
  type ManagerConfig,
  type RulesConfig,
  type Origin,
  type OutputConfig,
  type SectionType,
  type SectionTypes,
} from './schema/sections.ts';
import { ADMIN_SECTION, adminSchema, type AdminConfig } from './schema/admin.ts';
import { withoutSecrets, type SecretFiles } from './secrets.ts';
import { SERVICE_PATHS, serviceSchema, type ServiceConfig } from './schema/service.ts';
import { checkTests, TESTS, type ConfigTest } from './tests.ts';

/** A whole configuration. Sections are in the order in which they are first named. */
export interface PipelineConfig {
  readonly service: ServiceConfig;
  /** null: nobody can ask the service over HTTP how it is. */
  readonly admin: AdminConfig | null;
  readonly inputs: readonly InputConfig[];
  readonly decoders: readonly DecoderConfig[];
  readonly filters: readonly FilterConfig[];
  /** Filters that load other filters. */
  readonly managers: readonly ManagerConfig[];
  /** Filters that run Sigma rules. */
  readonly rules: readonly RulesConfig[];
  readonly encoders: readonly EncoderConfig[];
  readonly outputs: readonly OutputConfig[];
  readonly tests: readonly ConfigTest[];
  /** Queries that the window has saved, by name. */
  readonly queries: Readonly<Record<string, string>>;
}

/** Name of the section with the options of the service. */
export const SERVICE_SECTION = 'svcd';

/** Names of bundled scripts of each kind, to check `plugin`, `decoder` and `encoder` against. */
export type Bundled = Partial<Readonly<Record<SandboxKind, readonly string[]>>>;

type AnyFilter = FilterConfig | ManagerConfig | RulesConfig;
type AnySection = InputConfig | DecoderConfig | FilterConfig | ManagerConfig | RulesConfig | EncoderConfig | OutputConfig;

/** A section of a known type, as it stands in the file. */
export interface ListedSection {
  readonly name: string;
  readonly type: string;
  readonly kind: SandboxKind;
  readonly origin: Origin;
  readonly table: Table;
  /** The checked section; null when it has problems. */
  readonly checked: AnySection | null;
  /** Paths of its parameters that have problems. */
  readonly wrong: readonly (readonly PropertyKey[])[];
}

export interface SectionOptions {
  /** Types that a section may have; those of the service when absent. */
  readonly types?: SectionTypes | undefined;
  /** Names of sections that could not be read, and may be referred to. */
  readonly broken?: ReadonlySet<string>;
  /** Reads secrets from their files; null or absent: they stand in none. */
  readonly secrets?: SecretFiles | null;
}

/** Checks every section against its schema; a section with a problem is left out of the configuration. */
export function checkSections(
  document: ConfigDocument,
  file: string,
  bundled: Bundled,
  { types = SECTION_TYPES, broken = new Set(), secrets = null }: SectionOptions = {},
): { config: PipelineConfig; problems: ConfigProblem[]; sections: ListedSection[] } {
  const problems: ConfigProblem[] = [];
  const report = (section: string, finding: Finding): void => {
    problems.push(problemAt(document, file, section, finding));
  };

  const service = checkOptions(serviceSchema, document.table[SERVICE_SECTION] ?? {});
  service.findings.forEach((finding) => report(SERVICE_SECTION, finding));
  const given = document.table[ADMIN_SECTION];
  const admin = isAdmin(ADMIN_SECTION, given) ? checkOptions(adminSchema, given) : null;
  admin?.findings.forEach((finding) => report(ADMIN_SECTION, finding));

  const sections: ListedSection[] = [];
  const declared = declaredSections(document.table, types);
  for (const [name, value] of Object.entries(document.table)) {
    if (name === SERVICE_SECTION || isAdmin(name, value) || isListOfTests(name, value) || isQueries(name, value, types)) continue;
    const origin = document.origin([name]) ?? { file, line: 0 };
    if (!isTable(value)) {
      const hint = 'a section begins with its name in brackets';
      problems.push({ code: 'config.section', ...origin, section: '', key: name, text: 'stands outside of all sections', hint });
      continue;
    }
    const fileOf = (path: readonly string[]): string => document.origin([name, ...path])?.file ?? file;
    const { table, findings: unread, paths } = secrets?.take(value, fileOf) ?? { table: value, findings: [], paths: [] };
    const { kind, values, findings: others } = checkSection(name, table, { types, declared, bundled, broken });
    const findings = [...unread, ...others.map((finding) => withoutSecrets(finding, paths))];
    findings.forEach((finding) => report(name, finding));
    if (kind === undefined) continue;
    const checked = findings.length === 0 ? ({ ...values, name, origin } as AnySection) : null;
    const wrong = findings.map(({ path }) => path);
    sections.push({ name, type: String(typeNameOf(name, value)), kind, origin, table, checked, wrong });
  }

  const of = <T extends AnySection>(kind: SandboxKind): T[] =>
    sections.flatMap((entry) => (entry.kind === kind && entry.checked !== null ? [entry.checked as T] : []));
  const config = {
    service: withPaths(service.values, document, file),
    admin: admin?.values ?? null,
    inputs: of<InputConfig>('input'),
    decoders: of<DecoderConfig>('decoder'),
    filters: of<AnyFilter>('filter').filter((section) => section.type === 'SandboxFilter'),
    managers: of<AnyFilter>('filter').filter((section) => section.type === 'SandboxManagerFilter'),
    rules: of<AnyFilter>('filter').filter((section) => section.type === 'RulesFilter'),
    encoders: of<EncoderConfig>('encoder'),
    outputs: of<OutputConfig>('output'),
  };
  const listed = isListOfTests(TESTS, document.table[TESTS]) ? document.table[TESTS] : undefined;
  const { tests, findings } = checkTests(listed, config, (path) => document.origin(path));
  // Tests may name a section that could not be read.
  if (broken.size === 0) findings.forEach((finding) => report(TESTS, finding));
  const queries = checkQueries(document.table[QUERIES], types);
  queries.findings.forEach((finding) => report(QUERIES, finding));
  return { config: { ...config, tests, queries: queries.queries }, problems, sections };
}

/** A finding in a section as a problem at its place. @param file names the place when the document has none */
export function problemAt(document: ConfigDocument, file: string, section: string, { path, text, hint, code }: Finding): ConfigProblem {
  const origin = document.origin([section, ...path]) ?? { file, line: 0 };
  return { code: code ?? 'config.parameter', ...origin, section, key: path.map(String).join('.'), text, hint };
}

/** Tells the list `[[tests]]` from a section of that name. */
const isListOfTests = (name: string, value: unknown): boolean => name === TESTS && Array.isArray(value);

/** Tells the options of `[admin]` from a plugin of that name. */
const isAdmin = (name: string, value: unknown): boolean => name === ADMIN_SECTION && isTable(value) && value['type'] === undefined;

/** Resolves relative paths from the folder of the file that names them. */
function withPaths(service: ServiceConfig, document: ConfigDocument, file: string): ServiceConfig {
  const resolved = { ...service };
  for (const name of SERVICE_PATHS) {
    const value = service[name];
    if (value === undefined || isAbsolute(value)) continue;
    resolved[name] = join(dirname(document.origin([SERVICE_SECTION, name])?.file ?? file), value);
  }
  return resolved;
}

/** Checks the options of the service itself. Those that are wrong count as left out. */
function checkOptions<S extends z.ZodObject>(schema: S, value: unknown): { values: z.output<S>; findings: Finding[] } {
  const result = schema.safeParse(value);
  if (result.success) return { values: result.data, findings: [] };
  const findings = findingsOf(result.error.issues, value, () => Object.keys(schema.shape));
  const wrong = new Set(findings.map(({ path: [name] }) => name));
  const others = isTable(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name))) : {};
  return { values: schema.safeParse(others).data ?? schema.parse({}), findings };
}

/** Context of the check of a section. */
interface Surroundings {
  readonly types: SectionTypes;
  /** All sections whose type is known, by name. */
  readonly declared: ReadonlyMap<string, DeclaredSection>;
  readonly bundled: Bundled;
  readonly broken: ReadonlySet<string>;
}

interface DeclaredSection {
  readonly type: string;
  readonly kind: SandboxKind;
}

/** Type of a section; its name when it has none. */
const typeNameOf = (name: string, value: Table): unknown => value.type ?? name;

function typeOf(name: unknown, types: SectionTypes): SectionType | undefined {
  return typeof name === 'string' && Object.hasOwn(types, name) ? types[name] : undefined;
}

interface CheckedSection {
  readonly kind?: SandboxKind;
  readonly values?: object;
  readonly findings: readonly Finding[];
}

function checkSection(name: string, value: Table, surroundings: Surroundings): CheckedSection {
  const { types, bundled } = surroundings;
  const typeName = typeNameOf(name, value);
  const type = typeOf(typeName, types);
  if (type === undefined) return { findings: [value.type === undefined ? withoutType(name, value, types) : unknownType(typeName, types)] };
  const complete = { ...value, type: typeName };
  const result = type.schema.safeParse(complete);
  const findings = [
    ...(result.success ? [] : findingsOf(result.error.issues, complete, (path) => parameterNames(type.schema, complete, path))),
    ...pluginFindings(value.plugin, type.kind, bundled),
    ...(isScriptPort(typeName) ? [] : referenceFindings(value, type.kind, surroundings)),
    ...namedSectionFindings(value, type, surroundings),
  ];
  return { kind: type.kind, findings, ...(result.success ? { values: result.data as object } : {}) };
}

/** A section that has no type is named after one, or is meant for the service. */
function withoutType(name: string, value: Table, types: SectionTypes): Finding {
  const isService = Object.keys(value).some((key) => Object.hasOwn(serviceSchema.shape, key));
  const hint = isService ? `the options of the service stand in [${SERVICE_SECTION}]` : nearOrAll(name, Object.keys(types));
  return { code: 'config.section', path: [], text: 'has no type', hint };
}

function unknownType(name: unknown, types: SectionTypes): Finding {
  const known = Object.keys(types);
  const hint = typeof name === 'string' ? nearOrAll(name, known) : `known are ${known.join(', ')}`;
  return { code: 'config.section', path: ['type'], text: `${show(name)} is not a type of section`, hint };
}

function pluginFindings(plugin: unknown, kind: SandboxKind, bundled: Bundled): Finding[] {
  const plugins = bundled[kind];
  if (plugins === undefined || typeof plugin !== 'string' || plugin === '' || plugins.includes(plugin)) return [];
  const other = (['decoder', 'filter', 'encoder'] as const).find((each) => bundled[each]?.includes(plugin));
  const hint = other === undefined ? nearOrAll(plugin, plugins) : `it is ${WITH_ARTICLE[other]}`;
  return [{ code: 'plugin.unknown', path: ['plugin'], text: `there is no bundled ${kind} ${show(plugin)}`, hint }];
}

/** Names of the parameters allowed in the table at `path` of a section. */
function parameterNames(schema: z.ZodType, section: Table, path: readonly PropertyKey[]): string[] {
  let json = jsonSchemaOf(schema);
  let value: unknown = section;
  for (const key of path) {
    const inner = json.properties?.[String(key)] ?? json.additionalProperties;
    value = isTable(value) ? value[String(key)] : undefined;
    if (typeof inner !== 'object') return [];
    json = ofType(inner, value);
  }
  return Object.keys(json.properties ?? {});
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

const jsonSchemaOf = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** Picks the alternative of a union schema that has the `type` of this value. */
function ofType(json: JsonSchema, value: unknown): JsonSchema {
  const forms = (json.oneOf ?? json.anyOf ?? []) as readonly JsonSchema[];
  const isOf = ({ properties = {} }: JsonSchema): boolean => {
    const { type } = properties;
    return typeof type === 'object' && isTable(value) && type.const === value.type;
  };
  return forms.find(isOf) ?? json;
}

function declaredSections(table: Table, types: SectionTypes): ReadonlyMap<string, DeclaredSection> {
  const declared = new Map<string, DeclaredSection>();
  for (const [name, value] of Object.entries(table)) {
    const type = isTable(value) ? typeNameOf(name, value) : undefined;
    const kind = typeOf(type, types)?.kind;
    if (kind !== undefined) declared.set(name, { type: String(type), kind });
  }
  return declared;
}

const WITH_ARTICLE = { input: 'an input', decoder: 'a decoder', filter: 'a filter', encoder: 'an encoder', output: 'an output' } as const;

/** Tells script inputs and outputs, whose `decoder` and `encoder` have no effect and are not checked. */
const isScriptPort = (type: unknown): boolean => type === 'SandboxInput' || type === 'SandboxOutput';

/** Checks that the decoder or encoder that a section names exists and is of that kind. */
function referenceFindings(value: Table, kind: SandboxKind, surroundings: Surroundings): Finding[] {
  const { declared, bundled } = surroundings;
  if (kind === 'input') {
    const wrong = value.decoder === 'protobuf' && value.splitter !== 'framing' && !declared.has('protobuf');
    const finding = { path: ['decoder'], text: 'protobuf decodes framed messages', hint: 'it needs splitter = "framing"' };
    if (value.decoder === AUTO && !declared.has(AUTO) && !surroundings.broken.has(AUTO)) return autoFindings(value);
    const found = reference('decoder', value.decoder, ['protobuf', ...(bundled.decoder ?? [])], surroundings);
    return wrong ? [...found, finding] : found;
  }
  if (kind === 'output') return reference('encoder', value.encoder, [...FORMS, ...(bundled.encoder ?? [])], surroundings);
  return [];
}

/** The decoder that is found by what the files look like. */
const AUTO = 'auto';

/** Checks an input whose decoder is to be recognised. */
function autoFindings({ type, splitter }: Table): Finding[] {
  if (type !== 'FileInput')
    return [{ path: ['decoder'], text: '"auto" recognises files', hint: 'only a FileInput has it; name the decoder' }];
  if (splitter === undefined || splitter === 'auto') return [];
  return [
    {
      path: ['splitter'],
      text: 'the decoder that is recognised says how a file is cut',
      hint: 'leave the splitter out, or name the decoder',
    },
  ];
}

/** Checks that parameters that name a section of a certain type name an existing one. */
function namedSectionFindings(value: Table, { schema, references = {} }: SectionType, { declared, broken }: Surroundings): Finding[] {
  return Object.entries(references).flatMap(([parameter, type]): Finding[] => {
    const wanted = value[parameter] ?? defaultOf(schema, parameter);
    if (typeof wanted !== 'string' || broken.has(wanted)) return [];
    const known = [...declared].filter(([, section]) => section.type === type).map(([name]) => name);
    if (known.includes(wanted)) return [];
    const text = `there is no section ${show(wanted)} of the type ${type}`;
    return [{ path: [parameter], text, hint: nearOrAll(wanted, known) }];
  });
}

function defaultOf(schema: z.ZodType, parameter: string): unknown {
  const { properties = {} } = jsonSchemaOf(schema);
  const property = properties[parameter];
  return typeof property === 'object' ? property.default : undefined;
}

function reference(kind: 'decoder' | 'encoder', name: unknown, ready: readonly string[], { declared, broken }: Surroundings): Finding[] {
  if (typeof name !== 'string' || name === '' || ready.includes(name) || broken.has(name)) return [];
  const found = declared.get(name)?.kind;
  if (found === kind) return [];
  if (found !== undefined) return [{ path: [kind], text: `${show(name)} is ${WITH_ARTICLE[found]}, not ${WITH_ARTICLE[kind]}`, hint: '' }];
  const names = [...declared].filter(([, other]) => other.kind === kind).map(([other]) => other);
  return [{ path: [kind], text: `there is no ${kind} ${show(name)}`, hint: nearOrAll(name, [...names, ...ready]) }];
}
