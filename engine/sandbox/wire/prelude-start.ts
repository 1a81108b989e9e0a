import { FILLING } from '../prelude/filling.ts';
import type { HostCalls } from '../prelude/state/state.ts';

/** Code that makes a function too large for V8 to inline. The condition is never true. */
const NEVER_INLINED = `if($__n!==$__n){${'$__n=$__n+1;'.repeat(100)}}`;

/** Fills the step counter from its reserve, or asks the prelude to. */
const FILL = `if($__r>=${FILLING}){$__r-=${FILLING};$__n+=${FILLING}}else $__x();`;

/**
 * The script that starts the prelude: first the step counter, as global lexical bindings that only instrumented code and the prelude name, then the prelude's
 * modules. Its value is a function of the setup as JSON, the memory of the current row, that of the profile, and the callbacks, which returns the prelude's functions.
 */
export function preludeStart(code: string, callbacks: readonly (keyof HostCalls)[]): string {
  const names = callbacks.join();
  return (
    `'use strict';let $__n=0,$__r=0,$__x,$__p,$__k;const $__t=function(){${FILL}${NEVER_INLINED}};` +
    `const $__c=function(used){if(($__n-=used)<0){${FILL}}${NEVER_INLINED}return $__n};` +
    `(function(setup,progress,profile,${names}){$__p=profile&&new Float64Array(profile);` +
    `const started=${code}.start(setup,{${names}},new Int32Array(progress));$__x=started.exhausted;$__k=started.own;$__n=1e9;return started.prelude})`
  );
}
