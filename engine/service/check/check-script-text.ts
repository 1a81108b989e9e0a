import { basename } from 'node:path';
import { ALL_HEADERS, headerNamed } from '../../api/headers.ts';
import { isBundled } from '../../base/product/bundled.ts';
import { nearOrAll } from '../../base/text/suggest.ts';
import type { ListedSection } from '../../config/sections.ts';
import type { PluginScript } from '../../plugins/types.ts';
import { readScriptFile } from '../../sandbox/code/script-files.ts';
import type { CheckedScript } from './check-scripts.ts';
import type { SectionFinding } from './findings.ts';

/** Checks of scripts by their text, without running them: what they do then may depend on messages. */

/** A script that is there, with its text. */
export interface ReadScript {
  readonly script: CheckedScript;
  readonly plugin: PluginScript;
  readonly text: string;
}

/** Reads the scripts of a configuration, but for those that another part of the check says to be missing. */
export function readScripts(scripts: readonly CheckedScript[]): ReadScript[] {
  return scripts.flatMap((script) => {
    try {
      const plugin = script.find();
      return [{ script, plugin, text: readScriptFile(plugin.path, null).bytes.toString('utf8') }];
    } catch {
      return [];
    }
  });
}

/** Finds variables of messages that there are not, and timers that nothing calls. */
export function textFindings(scripts: readonly ReadScript[], sections: readonly ListedSection[]): SectionFinding[] {
  const named = new Map(sections.map((section) => [section.name, section]));
  return scripts.flatMap((read) => {
    const code = withoutComments(read.text);
    return [...unknownVariables(read, code), ...unusedTimer(read, code, named.get(read.script.section))];
  });
}

const COMMENT = /\/\*[^]*?\*\/|\/\/.*$/gm;
/** Calls whose first argument names a variable of the message. */
const CALL = /\b(read_message|read_integer|write_message)\(\s*(['"`])([^'"`\\$\n]*)\2/g;

/** A function that does nothing, for sections that have a ticker all the same. */
const EMPTY_TIMER = /\btimer_event\s*\([^)]*\)[^{]*\{\s*\}/;

const withoutComments = (text: string): string => text.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ' '));

/** A name that is no header, no field and not `raw` is always null to a script. */
function unknownVariables({ script, plugin }: ReadScript, code: string): SectionFinding[] {
  if (isBundled(plugin.path)) return [];
  return [...code.matchAll(CALL)].flatMap(({ 1: call = '', 3: name = '', index }) => {
    if (headerNamed(name) !== undefined || /^Fields\[[^]*\]/.test(name) || (name === 'raw' && call === 'read_message')) return [];
    const line = code.slice(0, index).split('\n').length;
    const text = `${basename(plugin.path)}:${line}: ${call} has no variable ${JSON.stringify(name)}`;
    const hint = nearOrAll(name, [...ALL_HEADERS.map((header) => header.name), 'Fields[name]']);
    return [{ section: script.section, path: [script.naming], code: 'config.parameter', text, hint }];
  });
}

/** A section that sets `ticker_interval`, be it to 0, says that it is meant so. */
function unusedTimer({ script }: ReadScript, code: string, section: ListedSection | undefined): SectionFinding[] {
  const isTimed = script.kind === 'filter' || script.kind === 'output';
  if (!isTimed || script.ticking !== null || section === undefined || 'ticker_interval' in section.table) return [];
  if (!/\btimer_event\b/.test(code) || EMPTY_TIMER.test(code)) return [];
  const text = 'is not set, so the timer_event of its script is never called';
  return [
    { section: script.section, path: ['ticker_interval'], code: 'config.parameter', text, hint: 'give it seconds, or 0 if that is meant' },
  ];
}
