import type { RulesConfig } from '../config/schema/sections.ts';
import type { InputNotice } from '../inputs/types.ts';
import { messageOf } from '../base/errors.ts';
import { Serial } from '../base/time/serial.ts';
import { compileExpression } from '../matcher/expression.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { loadRules } from '../rules/folder.ts';
import type { Rule, RuleProblem } from '../rules/model.ts';
import { problemText } from '../rules/problem-text.ts';
import { withKept } from '../rules/reload.ts';
import { signOfRules, watchRules } from '../rules/watch.ts';
import { RulesFilter } from './rules-filter.ts';
import type { PipelineHost } from './section-factory.ts';

const NS = 1_000_000_000n;

/**
 * Makes the filter of a section of rules; what is not known of them is told. Changed files are read again.
 * @throws {EngineError} when there is no such folder or file
 */
export async function makeRules(section: RulesConfig, host: PipelineHost, { router }: Pipeline): Promise<RulesFilter> {
  const { name, message_matcher: expression, message_signer: signer, level, alert_throttle: throttle } = section;
  const log = (severity: InputNotice['level'], text: string): void =>
    host.tell({ kind: 'notice', notice: { level: severity, code: 'rules', subject: name, text: `[${name}] ${text}` } });
  const known = await signOfRules(section.rules);
  const loaded = await loadRules(section.rules);
  tellProblems(loaded.problems, log);
  log('info', `${loaded.rules.length} rules are loaded`);
  const matcher = compileExpression(expression);
  const watched = new WatchedRules(section.rules, loaded.rules, log);
  const throttleNs = BigInt(throttle) * NS;
  const stopped = (): Promise<void> => watched.close();
  const filter = new RulesFilter({ name, matcher, signer, rules: loaded.rules, level, throttleNs, router, log, stopped });
  watched.start(known, (rules) => filter.replace(rules));
  return filter;
}

type Log = (level: InputNotice['level'], text: string) => void;

/** Reads rules again when their files change. Where one is broken then, the rule that was there before stays. */
class WatchedRules {
  readonly #paths: readonly string[];
  readonly #log: Log;
  readonly #turns = new Serial();
  #rules: readonly Rule[];
  #watch: { close(): void } | null = null;

  constructor(paths: readonly string[], rules: readonly Rule[], log: Log) {
    this.#paths = paths;
    this.#rules = rules;
    this.#log = log;
  }

  start(known: string, replace: (rules: readonly Rule[]) => void): void {
    this.#watch = watchRules(this.#paths, known, () => void this.#turns.run(() => this.#load(replace)));
  }

  async close(): Promise<void> {
    this.#watch?.close();
    await this.#turns.idle();
  }

  async #load(replace: (rules: readonly Rule[]) => void): Promise<void> {
    try {
      const { rules, problems } = withKept(this.#rules, await loadRules(this.#paths));
      tellProblems(problems, this.#log);
      this.#rules = rules;
      replace(rules);
      this.#log('info', `the rules have changed: ${rules.length} are loaded, and what correlations have counted begins anew`);
    } catch (error) {
      this.#log('warning', `the rules have changed and cannot be read, so they stay as they were: ${messageOf(error)}`);
    }
  }
}

function tellProblems(problems: readonly RuleProblem[], log: Log): void {
  for (const problem of problems.slice(0, MOST_TOLD))
    log('warning', `${problemText(problem)}${problem.kept === true ? '; the rule is run as it was before' : ''}`);
  if (problems.length > MOST_TOLD) log('warning', `and ${problems.length - MOST_TOLD} more; sluicebox rules check names all`);
}

/** Problems that are told one by one. */
const MOST_TOLD = 20;
