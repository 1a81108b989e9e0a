import { autocompletion, type CompletionSource } from '@codemirror/autocomplete';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import type { Extension } from '@codemirror/state';
import { typedCall, typedHover, typedSource } from './typed.ts';
import type { TypeClient } from './types/type-client.ts';

/** A variable of messages, as `read_message` names it. */
interface MessageVariable {
  readonly name: string;
  readonly about: string;
}

const IN_CALL = /\b(?:read_message|write_message)\(\s*(['"`])([^'"`]*)$/;
const IN_CONFIG = /\bread_config\(\s*(['"`])([^'"`]*)$/;

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
  readonly types: TypeClient;
  readonly variables: () => readonly MessageVariable[];
  readonly parameters: () => readonly MessageVariable[];
}

/** Completion, hover and the arguments of calls. Statements are offered by the language itself. */
export function scriptHelp({ types, variables, parameters }: ScriptNames): Extension {
  const sources = [nameSource(variables, parameters), typedSource(types)];
  return [
    autocompletion({ icons: false, activateOnTyping: true, maxRenderedOptions: 40 }),
    ...sources.map((autocomplete) => javascriptLanguage.data.of({ autocomplete })),
    typedHover(types),
    typedCall(types),
  ];
}
