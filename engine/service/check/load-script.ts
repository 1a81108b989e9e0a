import { endEntry, type End } from '../../api/ends.ts';
import type { ProblemCode } from '../../config/problems.ts';
import type { Config } from '../../plugins/parameters.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import type { PluginScript } from '../../plugins/types.ts';
import { endOf, wordsOf } from '../../sandbox/contract/errors.ts';
import type { SandboxSpec } from '../../sandbox/contract/types.ts';

/** A problem with a script or, when it is named, with one of its parameters. */
export interface ScriptFinding {
  readonly parameter: string | null;
  readonly code: ProblemCode;
  readonly text: string;
  readonly hint: string;
}

/** Starts a script, and stops it again or keeps it for the service. Returns why it does not start, or null. */
export type LoadScript = (spec: SandboxSpec) => Promise<End | null>;

/** Loads each script once for the same parameters and limits. */
export function loader(starter: SandboxStarter): LoadScript {
  const known = new Map<string, Promise<End | null>>();
  return (spec) => {
    const id = JSON.stringify({ ...spec, name: '' });
    const loaded = known.get(id) ?? load(spec, starter);
    known.set(id, loaded);
    return loaded;
  };
}

async function load(spec: SandboxSpec, starter: SandboxStarter): Promise<End | null> {
  try {
    const sandbox = await starter.start(spec);
    if (starter.keep === undefined || spec.kind === 'input') await sandbox.stop();
    else starter.keep(spec, sandbox);
    return null;
  } catch (error) {
    return endOf(error);
  }
}

/** Starts a script with parameters and stops it again. Returns why it does not start, or null. */
export type LoadAttempt = (config: Readonly<Config>) => Promise<End | null>;

/**
 * Finds out why a script does not load. A script throws at its first wrong parameter; to find all of them, each one that is found is left out of the
 * next attempt, so that its default is used.
 */
export async function loadFindings({ meta }: PluginScript, given: Readonly<Config>, attempt: LoadAttempt): Promise<ScriptFinding[]> {
  const findings: ScriptFinding[] = [];
  let config: Readonly<Config> = given;
  let end = await attempt(config);
  while (end !== null) {
    const blamed = await blame(end, config, attempt);
    if (blamed === null) {
      const said = wordsOf(end);
      // Without a default for it, the script misses the parameter that was left out.
      if (!findings.some(({ parameter }) => parameter !== null && isFirst(parameter, said))) findings.push(ofScript(end));
      break;
    }
    findings.push(ofParameter(end, blamed.parameter));
    if (meta?.parameters[blamed.parameter]?.required === true) break;
    ({ config, end } = blamed);
  }
  return findings;
}

interface Blamed {
  readonly parameter: string;
  /** The parameters without it, and what came of them. */
  readonly config: Readonly<Config>;
  readonly end: End | null;
}

/** Finds the parameter that a script ended for: the one that its error names, or without which it does not end in that way. */
async function blame(end: End, config: Readonly<Config>, attempt: LoadAttempt): Promise<Blamed | null> {
  if (end.code !== 'script.throws') return null;
  const said = wordsOf(end);
  const first = Object.keys(config).find((name) => isFirst(name, said));
  const named = Object.keys(config).filter((name) => name !== first && new RegExp(`\\b${name}\\b`).test(said));
  const others = Object.keys(config).filter((name) => name !== first && !named.includes(name));
  for (const parameter of [...(first === undefined ? [] : [first]), ...named, ...others]) {
    const { [parameter]: _left, ...rest } = config;
    const after = await attempt(rest);
    if (parameter === first || after === null || (named.includes(parameter) && wordsOf(after) !== said)) {
      return { parameter, config: rest, end: after };
    }
  }
  return null;
}

const isFirst = (name: string, said: string): boolean => said.startsWith(name) && /^(?:: |\s)/.test(said.slice(name.length));

function ofParameter(end: End, parameter: string): ScriptFinding {
  const said = wordsOf(end);
  const text = isFirst(parameter, said) ? said.slice(parameter.length).replace(/^:?\s+/, '') : said;
  return { parameter, code: 'plugin.parameter', text, hint: '' };
}

function ofScript(end: End): ScriptFinding {
  const { advice, quotes } = endEntry(end.code);
  const hint = quotes === true || end.said !== undefined ? '' : `${advice.charAt(0).toLowerCase()}${advice.slice(1).replace(/\.$/, '')}`;
  return { parameter: null, code: end.code, text: end.reason.replaceAll(/\s*\n\s*/g, ' '), hint };
}
