import type { LoadedRules } from './folder.ts';
import type { Rule, RuleProblem } from './model.ts';

/** The rules that were read anew; where one is broken now, the one that was there before stays, and the problem says so. */
export function withKept(before: readonly Rule[], { rules, problems }: LoadedRules): LoadedRules {
  const there = new Set(rules.map(nameOf));
  const broken = Map.groupBy(problems, ({ file }) => file);
  const isOf = (rule: Rule, problem: RuleProblem): boolean => problem.rule === '' || problem.rule === rule.title;
  const kept = before.filter((rule) => !there.has(nameOf(rule)) && broken.get(rule.file)?.some((problem) => isOf(rule, problem)) === true);
  if (kept.length === 0) return { rules, problems };
  const files = Map.groupBy(kept, ({ file }) => file);
  return {
    rules: [...rules, ...kept],
    problems: problems.map((problem) =>
      files.get(problem.file)?.some((rule) => isOf(rule, problem)) === true ? { ...problem, kept: true as const } : problem,
    ),
  };
}

const nameOf = ({ file, id, title }: Rule): string => `${file}\0${id ?? title}`;
