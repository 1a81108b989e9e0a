import {
  autocompletion,
  completeFromList,
  ifIn,
  snippetCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { localCompletionSource, snippets, javascriptLanguage } from '@codemirror/lang-javascript';
import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { hoverTooltip, type Tooltip } from '@codemirror/view';
import { ENTRY_POINTS, uniqueEntries, type ApiEntry } from './api-docs.ts';

/** A variable of messages, as `read_message` names it. */
interface MessageVariable {
  readonly name: string;
  readonly about: string;
}

const IN_CALL = /\b(?:read_message|write_message)\(\s*(['"`])([^'"`]*)$/;
const IN_CONFIG = /\bread_config\(\s*(['"`])([^'"`]*)$/;

const TYPES: Readonly<Record<ApiEntry['kind'], string>> = {
  function: 'function',
  method: 'method',
  property: 'property',
  interface: 'interface',
  type: 'type',
};

function option({ name, kind, signature, doc }: ApiEntry): Completion {
  const parameters = kind === 'function' || kind === 'method' ? /\((.*)\)/.exec(signature)?.[1] : undefined;
  const detail = parameters === undefined ? '' : `(${parameters.length > 40 ? '…' : parameters})`;
  return { label: name, type: TYPES[kind], detail, ...(doc === '' ? {} : { info: doc }), boost: kind === 'function' ? 2 : 0 };
}

function entryPoints(): Completion[] {
  return ENTRY_POINTS.map(({ name, insert, doc }) =>
    snippetCompletion(insert, { label: name, type: 'keyword', info: doc, detail: ' entry point', boost: 3 }),
  );
}

/** The functions of the interface, and after a dot their members. */
function apiSource(all: readonly ApiEntry[]): CompletionSource {
  const entries = uniqueEntries(all);
  const globals = completeFromList([...entries.filter(({ of }) => of === null).map(option), ...entryPoints()]);
  const members = entries.filter(({ of, kind }) => of !== null && kind !== 'property').map(option);
  const keys = entries.filter(({ of }) => of === 'InjectMessage' || of === 'FieldValue').map(option);
  return (context) => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    if (/String|Comment|RegExp/.test(node.name)) return null;
    const dot = context.matchBefore(/\.\w*$/);
    if (dot !== null) return { from: dot.from + 1, options: members, validFor: /^\w*$/ };
    if (isKey(node.name)) return withKeys(context, keys);
    return globals(context);
  };
}

const isKey = (name: string): boolean => name === 'PropertyDefinition' || name === 'ObjectExpression' || name === 'Property';

function withKeys(context: CompletionContext, keys: readonly Completion[]): CompletionResult | null {
  const word = context.matchBefore(/\w*$/);
  return word === null || (word.from === word.to && !context.explicit) ? null : { from: word.from, options: [...keys], validFor: /^\w*$/ };
}

/** Names of variables and parameters, in the calls that take them. */
function nameSource(variables: () => readonly MessageVariable[], parameters: () => readonly MessageVariable[]): CompletionSource {
  return (context) => {
    const before = context.state.sliceDoc(Math.max(0, context.pos - 200), context.pos);
    for (const [pattern, names] of [[IN_CALL, variables] as const, [IN_CONFIG, parameters] as const]) {
      const found = pattern.exec(before);
      if (found === null) continue;
      const options = names().map(({ name, about }) => ({ label: name, type: 'variable', detail: about }));
      return { from: context.pos - (found[2] ?? '').length, options, validFor: /^[^'"`]*$/ };
    }
    return null;
  };
}

export interface ScriptNames {
  readonly entries: readonly ApiEntry[];
  readonly variables: () => readonly MessageVariable[];
  readonly parameters: () => readonly MessageVariable[];
}

/** Completion and hover for scripts. */
export function scriptHelp({ entries, variables, parameters }: ScriptNames): Extension {
  const sources = [
    nameSource(variables, parameters),
    apiSource(entries),
    localCompletionSource,
    ifIn(['Script', 'Block', 'StatementGroup'], completeFromList(snippets)),
  ];
  return [
    autocompletion({ icons: false, activateOnTyping: true, maxRenderedOptions: 40 }),
    ...sources.map((autocomplete) => javascriptLanguage.data.of({ autocomplete })),
    hoverTooltip((view, pos) => hover(entries, view.state.wordAt(pos), (from, to) => view.state.sliceDoc(from, to)), { hoverTime: 250 }),
  ];
}

function hover(
  entries: readonly ApiEntry[],
  word: { readonly from: number; readonly to: number } | null,
  text: (from: number, to: number) => string,
): Tooltip | null {
  if (word === null) return null;
  const name = text(word.from, word.to);
  const found = entries.filter(
    (entry) => entry.name === name && (entry.kind === 'function' || entry.of !== null || entry.kind === 'interface'),
  );
  if (found.length === 0) return null;
  return { pos: word.from, end: word.to, above: true, create: () => ({ dom: card(found) }) };
}

function card(entries: readonly ApiEntry[]): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'script-hover';
  for (const { signature, doc, of } of entries.slice(0, 4)) {
    const code = dom.appendChild(document.createElement('code'));
    code.textContent = of === null ? signature : `${of}: ${signature}`;
    if (doc !== '') dom.appendChild(document.createElement('p')).textContent = doc;
  }
  return dom;
}
