import { EngineError, messageOf } from '../../base/errors.ts';
import type { RulesConfig } from '../../config/schema/sections.ts';
import { loadRules, type LoadedRules } from '../../rules/folder.ts';
import { problemText } from '../../rules/problem-text.ts';
import type { SectionFinding } from './findings.ts';

/** Rules that are named one by one. */
const MOST_TOLD = 20;

/** Mistakes in the rules of sections, and parts of them that are not known. */
interface RuleFindings {
  readonly findings: readonly SectionFinding[];
  /** One line each: rules that are not run. */
  readonly warnings: readonly string[];
}

/** Reads the rules that sections name. */
export async function checkRules(sections: readonly RulesConfig[]): Promise<RuleFindings> {
  const all = await Promise.all(sections.map(rulesOf));
  return { findings: all.flatMap(({ findings }) => findings), warnings: all.flatMap(({ warnings }) => warnings) };
}

async function rulesOf({ name, rules: paths }: RulesConfig): Promise<RuleFindings> {
  const findings: SectionFinding[] = [];
  const loaded: LoadedRules[] = [];
  for (const [i, path] of paths.entries()) {
    const wrong = (text: string): void => void findings.push({ section: name, path: ['rules', i], code: 'config.path', text, hint: '' });
    try {
      const one = await loadRules([path]);
      if (one.rules.length + one.problems.length === 0) wrong(`there are no rules in ${path}: files that end with .yml or .yaml`);
      loaded.push(one);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      wrong(messageOf(error));
    }
  }
  if (findings.length > 0) return { findings, warnings: [] };
  // Rules of one folder may be about those of another.
  const { rules, problems } = loaded.length === 1 ? (loaded[0] as LoadedRules) : await loadRules(paths);
  const told = problems.slice(0, MOST_TOLD).map((problem) => `[${name}] ${problemText(problem)}; the rule is not run`);
  const more = problems.length - told.length;
  if (rules.length === 0) {
    const text = `none of the ${problems.length} rules is known: ${problemText(problems[0] as (typeof problems)[number])}`;
    return { findings: [{ section: name, path: ['rules'], code: 'config.path', text, hint: '' }], warnings: told };
  }
  return {
    findings,
    warnings: more > 0 ? [...told, `[${name}] and ${more} more rules are not run; sluicebox rules check names all`] : told,
  };
}
