import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { keywordCompletionSource, PostgreSQL, sql, SQLDialect } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers, placeholder, type KeyBinding } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { QueryTable } from '../../../../engine/api/types.ts';
import { SQL_KEYS, type SqlAction } from '../../lib/filter/local-keys.ts';
import { completeQuery } from './complete.ts';

export interface SqlEditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly tables: () => readonly QueryTable[];
  readonly changed: (text: string) => void;
  readonly act: (action: SqlAction) => void;
}

/** DuckDB's dialect is that of PostgreSQL with some words more. */
const DUCKDB = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: `${PostgreSQL.spec.keywords ?? ''} qualify pivot unpivot exclude asof summarize describe anti semi positional`,
});

/** Colours of the theme's tokens, so that light, dark and contrast follow by themselves. */
const COLORS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--sev-2)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--sev-5)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--sev-6)' },
  { tag: [tags.comment], color: 'var(--text-mute)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--sev-4)' },
]);

/** The editor's own keys, as CodeMirror writes them: `Mod-Enter`. */
function bindings(act: (action: SqlAction) => void): KeyBinding[] {
  return SQL_KEYS.meanings
    .flatMap(({ keys }) => Object.entries(keys))
    .flatMap(([key, action]) => {
      if (action === null) return [];
      const run = (): boolean => {
        act(action);
        return true;
      };
      return [{ key: key.replaceAll('+', '-').replace(/[A-Z]$/, (letter) => letter.toLowerCase()), run }];
    });
}

/** An editor for SQL. Tab leaves it. */
export function createSqlEditor({ parent, text, tables, changed, act }: SqlEditorOptions): EditorView {
  const state = EditorState.create({
    doc: text,
    extensions: [
      Prec.highest(keymap.of(bindings(act))),
      lineNumbers(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      EditorView.lineWrapping,
      sql({ dialect: DUCKDB }).language,
      syntaxHighlighting(COLORS),
      autocompletion({ override: [completeQuery(tables), keywordCompletionSource(DUCKDB, true)], icons: false }),
      placeholder('SELECT … FROM …'),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': 'SQL', spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
    ],
  });
  return new EditorView({ parent, state });
}

/** Replaces the text, as one change that can be undone. */
export function setText(view: EditorView, text: string): void {
  if (view.state.doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: text.length } });
}

/** Marks the place of a mistake; null: there is none. */
export function showMistake(view: EditorView, mistake: { readonly at: number; readonly text: string } | null): void {
  const { doc } = view.state;
  const from = Math.min(mistake?.at ?? 0, doc.length);
  const word = /^[\p{L}\p{N}_"]+/u.exec(doc.sliceString(from, from + 80))?.[0].length ?? 1;
  const to = Math.min(doc.length, from + word);
  view.dispatch(setDiagnostics(view.state, mistake === null ? [] : [{ from, to, severity: 'error', message: mistake.text }]));
}

/** Puts the caret at a place, and the focus into the editor. */
export function goTo(view: EditorView, at: number): void {
  view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true });
  view.focus();
}
