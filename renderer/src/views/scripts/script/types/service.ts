import ts from 'typescript';
import { ScriptTypes, type TypeSources } from '../../../../../../engine/api/script-types.ts';

/** Something that can be written at a place. */
export interface TypeCompletion {
  readonly name: string;
  /** Kind of CodeMirror's list: `function`, `variable`, … */
  readonly type: string;
  /** Names of the script and of the interface stand before those of the language. */
  readonly own: boolean;
}

/** The declaration of a name, and its comment. */
export interface TypeAbout {
  readonly from: number;
  readonly to: number;
  readonly signature: string;
  readonly doc: string;
}

/** The call around a place: the text before, in and behind the argument that is written. */
export interface CallHelp {
  readonly from: number;
  readonly before: string;
  readonly argument: string;
  readonly after: string;
  readonly doc: string;
}

/** Reads one script with the types of its interface and of the modules. */
export class TypeService extends ScriptTypes {
  /** @param typed whether it is TypeScript */
  constructor(sources: TypeSources, typed: boolean) {
    super(ts, sources, typed);
  }

  /** Completions at a place, and where they begin. */
  completions(at: number): TypeCompletion[] {
    const found = this.service.getCompletionsAtPosition(this.script, at, { includeCompletionsWithInsertText: false });
    const entries = found?.entries ?? [];
    return entries
      .filter(({ kind }) => kind !== ts.ScriptElementKind.warning)
      .map(({ name, kind, sortText, kindModifiers = '' }) => {
        const own = sortText < '15' && !/\bdeclare\b/.test(kindModifiers);
        return { name, type: TYPES[kind] ?? 'variable', own };
      });
  }

  /** Signature and documentation of a completion. */
  details(at: number, name: string): Pick<TypeAbout, 'signature' | 'doc'> | null {
    const found = this.service.getCompletionEntryDetails(this.script, at, name, undefined, undefined, undefined, undefined);
    if (found === undefined) return null;
    return { signature: ts.displayPartsToString(found.displayParts), doc: docOf(found.documentation, found.tags) };
  }

  about(at: number): TypeAbout | null {
    const found = this.service.getQuickInfoAtPosition(this.script, at);
    if (found === undefined) return null;
    const { start, length } = found.textSpan;
    return {
      from: start,
      to: start + length,
      signature: ts.displayPartsToString(found.displayParts),
      doc: docOf(found.documentation, found.tags),
    };
  }

  call(at: number): CallHelp | null {
    const found = this.service.getSignatureHelpItems(this.script, at, undefined);
    const item = found?.items[found.selectedItemIndex];
    if (found === undefined || item === undefined) return null;
    const parts = item.parameters.map(({ displayParts }) => ts.displayPartsToString(displayParts));
    const separator = ts.displayPartsToString(item.separatorDisplayParts);
    const index = Math.min(found.argumentIndex, Math.max(0, parts.length - 1));
    const join = (some: readonly string[]): string => some.join(separator);
    const [prefix, suffix] = [item.prefixDisplayParts, item.suffixDisplayParts].map((some) => ts.displayPartsToString(some));
    return {
      from: found.applicableSpan.start,
      before: `${prefix}${join(parts.slice(0, index))}${index > 0 ? separator : ''}`,
      argument: parts[index] ?? '',
      after: `${index < parts.length - 1 ? separator : ''}${join(parts.slice(index + 1))}${suffix}`,
      doc: docOf(item.parameters[index]?.documentation ?? [], undefined) || docOf(item.documentation, undefined),
    };
  }
}

const TYPES: Readonly<Record<string, string>> = {
  [ts.ScriptElementKind.functionElement]: 'function',
  [ts.ScriptElementKind.localFunctionElement]: 'function',
  [ts.ScriptElementKind.memberFunctionElement]: 'method',
  [ts.ScriptElementKind.memberVariableElement]: 'property',
  [ts.ScriptElementKind.memberGetAccessorElement]: 'property',
  [ts.ScriptElementKind.keyword]: 'keyword',
  [ts.ScriptElementKind.interfaceElement]: 'interface',
  [ts.ScriptElementKind.typeElement]: 'type',
  [ts.ScriptElementKind.classElement]: 'class',
  [ts.ScriptElementKind.string]: 'text',
};

function docOf(parts: readonly ts.SymbolDisplayPart[] | undefined, tags: readonly ts.JSDocTagInfo[] | undefined): string {
  const said = (tags ?? []).map(({ name, text }) => `@${name} ${unfolded(ts.displayPartsToString(text))}`);
  return [unfolded(ts.displayPartsToString([...(parts ?? [])])), ...said].filter((text) => text !== '').join('\n');
}

/** A text whose paragraphs are lines: where the source breaks them is of no use in a narrow box. Lists and what is indented stay. */
const unfolded = (text: string): string => text.replaceAll(/(?<=\S)\n(?=[^\s\-*\d])/g, ' ');
