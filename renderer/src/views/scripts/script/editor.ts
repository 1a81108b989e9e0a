import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, Prec, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type KeyBinding,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { ScriptProblem } from '../../../../../engine/api/types.ts';
import type { TypeProblem } from '../../../../../engine/api/script-types.ts';
import { EDITOR_KEYS } from '../../../lib/filter/local-keys.ts';
import { scriptHelp, type ScriptNames } from './complete.ts';
import { heatGutter } from './heat.ts';

export interface ScriptEditorOptions extends ScriptNames {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly changed: (text: string) => void;
  readonly save: () => void;
  readonly apply: () => void;
}

/** Colours of the theme's tokens, so that light, dark and contrast follow by themselves. */
const COLORS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.operatorKeyword], color: 'var(--sev-2)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--sev-5)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--sev-6)' },
  { tag: [tags.comment], color: 'var(--text-mute)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.typeName, tags.className], color: 'var(--sev-4)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

/** The editor's own keys of the table, as CodeMirror writes them: `Mod-s`. */
function bindings(actions: Readonly<Record<'save' | 'apply', () => void>>): KeyBinding[] {
  const keys = EDITOR_KEYS.meanings.flatMap((meaning) => Object.entries(meaning.keys));
  return keys.flatMap(([key, does]) => {
    if (does === null) return [];
    const run = (): boolean => {
      actions[does]();
      return true;
    };
    return [{ key: key.replaceAll('+', '-').replace(/[A-Z]$/, (letter) => letter.toLowerCase()), run }];
  });
}

/** An editor for scripts. Leaving by the keyboard: Escape, then Tab. */
export function createScriptEditor(options: ScriptEditorOptions): EditorView {
  const { parent, text, label, changed, save, apply } = options;
  const own = keymap.of(bindings({ save, apply }));
  const state = EditorState.create({
    doc: text,
    extensions: [
      Prec.highest(own),
      heatGutter(),
      lineNumbers(),
      lintGutter(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightSelectionMatches(),
      search({ top: true }),
      javascript({ typescript: true }),
      syntaxHighlighting(COLORS),
      indentUnit.of('  '),
      EditorState.tabSize.of(2),
      scriptHelp(options),
      keymap.of([
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...lintKeymap,
        indentWithTab,
        ...defaultKeymap,
      ]),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
    ],
  });
  return new EditorView({ parent, state });
}

/** Shows the mistakes that are known of a script at their places. @param typed those in the text as it is */
export function showProblems(view: EditorView, tried: readonly ScriptProblem[], typed: readonly TypeProblem[]): void {
  const { doc } = view.state;
  const located = tried.filter(({ line }) => line > 0 && line <= doc.lines).map((problem) => diagnostic(doc, problem));
  const mistakes = typed.map(({ from, to, text, severity }): Diagnostic => ({
    from,
    to: Math.min(to, doc.length),
    severity,
    message: text,
  }));
  // A misspelt name that also ended the trial is told once.
  const seen = new Set(mistakes.filter(({ severity }) => severity === 'error').map(({ from }) => doc.lineAt(from).number));
  const others = located.filter(({ from, severity }) => severity !== 'error' || !seen.has(doc.lineAt(from).number));
  const diagnostics = [...mistakes, ...others];
  // Setting them closes the card that tells one of them.
  if (!isShown(view.state, diagnostics)) view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** Whether the editor shows exactly these, at these places. */
function isShown(state: EditorState, diagnostics: readonly Diagnostic[]): boolean {
  const shown = new Set<string>();
  forEachDiagnostic(state, (one, from, to) => shown.add(keyOf({ ...one, from, to })));
  return shown.size === diagnostics.length && diagnostics.every((one) => shown.has(keyOf(one)));
}

const keyOf = ({ from, to, severity, message }: Diagnostic): string => JSON.stringify([from, to, severity, message]);

function diagnostic(doc: Text, { line, column, text, fatal }: ScriptProblem): Diagnostic {
  const { from, to, text: content } = doc.line(line);
  const start = Math.min(to, from + Math.max(0, column - 1));
  const rest = content.slice(start - from);
  const word = /^\w+/.exec(rest)?.[0].length ?? 1;
  const wide =
    column === 0 ? { from: from + (/^\s*/.exec(content)?.[0].length ?? 0), to } : { from: start, to: Math.min(to, start + word) };
  return { ...wide, severity: fatal ? 'error' : 'warning', message: text };
}

/** Puts the caret into a line and brings it into sight. */
export function goToLine(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  view.focus();
}
