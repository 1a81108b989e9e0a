import { compilePattern } from '../../matcher/regex/pattern.ts';
import { isBundled } from '../../base/product/bundled.ts';
import type { PluginScript } from '../../plugins/types.ts';

/** Tells whether a pattern occurs in a text. */
export type Test = (text: string) => boolean;

/** Patterns of one decoder, each compiled at its first use. */
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

/** Compiles a pattern of a bundled script with RegExp, which is faster; tests run these patterns on hostile texts. */
function nativeTest(source: string): Test {
  const pattern = new RegExp(source);
  return (text) => pattern.test(text);
}

/** Compiles a pattern of a user's script so that it takes linear time for any pattern and text. */
function linearTest(source: string): Test {
  const pattern = compilePattern(source);
  return (text) => pattern.test(text, 0, text.length);
}
