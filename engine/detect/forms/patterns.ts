import { compilePattern } from '../../matcher/regex/pattern.ts';
import { isBundled } from '../../plugins/catalog.ts';
import type { PluginScript } from '../../plugins/types.ts';

/** Whether a pattern occurs in a text. */
export type Test = (text: string) => boolean;

/** The patterns of one decoder, each compiled when it is first asked for. */
export class Patterns {
  readonly #compile: (source: string) => Test;
  readonly #compiled = new Map<string, Test>();

  constructor({ path }: PluginScript) {
    this.#compile = isBundled(path) ? nativeTest : linearTest;
  }

  test(source: string): Test {
    let test = this.#compiled.get(source);
    if (test === undefined) this.#compiled.set(source, (test = this.#compile(source)));
    return test;
  }
}

/** Of the bundled scripts: faster to make and to run, and tests give them hostile texts. */
function nativeTest(source: string): Test {
  const pattern = new RegExp(source);
  return (text) => pattern.test(text);
}

/** Of users' scripts: takes linear time, whatever they and the texts are. */
function linearTest(source: string): Test {
  const pattern = compilePattern(source);
  return (text) => pattern.test(text, 0, text.length);
}
