import { RULE_LEVELS } from '../../../engine/api/rule-fields.ts';
import type { RecordRow, RuleFolder, RuleInfo, RulesLook, RulesProgress, RulesState } from '../../../engine/api/types.ts';
import { formatCount, plural, shareRead } from './format.ts';

/** Rules by their hits: those with hits first, the worst level before the others. */
export function sortedRules(rules: readonly RuleInfo[]): RuleInfo[] {
  const rank = ({ level }: RuleInfo): number => RULE_LEVELS.indexOf(level);
  return [...rules].sort(
    (a, b) => Number(b.hits > 0) - Number(a.hits > 0) || rank(b) - rank(a) || b.hits - a.hits || a.title.localeCompare(b.title),
  );
}

/** Progress of the rules in words. */
export function progressText(progress: RulesProgress, known: RulesState | null): string {
  const rules = plural(known?.loaded ?? 0, 'rule');
  const hits = `${plural(progress.hits, 'hit')} in ${plural(progress.searched, 'record')}`;
  switch (progress.state) {
    case 'none':
      return '';
    case 'loading':
      return 'reading the rules…';
    case 'searching':
      return `${rules} · ${hits}, ${shareRead(progress.searched / Math.max(1, progress.of))}`;
    case 'stopped':
      return `${rules} · ${hits}, stopped at ${formatCount(progress.searched)} of ${formatCount(progress.of)}`;
    case 'ready':
      return `${rules} · ${hits}`;
  }
}

/** The rules of a record in words. */
export const ruleText = ({ level, titles }: NonNullable<RecordRow['rules']>): string =>
  `${titles.length === 1 ? 'Rule' : 'Rules'} (${level}): ${titles.join(', ')}`;

/** The hits of a rule in words. */
export function hitsText({ hits, marked }: Pick<RuleInfo, 'hits' | 'marked'>): string {
  if (hits === 0) return 'No hit';
  return marked === hits ? plural(hits, 'hit') : `${plural(hits, 'hit')}, of which the first ${formatCount(marked)} mark their records`;
}

/** A short name of a folder of rules. */
export function folderName({ kind, path }: RuleFolder): string {
  if (kind === 'bundled') return 'Rules of Sluicebox';
  if (kind === 'own') return 'Folder rules of the workspace';
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** Number of the rules of a folder that can be run, in words. */
export function lookText({ loaded, refused }: RulesLook): string {
  const all = loaded + refused;
  if (all === 0) return 'There are no rules in it: files that end with .yml or .yaml.';
  return refused === 0 ? `${plural(all, 'rule')}, and all can be run.` : `${formatCount(loaded)} of ${plural(all, 'rule')} can be run.`;
}
