/** A parameter that is set to the default that its plugin's page names changes nothing. */
import { expect, test } from 'vitest';
import type { Message } from '../../engine/message/types.ts';
import { ENCODERS, FILTERS, messagesOf, timeOf, type PluginCase } from './support/cases.ts';
import type { Field, PlainMessage, Value } from './support/message.ts';
import { metaOf, startPlugin, type Outcome } from './support/sandbox.ts';

const MESSAGES = 40;
/** Parameters whose defaults stand for the system's time. */
const FIXED: Readonly<Record<string, Record<string, Value>>> = { 'encoders/es_payload': { index: 'x' } };

function plain({ timestamp, type, logger, payload, hostname, severity, fields }: Message): PlainMessage {
  const headers = { Type: type, Logger: logger, Payload: payload, Hostname: hostname, Severity: severity };
  const set = Object.entries(headers).filter(([, value]) => value !== undefined);
  const Fields = fields.map(({ name, valueType, values }): Field => ({ name, value_type: valueType, value: values as Value[] }));
  return { Timestamp: timestamp, ...Object.fromEntries(set), Fields };
}

function run(file: string, config: Record<string, Value>, entry: PluginCase): Outcome[] {
  const plugin = startPlugin(file, config);
  const outcomes = messagesOf(entry, 0, MESSAGES).map((message) => plugin.process(plain(message)));
  return entry.tickless === true ? outcomes : [...outcomes, plugin.timer(timeOf(MESSAGES))];
}

const all = [...FILTERS.map((entry) => ['filters', entry] as const), ...ENCODERS.map((entry) => ['encoders', entry] as const)];

test.each(all.map(([folder, entry]) => [`${folder}/${entry.plugin}`, entry] as const))('%s', (plugin, entry) => {
  const file = `${plugin}.ts`;
  const parameters = Object.entries(metaOf(file).parameters);
  const pick = (wanted: (meta: ParameterMeta) => boolean, value: (name: string, meta: ParameterMeta) => unknown): Record<string, Value> =>
    Object.fromEntries(parameters.filter(([, meta]) => wanted(meta)).map(([name, meta]) => [name, value(name, meta) as Value]));
  const required = {
    ...pick(
      (meta) => meta.required === true,
      (name) => entry.config[name],
    ),
    ...FIXED[plugin],
  };
  const defaults = pick(
    (meta) => meta.default !== undefined,
    (_, meta) => meta.default,
  );
  const outcomes = run(file, required, entry);
  expect(outcomes.some(({ injected }) => injected.length > 0) || /failures/.test(plugin)).toBe(true);
  expect(run(file, { ...defaults, ...required }, entry)).toEqual(outcomes);
});
