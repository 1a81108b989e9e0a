import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError, messageOf } from '../base/errors.ts';
import { readGivenFile } from '../base/files/given-file.ts';
import { readRegularFile } from '../base/files/regular-file.ts';
import { RuleMistake } from './mistake.ts';
import type { Rule, RuleProblem } from './model.ts';
import { parseRule } from './parse-rule.ts';
import { readYaml, textOf, YamlError, type Yaml } from './yaml.ts';

/** Files of a folder of rules. */
const MAX_FILES = 50_000;
/** Bytes of a file: above the length that is parsed, which is said with a line then. */
const MAX_BYTES = 8 << 20;

/** Rules that were read. */
export interface LoadedRules {
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
}

/**
 * Reads rules from files, and from all files below folders whose names end with `.yml` or `.yaml`. What cannot be read is among the problems.
 * @throws {EngineError} when there is no such file or folder
 */
export async function loadRules(paths: readonly string[]): Promise<LoadedRules> {
  const rules: Rule[] = [];
  const problems: RuleProblem[] = [];
  for (const path of paths) {
    for (const { file, isNamed } of await filesOf(path)) {
      const loaded = await loadFile(file, isNamed);
      for (const rule of loaded.rules) rules.push(rule);
      for (const problem of loaded.problems) problems.push(problem);
    }
  }
  return withKnownReferences(rules, problems);
}

/** A file that is in a folder is a problem when it cannot be read; one that was named is an error. */
async function loadFile(file: string, isNamed: boolean): Promise<LoadedRules> {
  try {
    const bytes = isNamed ? await readGivenFile(file, MAX_BYTES) : (await readRegularFile(file, MAX_BYTES)).bytes;
    return parseRules(bytes.toString(), file);
  } catch (cause) {
    const text = `it cannot be read: ${messageOf(cause)}`;
    if (isNamed) throw new EngineError('rules.unreadable', `${file}: ${text}`, { cause });
    return { rules: [], problems: [{ file, line: 1, rule: '', text }] };
  }
}

/** The rules of a text. */
export function parseRules(text: string, file: string): LoadedRules {
  const rules: Rule[] = [];
  const problems: RuleProblem[] = [];
  let documents: readonly Yaml[];
  try {
    documents = readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { rules, problems: [{ file, line: error.line, rule: '', text: error.message }] };
  }
  for (const document of documents) {
    if (document.kind === 'scalar' && document.type === 'null') continue;
    try {
      rules.push(parseRule(document, file));
    } catch (error) {
      if (!(error instanceof RuleMistake)) throw error;
      const rule = document.kind === 'map' ? (textOf(document, 'title') ?? '') : '';
      problems.push({ file, line: error.line, rule, text: error.message });
    }
  }
  return { rules, problems };
}

/** Leaves out correlations of rules that there are not. */
function withKnownReferences(rules: readonly Rule[], problems: RuleProblem[]): LoadedRules {
  let left = rules;
  for (;;) {
    const known = new Set(left.flatMap(({ id, name }) => [id, name]));
    const unknown = (rule: Rule): string | undefined =>
      rule.kind === 'correlation' ? rule.rules.find((other) => !known.has(other)) : undefined;
    const kept = left.filter((rule) => unknown(rule) === undefined);
    if (kept.length === left.length) return { rules: left, problems };
    for (const rule of left) {
      const missing = unknown(rule);
      if (missing !== undefined)
        problems.push({
          file: rule.file,
          line: rule.line,
          rule: rule.title,
          text: `the correlation is about the rule ${missing}, which there is not`,
        });
    }
    left = kept;
  }
}

async function filesOf(path: string): Promise<readonly { readonly file: string; readonly isNamed: boolean }[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [{ file: path, isNamed: true }];
    const names = await readdir(path, { recursive: true });
    const files = names.filter((name) => /\.ya?ml$/i.test(name)).sort();
    if (files.length > MAX_FILES)
      throw new EngineError('rules.unreadable', `${path} has ${files.length} files of rules, more than ${MAX_FILES}`);
    return files.map((name) => ({ file: join(path, name), isNamed: false }));
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new EngineError('rules.unreadable', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
