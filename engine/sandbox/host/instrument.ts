import { Parser, type Node, type Token } from 'acorn';
import { walk } from 'estree-walker';
import MagicString from 'magic-string';
import { firstIndex } from '../../message/binary-search.ts';
import { leafFunctions } from './leaf-functions.ts';
import { ownVariables } from './own-variables.ts';
import { furtherRounds } from './unroll.ts';

/**
 * Puts a step counter into a script. `$__n` is decremented at each function entry and at each turn of a loop; `$__t` is called when it goes below zero. A
 * loop inside a function counts in a local variable and settles every 64 turns or so with `$__c`, when the loop's function returns, and at its end: that
 * costs little, and a script takes the same number of steps each time. Short loops do several turns in one (see unroll.ts). Helpers that are a straight line are not counted (see
 * leaf-functions.ts). Lines stay where they are.
 *
 * `$__c` is never inlined. V8 leaves the interrupt check out of optimised loops that contain calls, also when these go to built-in functions that
 * check nothing, so without it a loop over built-ins could not be stopped, neither by the clock nor by the memory limit.
 */

/** Names that begin so belong to the counter. */
const RESERVED = '$__';
const CHECK = 'if(--$__n<0)$__t();';
const OUTER_CHECK = '$__c(1);';
const LOCAL = 'let $__l=0;';
const SETTLE_LOCAL = '$__c($__l);$__l=0;';
const LOCAL_CHECK = `if(++$__l>63){${SETTLE_LOCAL}}`;
const SETTLE = '$__n-=$__l;';

/** The script is not one that can be run here. Positions count from 1. */
export class ScriptSyntaxError extends Error {
  override readonly name = 'SyntaxError';
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number, options?: ErrorOptions) {
    super(message, options);
    this.line = line;
    this.column = column;
  }
}

/** As the parser counts lines. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

export type ScriptForm = 'classic' | 'module';

export interface InstrumentedScript {
  readonly code: string;
  readonly form: ScriptForm;
  /** Maps a place in the instrumented code to its place in the original. Positions count from 1. */
  original(line: number, column: number): { line: number; column: number };
}

interface AnyNode extends Node {
  [key: string]: unknown;
}

const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/**
 * Instruments a script. Without a form, it is a module when it imports or exports anything.
 * @param cellOf makes the script count each of its steps also in a cell of `$__p`: the one of its line (from 1 on)
 * @param own makes variables of the script known to the sandbox, behind its last line; see own-variables.ts
 */
export function instrument(source: string, form?: ScriptForm, cellOf?: (line: number) => number, own = false): InstrumentedScript {
  const arrows: Token[] = [];
  const parsed = parse(source, form, arrows);
  const edits = new MagicString(source);
  try {
    new Instrumentation(source, edits, arrows, cellOf).run(parsed.program);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error;
  }
  let map: Mappings | null = null;
  return {
    code: edits.toString() + (own ? ownVariables(parsed.program, parsed.form === 'module') : ''),
    form: parsed.form,
    original(line, column) {
      map ??= edits.generateDecodedMap({ hires: true }).mappings as Mappings;
      return originalPlace(map, line, column);
    },
  };
}

type Mappings = number[][][];

function originalPlace(map: Mappings, line: number, column: number): { line: number; column: number } {
  let found: number[] | undefined;
  for (const segment of map[line - 1] ?? []) {
    if ((segment[0] as number) > column - 1) break;
    found = segment;
  }
  return found === undefined ? { line, column } : { line: (found[2] as number) + 1, column: (found[3] as number) + 1 };
}

function parse(source: string, form: ScriptForm | undefined, arrows: Token[]): { program: AnyNode; form: ScriptForm } {
  if (form !== undefined) return { program: parseAs(source, form, arrows), form };
  try {
    return { program: parseAs(source, 'classic', arrows), form: 'classic' };
  } catch (error) {
    if (!(error instanceof ScriptSyntaxError) || !/\b(?:import|export|await)\b/.test(source)) throw error;
    arrows.length = 0;
    return { program: parseAsModule(source, arrows, error), form: 'module' };
  }
}

