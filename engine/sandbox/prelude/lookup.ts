import type { LookupAnswer } from '../contract/protocol.ts';
import { charge } from './counter.ts';
import { kindOf } from './arguments.ts';
import { parseJson, toText } from './intrinsics.ts';
import { state } from './state/state.ts';

type Answer = string | number | boolean | null;

/** Longer texts are in no lookup: none of them goes to the engine, however many a log has. */
const LONGEST = 1024;
/** Answers that are kept in each of two halves: the older half is let go of when the younger one is full. */
const MOST_KEPT = 4096;
/** Longer questions and answers are not kept, as they count as memory of the script. */
const LONGEST_KEPT = 128;
/** Steps for a question to the engine. */
const STEPS = 500;

let young = new Map<string, Answer>();
let old = new Map<string, Answer>();
let version = -1;

/** Lets go of answers that another version of the lookups has given; undefined: of all. */
export function lookupsAre(now: number | undefined): void {
  if (now !== undefined && now === version) return;
  version = now ?? -1;
  if (young.size === 0) return;
  young = new Map();
  old = new Map();
}

/** `lookup` of the scripts' interface. */
export function lookup(value: unknown, name: string, column: string): Answer {
  if (arguments.length !== 3) throw new TypeError(`lookup: three arguments, not ${arguments.length}`);
  if (typeof column !== 'string') throw new TypeError(`lookup: the column must be a string, not ${kindOf(column)}`);
  return answerTo('lookup', value, name, column);
}

/** `in_lookup` of the scripts' interface. */
export function in_lookup(value: unknown, name: string): boolean {
  if (arguments.length !== 2) throw new TypeError(`in_lookup: two arguments, not ${arguments.length}`);
  return answerTo('in_lookup', value, name, null) === true;
}

function answerTo(caller: string, value: unknown, name: string, column: string | null): Answer {
  if (typeof name !== 'string') throw new TypeError(`${caller}: the name of the lookup must be a string, not ${kindOf(name)}`);
  const key = keyOf(caller, value);
  if (key.length > LONGEST) return null;
  const question = `${name}\0${column ?? ''}\0${key}`;
  const known = young.get(question);
  if (known !== undefined) return known;
  const before = old.get(question);
  const answer = before === undefined ? ask(caller, name, column, key) : before;
  if (question.length <= LONGEST_KEPT && !(typeof answer === 'string' && answer.length > LONGEST_KEPT)) keep(question, answer);
  return answer;
}

/** Numbers and truth values are looked up as they are written; nothing is in no lookup, as an empty text is. */
function keyOf(caller: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return toText(value);
  if (value === null || value === undefined) return '';
  throw new TypeError(`${caller}: the value must be a text, a number or a truth value, not ${kindOf(value)}`);
}

function ask(caller: string, name: string, column: string | null, value: string): Answer {
  charge(STEPS);
  const answer = parseJson(state.host.lookup(name, column, value)) as LookupAnswer;
  if ('error' in answer) throw new Error(`${caller}: ${answer.error}`);
  return answer.value;
}

function keep(question: string, answer: Answer): void {
  if (young.size >= MOST_KEPT) {
    old = young;
    young = new Map();
  }
  young.set(question, answer);
}
