import type { RulesConfig } from '../config/schema/sections.ts';
import type { InputNotice } from '../inputs/types.ts';
import { compileExpression } from '../matcher/expression.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { loadRules } from '../rules/folder.ts';
import { RulesFilter } from './rules-filter.ts';
import type { PipelineHost } from './section-factory.ts';

const NS = 1_000_000_000n;

/**
 * Makes the filter of a section of rules; what is not known of them is told.
 * @throws {EngineError} when there is no such folder or file
 */
export async function makeRules(section: RulesConfig, host: PipelineHost, { router }: Pipeline): Promise<RulesFilter> {
  const { name, message_matcher: expression, message_signer: signer, level, alert_throttle: throttle } = section;
  const log = (severity: InputNotice['level'], text: string): void =>
    host.tell({ kind: 'notice', notice: { level: severity, code: 'rules', subject: name, text: `[${name}] ${text}` } });
  const { rules, problems } = await loadRules(section.rules);
  for (const { file, line, rule, text } of problems.slice(0, MAX_TOLD))
    log('warning', `${file}:${line}: ${rule === '' ? '' : `${rule}: `}${text}`);
  if (problems.length > MAX_TOLD) log('warning', `and ${problems.length - MAX_TOLD} more; sluicebox rules check names all`);
  log('info', `${rules.length} rules are loaded`);
  const matcher = compileExpression(expression);
  return new RulesFilter({ name, matcher, signer, rules, level, throttleNs: BigInt(throttle) * NS, router, log });
}

/** Problems that are told one by one. */
const MAX_TOLD = 20;
