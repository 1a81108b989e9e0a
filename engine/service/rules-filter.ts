import type { InputNotice } from '../inputs/types.ts';
import { batchOf } from '../message/batch/builder.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { takeRows } from '../message/batch/gather.ts';
import { randomUuids } from '../message/random-uuid.ts';
import { ValueType, type Field, type Message } from '../message/types.ts';
import type { Consumer } from '../pipeline/consumer.ts';
import { count, runnerFields, type PluginReport } from '../pipeline/plugin-report.ts';
import type { Injector } from '../pipeline/router.ts';
import { Subscription, type Selection, type SubscriptionOptions } from '../pipeline/selection.ts';
import { RuleEngine, type Hit } from '../rules/engine.ts';
import type { Level, Rule } from '../rules/model.ts';

export interface RulesFilterOptions extends Pick<SubscriptionOptions, 'matcher' | 'signer'> {
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly level: Level;
  /** Time of messages within which a rule alerts once. */
  readonly throttleNs: bigint;
  readonly router: Injector;
  readonly log: (level: InputNotice['level'], text: string) => void;
  /** Called when it stops; absent: nothing ends with it. */
  readonly stopped?: () => Promise<void>;
}

/** Severity of an alert by the level of its rule. */
const SEVERITIES: Readonly<Record<Level, number>> = { critical: 2, high: 3, medium: 4, low: 5, informational: 6 };
/** Rules and groups whose last alert is known. */
const MAX_ALERTS = 10_000;

/** Runs Sigma rules on messages and injects an alert for each hit. It never ends by itself. */
export class RulesFilter implements Consumer {
  readonly name: string;
  readonly subscription: Subscription;
  readonly takesRows = true;
  readonly #options: RulesFilterOptions;
  #engine: RuleEngine;
  /** Times of the last alerts. */
  readonly #last = new Map<string, bigint>();
  #pending = 0;
  #messages = 0;
  #alerts = 0;

  constructor(options: RulesFilterOptions) {
    this.name = options.name;
    this.subscription = new Subscription(options);
    this.#options = options;
    this.#engine = this.#engineOf(options.rules);
  }

  /** Runs these rules from the next messages on. */
  replace(rules: readonly Rule[]): void {
    this.#engine = this.#engineOf(rules);
  }

  #engineOf(rules: readonly Rule[]): RuleEngine {
    const { level, log } = this.#options;
    const onFull = ({ title }: Rule): void => log('warning', `${title}: it has more groups than are kept; the oldest ones are forgotten`);
    return new RuleEngine(rules, { level, onFull });
  }

  get pending(): number {
    return this.#pending;
  }

  async submit({ batch, rows, loop, injected }: Selection): Promise<void> {
    // Alerts, also those of others, are no logs.
    if (injected) return;
    const messages = rows === null ? batch : takeRows(batch, rows);
    this.#messages += messages.length;
    const hits = this.#engine.run(messages).filter((hit) => this.#isDue(hit, messages));
    if (hits.length === 0) return;
    this.#alerts += hits.length;
    this.#pending++;
    await this.#options.router
      .inject(batchOf(hits.map((hit) => alertOf(this.name, hit, messages))), loop + 1)
      .finally(() => this.#pending--);
  }

  report(capacity: number): Promise<PluginReport> {
    const own = { ProcessMessageCount: count(this.#messages), Alerts: count(this.#alerts) };
    return Promise.resolve({ name: this.name, fields: { ...runnerFields(this.#pending, capacity, this.subscription), ...own } });
  }

  stop(): Promise<void> {
    return this.#options.stopped?.() ?? Promise.resolve();
  }

  /** Whether the last alert of a rule, or of a group of it, was long ago. */
  #isDue({ rule, row, found }: Hit, batch: MessageBatch): boolean {
    const { throttleNs } = this.#options;
    if (throttleNs === 0n) return true;
    const key = JSON.stringify([rule.id ?? rule.title, found?.group]);
    const time = batch.timestamps[row] as bigint;
    const last = this.#last.get(key);
    if (last !== undefined && time - last < throttleNs) return false;
    this.#last.delete(key);
    this.#last.set(key, time);
    if (this.#last.size > MAX_ALERTS) this.#last.delete(this.#last.keys().next().value as string);
    return true;
  }
}

/** An alert as those that scripts inject, with the rule and the fields of the message. */
function alertOf(logger: string, { rule, row, found }: Hit, batch: MessageBatch): Message {
  const message = batch.message(row);
  const counted = found === undefined ? '' : ` (${[...found.group, found.count].join(', ')})`;
  const { payload = '', hostname, pid, timestamp } = message;
  const fields: Field[] = [
    { name: 'payload_type', valueType: ValueType.STRING, representation: 'file-extension', values: ['alert'] },
    textField('payload_name', rule.title),
    textField('rule', rule.title),
    ...(rule.id === null ? [] : [textField('rule_id', rule.id)]),
    textField('rule_level', rule.level),
    ...(rule.tags.length === 0 ? [] : [{ name: 'rule_tags', valueType: ValueType.STRING, values: rule.tags }]),
    ...(found === undefined ? [] : [{ name: 'rule_count', valueType: ValueType.DOUBLE, values: [found.count] }]),
  ];
  const kept = message.fields.filter(({ name }) => !name.startsWith('payload_') && !name.startsWith('rule'));
  return {
    uuid: randomUuids(1),
    timestamp,
    type: 'svc.sandbox-output',
    logger,
    hostname,
    pid,
    severity: SEVERITIES[rule.level],
    payload: `${rule.level}: ${rule.title}${counted}${payload === '' ? '' : `: ${payload}`}`,
    fields: [...fields, ...kept],
  };
}

const textField = (name: string, value: string): Field => ({ name, valueType: ValueType.STRING, values: [value] });