/** Of the two mistakes of a script that is neither, the one that comes later is meant. */
function parseAsModule(source: string, arrows: Token[], classic: ScriptSyntaxError): AnyNode {
  try {
    return parseAs(source, 'module', arrows);
  } catch (error) {
    if (!(error instanceof ScriptSyntaxError) || isModuleWord(source, classic)) throw error;
    const isLater = error.line > classic.line || (error.line === classic.line && error.column > classic.column);
    throw isLater ? error : classic;
  }
}

/** An import or an export is no mistake in a module. */
function isModuleWord(source: string, { line, column }: ScriptSyntaxError): boolean {
  const text = source.split(LINE_END, line)[line - 1] ?? '';
  return /^(?:import|export)\b/.test(text.slice(column - 1));
}

function parseAs(source: string, form: ScriptForm, arrows: Token[]): AnyNode {
  try {
    const options = {
      ecmaVersion: 'latest',
      sourceType: form === 'module' ? 'module' : 'script',
      allowHashBang: true,
      onToken: (token: Token) => {
        if (token.type.label === '=>') arrows.push(token);
      },
    } as const;
    return Parser.parse(source, options) as unknown as AnyNode;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(error);
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column } = (error as SyntaxError & { loc: { line: number; column: number } }).loc;
    const message = error.message.replace(/ \(\d+:\d+\)$/, '').replace(/^Unexpected character '@'$/, 'decorators are not available');
    throw new ScriptSyntaxError(message, line, column + 1, { cause: error });
  }
}

function tooDeep(cause: RangeError): ScriptSyntaxError {
  return new ScriptSyntaxError('the script is nested too deeply', 1, 1, { cause });
}

/** Scope that a loop or a return belongs to. */
interface Scope {
  /** A function, whose loops count in a local variable; null at the top level and in initialisers. */
  readonly node: AnyNode | null;
  hasLoops: boolean;
}

class Instrumentation {
  readonly #source: string;
  readonly #edits: MagicString;
  readonly #arrows: readonly Token[];
  readonly #scopes: Scope[] = [{ node: null, hasLoops: false }];
  readonly #withLoops = new Set<AnyNode>();
  readonly #cellOf: ((line: number) => number) | undefined;
  #leaves: ReadonlySet<Node> = new Set();

  constructor(source: string, edits: MagicString, arrows: readonly Token[], cellOf?: (line: number) => number) {
    this.#cellOf = cellOf;
    this.#source = source;
    this.#edits = edits;
    this.#arrows = arrows;
  }

  run(program: AnyNode): void {
    this.#visit(program, (node) => this.#examine(node));
    this.#leaves = leafFunctions(program);
    this.#visit(program, (node) => this.#rewrite(node));
  }

