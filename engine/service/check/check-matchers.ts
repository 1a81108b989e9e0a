import type { LoadedConfig } from '../../config/load.ts';
import type { InputConfig } from '../../config/schema/sections.ts';
import type { PipelineConfig } from '../../config/sections.ts';
import type { TextCondition } from '../../matcher/ast.ts';
import { textTest } from '../../matcher/conditions.ts';
import { compileExpression } from '../../matcher/expression.ts';
import type { Matcher } from '../../matcher/matcher.ts';
import { isBundled } from '../../base/product/bundled.ts';
import type { PluginScript } from '../../plugins/types.ts';
import type { ConfigValue } from '../../sandbox/contract/types.ts';
import { SectionScripts } from '../section-scripts.ts';
import type { SectionFinding } from './findings.ts';

/** Follows messages from the inputs to filters and outputs by their Types: a matcher may select a Type that nothing makes, or none may select what an input makes. */

/** Beginning of the Types of all messages that filters and the service make, and some inputs. */
const OWN = 'svc.';
/** Type of the records of an input; decoders leave it as it is when they are given none. undefined: they may have any. */
function recordType({ name, type }: InputConfig): string | undefined {
  switch (type) {
    case 'FileInput':
      return 'logfile';
    case 'UdpInput':
    case 'TcpInput':
      return name;
    case 'ProcessInput':
      return type;
    case 'FilePollingInput':
    case 'HttpInput':
    case 'HttpListenInput':
      return OWN;
    default:
      return undefined;
  }
}

/** Types of messages that an input makes; null: they may be any. */
type Types = readonly string[] | null;

/** Finds matchers that select nothing that the inputs, filters and the service make, and inputs whose messages none selects, as far as that is known. */
export function flowFindings({ config, sections, incomplete }: LoadedConfig): SectionFinding[] {
  if (incomplete || sections.some(({ checked }) => checked === null)) return [];
  const scripts = new SectionScripts(config, '');
  const made = config.inputs.map((input) => ({ input, types: typesOf(input, config, scripts) }));
  const consumers = [...config.filters, ...config.managers, ...config.rules, ...config.outputs].map(
    ({ name, message_matcher: expression }) => ({
      name,
      matcher: compileExpression(expression),
    }),
  );
  return [...unmatched(made, consumers), ...unselected(made, consumers)];
}

interface Made {
  readonly input: InputConfig;
  readonly types: Types;
}

/** A filter or an output. */
interface Consumer {
  readonly name: string;
  readonly matcher: Matcher;
}

function unmatched(made: readonly Made[], consumers: readonly Consumer[]): SectionFinding[] {
  if (made.length === 0 || made.some(({ types }) => types === null)) return [];
  const all = [...new Set([OWN, ...made.flatMap(({ types }) => types ?? [])])];
  const list = made.flatMap(({ input: { name }, types }) => (types?.length ? [`[${name}] makes ${shown(types)}`] : []));
  const hint = `${list.slice(0, MOST_NAMED).join('; ')}${list.length > MOST_NAMED ? '; …' : ''}`;
  return consumers.flatMap(({ name, matcher }) => {
    if (mayMatch(matcher, all)) return [];
    return [
      { section: name, path: ['message_matcher'], code: 'config.parameter', text: 'selects nothing: no message has such a Type', hint },
    ];
  });
}

function unselected(made: readonly Made[], consumers: readonly Consumer[]): SectionFinding[] {
  if (consumers.length === 0) return [];
  return made.flatMap(({ input, types }) => {
    if (types === null || types.length === 0) return [];
    if (consumers.some(({ matcher }) => mayMatch(matcher, types))) return [];
    const text = `no filter or output selects its messages, which have the Type ${shown(types)}`;
    return [{ section: input.name, path: [], code: 'config.section', text, hint: '' }];
  });
}

/** Inputs that are named, so that the line can be read. */
const MOST_NAMED = 3;
const shown = (types: readonly string[]): string => types.map((type) => (type === OWN ? `${OWN}…` : type)).join(' or ');

function mayMatch(matcher: Matcher, types: readonly string[]): boolean {
  const unknown = { header: () => undefined, field: () => undefined };
  return types.some((type) =>
    matcher.mayMatch({
      ...unknown,
      text: (variable, condition) =>
        variable !== 'Type' || (type === OWN ? mayBeOwn(condition) : textTest(condition).text(type, 0, type.length)),
    }),
  );
}

/** Whether a Type that begins with `OWN` may satisfy a condition. */
function mayBeOwn(condition: TextCondition): boolean {
  if (condition.kind === 'text') return condition.relation !== '==' || condition.value.startsWith(OWN);
  if (condition.kind !== 'pattern' || condition.negated) return true;
  const { literal } = condition.pattern;
  if (literal === null) return true;
  if (literal.kind === 'equals') return literal.text.startsWith(OWN);
  return literal.kind !== 'startsWith' || literal.text.startsWith(OWN) || OWN.startsWith(literal.text);
}

function typesOf(input: InputConfig, config: PipelineConfig, scripts: SectionScripts): Types {
  if (input.type === 'StatsdInput') return [];
  if (input.type === 'StatAccumInput') return [input.message_type];
  const record = recordType(input);
  if (record === undefined || ('splitter' in input && input.splitter === 'framing')) return null;
  const decoder = 'decoder' in input ? input.decoder : undefined;
  if (decoder === undefined || decoder === '') return [record];
  const decoded = decodedType(decoder, record, config, scripts);
  if (decoded === null) return null;
  const keepsRefused = 'send_decode_failures' in input && input.send_decode_failures;
  return keepsRefused && decoded !== record ? [decoded, record] : [decoded];
}

/** Type of what a decoder makes; null: it may be any, as for scripts that do not say it by their parameter `type`. */
function decodedType(name: string, record: string, { decoders }: PipelineConfig, scripts: SectionScripts): string | null {
  const section = decoders.find((decoder) => decoder.name === name);
  if (section === undefined && (name === 'auto' || name === 'protobuf')) return null;
  let plugin: PluginScript;
  try {
    plugin = scripts.find('decoder', section ?? name);
  } catch {
    // Another part of the check says so.
    return null;
  }
  const declared = isBundled(plugin.path) ? plugin.meta?.parameters['type'] : undefined;
  if (declared === undefined) return null;
  const given: ConfigValue | undefined = section?.config['type'] ?? declared.default;
  return given === undefined || given === null || given === '' ? record : String(given);
}
