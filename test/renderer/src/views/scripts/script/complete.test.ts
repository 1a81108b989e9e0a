import { CompletionContext, type CompletionSource } from '@codemirror/autocomplete';
import { javascript } from '@codemirror/lang-javascript';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { scriptHelp } from '../../../../../../renderer/src/views/scripts/script/complete.ts';
import type { TypeClient } from '../../../../../../renderer/src/views/scripts/script/types/type-client.ts';

/** As TypeScript's service answers where nothing can be written but text. */
const types = { ask: (name: string) => Promise.resolve(name === 'completions' ? [] : null) } as unknown as TypeClient;

/** The completions at the mark `|` of a text. */
async function offered(marked: string): Promise<string[]> {
  const at = marked.indexOf('|');
  const variables = (): { name: string; about: string }[] => [{ name: 'Payload', about: 'text' }];
  const state = EditorState.create({
    doc: marked.replace('|', ''),
    extensions: [javascript({ typescript: true }), scriptHelp({ types, variables, parameters: () => [] })],
  });
  const context = new CompletionContext(state, at, false);
  const sources = state.languageDataAt<CompletionSource>('autocomplete', at);
  const results = await Promise.all(sources.map(async (source) => await source(context)));
  return results.flatMap((result) => result?.options.map(({ label }) => label) ?? []);
}

it.each([
  ['// counts each message|', 'a comment'],
  ['/* what is left, if|\n*/', 'a comment of several lines'],
  ["const title = 'Bytes for|';", 'a text'],
  ['const title = `each time|`;', 'a text in backquotes'],
  ['const LINE = /^ class|/;', 'a regular expression'],
])('offers nothing of the language in %s', async (text) => expect(await offered(text)).toEqual([]));

it('offers entry points and statements where they can stand, and names of variables in their calls', async () => {
  expect(await offered('pro|')).toContain('process_message');
  expect(await offered('fo|')).toContain('for');
  expect(await offered("read_message('P|')")).toEqual(['Payload']);
});