  #visit(program: AnyNode, each: (node: AnyNode) => void): void {
    const opensScope = (node: AnyNode): boolean =>
      FUNCTIONS.has(node.type) || node.type === 'StaticBlock' || node.type === 'PropertyDefinition';
    walk(program as never, {
      enter: (node) => {
        const any = node as unknown as AnyNode;
        if (opensScope(any)) this.#scopes.push({ node: FUNCTIONS.has(any.type) ? any : null, hasLoops: false });
        each(any);
      },
      leave: (node) => {
        if (opensScope(node as unknown as AnyNode)) this.#scopes.pop();
      },
    });
  }

  get #scope(): Scope {
    return this.#scopes[this.#scopes.length - 1] as Scope;
  }

  /** Refuses what cannot run here, and finds the functions that have loops. */
  #examine(node: AnyNode): void {
    const refused = refusal(node);
    if (refused !== null) throw this.#error(refused, node);
    if (LOOPS.has(node.type) && this.#scope.node !== null) this.#withLoops.add(this.#scope.node);
  }

  /** Counts a step of this line. */
  #count(node: AnyNode): string {
    if (this.#cellOf === undefined) return '';
    return `++$__p[${this.#cellOf(this.#source.slice(0, node.start).split('\n').length)}];`;
  }

  #error(message: string, node: AnyNode): ScriptSyntaxError {
    const before = this.#source.slice(0, node.start).split('\n');
    return new ScriptSyntaxError(message, before.length, (before.at(-1) as string).length + 1);
  }

  #rewrite(node: AnyNode): void {
    if (LOOPS.has(node.type)) this.#rewriteLoop(node);
    else if (FUNCTIONS.has(node.type)) this.#rewriteFunction(node);
    else if (node.type === 'ReturnStatement' && this.#scope.node !== null && this.#withLoops.has(this.#scope.node)) {
      this.#wrap(node, SETTLE);
    }
  }

  #rewriteLoop(node: AnyNode): void {
    const body = node['body'] as AnyNode;
    const rounds = this.#scope.node === null || this.#cellOf !== undefined ? null : furtherRounds(node, this.#source, SETTLE_LOCAL);
    if (rounds !== null) {
      if (body.type === 'BlockStatement') this.#edits.appendLeft(body.end - 1, rounds);
      else this.#wrap(body, '', rounds);
      return;
    }
    const check = (this.#scope.node === null ? OUTER_CHECK : LOCAL_CHECK) + this.#count(node);
    if (body.type === 'BlockStatement') this.#edits.appendRight(body.start + 1, check);
    else this.#wrap(body, check);
  }

  /**
   * Makes a block of a statement. What opens belongs to what follows and what closes to what precedes it, or the edits of neighbours that
   * touch would come in the wrong order; outer nodes are edited before inner ones.
   */
  #wrap(statement: AnyNode, before: string, behind = ''): void {
    this.#edits.appendRight(statement.start, `{${before}`);
    this.#edits.prependLeft(statement.end, `${behind}}`);
  }

  #rewriteFunction(node: AnyNode): void {
    if (this.#leaves.has(node)) return;
    const body = node['body'] as AnyNode;
    const loops = this.#withLoops.has(node);
    const entry = (loops ? CHECK + LOCAL : CHECK) + this.#count(node);
    if (body.type !== 'BlockStatement') {
      this.#edits.appendRight(this.#afterArrow(body), `{${entry}return(`);
      this.#edits.prependLeft(node.end, ')}');
      return;
    }
    this.#edits.appendRight(afterDirectives(body), `;${entry}`);
    if (loops) this.#edits.appendLeft(body.end - 1, `;${SETTLE}`);
  }

  /** Behind the `=>` that stands before an expression; there may be parentheses and comments between them. */
  #afterArrow(body: AnyNode): number {
    const behind = firstIndex(this.#arrows.length, (i) => (this.#arrows[i] as Token).end > body.start);
    return (this.#arrows[behind - 1] as Token).end;
  }
}

function afterDirectives(body: AnyNode): number {
  let at = body.start + 1;
  for (const statement of body['body'] as AnyNode[]) {
    if (typeof statement['directive'] !== 'string') break;
    at = statement.end;
  }
  return at;
}

/** Why a node cannot run in a sandbox, or null. */
function refusal(node: AnyNode): string | null {
  switch (node.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return (node['name'] as string).startsWith(RESERVED) ? `names that begin with ${RESERVED} are reserved` : null;
    case 'WithStatement':
      return 'with statements are not available';
    case 'ImportExpression':
      return 'dynamic imports are not available';
    case 'MetaProperty':
      return (node['meta'] as AnyNode)['name'] === 'import' ? 'import.meta is not available' : null;
    case 'AwaitExpression':
      return 'await is not available: a sandbox has no asynchronous work';
    case 'ForOfStatement':
      return node['await'] === true ? 'for await is not available: a sandbox has no asynchronous work' : null;
    default:
      return FUNCTIONS.has(node.type) && node['async'] === true
        ? 'async functions are not available: a sandbox has no asynchronous work'
        : null;
  }
}
