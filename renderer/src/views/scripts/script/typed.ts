import {
  completeFromList,
  ifNotIn,
  snippetCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { Prec, StateEffect, StateField, type Extension } from '@codemirror/state';
import { hoverTooltip, showTooltip, ViewPlugin, type Tooltip, type ViewUpdate } from '@codemirror/view';
import { CallLook } from './call-look.ts';
import { ENTRY_POINTS } from './entry-points.ts';
import type { CallHelp, TypeCompletion } from './types/service.ts';
import type { TypeClient } from './types/type-client.ts';

/** Kinds of text in which words are no names: Enter behind one is to end a line of a comment, and to take nothing that is offered. */
const TEXTS = ['LineComment', 'BlockComment', 'String', 'TemplateString', 'RegExp'];

/** Completion by TypeScript: names of the script, of its interface and of the language, and members behind a dot. */
export function typedSource(types: TypeClient): CompletionSource {
  const entryPoints = ifNotIn(
    TEXTS,
    completeFromList(
      ENTRY_POINTS.map(({ name, insert, doc }) =>
        snippetCompletion(insert, { label: name, type: 'keyword', info: doc, detail: ' entry point', boost: 3 }),
      ),
    ),
  );
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w$]*$/);
    const from = word?.from ?? context.pos;
    const before = context.state.sliceDoc(Math.max(0, from - 1), from);
    const isMember = before === '.' || /['"`]/.test(before);
    if (!isMember && from === context.pos && !context.explicit) return null;
    const text = context.state.doc.toString();
    const found = await types.ask('completions', text, { at: context.pos });
    if (found === null || context.aborted) return null;
    const more = isMember ? null : await entryPoints(context);
    const known = new Set(found.map(({ name }) => name));
    const options = [
      ...found.map((one) => optionOf(one, types, text, context.pos)),
      ...(more?.options.filter(({ label }) => !known.has(label)) ?? []),
    ];
    return options.length === 0 ? null : { from, options, validFor: /^[\w$]*$/ };
  };
}

function optionOf({ name, type, own }: TypeCompletion, types: TypeClient, text: string, at: number): Completion {
  const info = async (): Promise<{ dom: Node } | null> => {
    const about = await types.ask('details', text, { at, name });
    return about === null ? null : { dom: card(about.signature, about.doc) };
  };
  return { label: name, type, info, boost: own ? 2 : type === 'keyword' ? -1 : 0 };
}

/** The declaration and the comment of the name under the pointer. */
export const typedHover = (types: TypeClient): Extension =>
  hoverTooltip(
    async (view, pos): Promise<Tooltip | null> => {
      const about = await types.ask('about', view.state.doc.toString(), { at: pos });
      if (about === null || about.signature === '') return null;
      const create = (): { dom: HTMLElement } => ({ dom: card(about.signature, about.doc) });
      return { pos: about.from, end: about.to, above: true, create };
    },
    { hoverTime: 250 },
  );

const setCall = StateEffect.define<CallHelp | null>();

/** The arguments of the call in which the caret stands, with the one that is written. */
export function typedCall(types: TypeClient): Extension {
  const field = StateField.define<CallHelp | null>({
    create: () => null,
    update(call, { effects, docChanged, changes }) {
      for (const effect of effects) if (effect.is(setCall)) return effect.value;
      return call !== null && docChanged ? { ...call, from: changes.mapPos(call.from) } : call;
    },
    provide: (self) => showTooltip.from(self, (call) => (call === null ? null : callTooltip(call))),
  });
  const follower = ViewPlugin.define(
    (view) => {
      const show = (call: CallHelp | null): void => {
        if (call !== view.state.field(field)) view.dispatch({ effects: setCall.of(call) });
      };
      const look = new CallLook(types, show);
      return {
        update({ docChanged, selectionSet }: ViewUpdate) {
          if (docChanged || selectionSet) look.changed(() => view.state);
        },
        hide() {
          look.forget();
          show(null);
        },
        destroy: () => look.forget(),
      };
    },
    {
      eventHandlers: {
        blur() {
          this.hide();
        },
        keydown({ key }) {
          if (key === 'Escape') this.hide();
        },
      },
    },
  );
  // Before the completion, which keeps Escape to itself while it looks for something.
  return [field, Prec.high(follower)];
}

function callTooltip({ from, before, argument, after, doc }: CallHelp): Tooltip {
  const create = (): { dom: HTMLElement } => {
    const dom = card('', doc);
    const code = dom.querySelector('code') as HTMLElement;
    code.append(before);
    code.appendChild(document.createElement('strong')).textContent = argument;
    code.append(after);
    return { dom };
  };
  return { pos: from, above: true, create };
}

function card(signature: string, doc: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'script-hover';
  dom.appendChild(document.createElement('code')).textContent = signature;
  if (doc !== '') dom.appendChild(document.createElement('p')).textContent = doc;
  return dom;
}
