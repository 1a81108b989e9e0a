import { getLineInfo, Parser, type Node, type Program, type Token } from 'acorn';
import { walk } from 'estree-walker';
import MagicString from 'magic-string';
import { firstIndex } from '../../message/binary-search.ts';
import type { InstrumentedText, ScriptShape } from '../contract/protocol.ts';
import { leafFunctions } from './leaf-functions.ts';
import { scriptVariables } from './script-variables.ts';
import { plainLoops, type PlainLoops } from './plain-loops.ts';
import { furtherRounds } from './unroll.ts';

/**
 * Puts a step counter into a script. `$__n` is decremented at each function entry and at each turn of a loop; `$__t` is called when it goes below zero, and
 * fills it again, with few steps at a time, or ends the script. A loop that runs no other counted code (see plain-loops.ts) counts down in a local
 * variable, `$__l`, from what `$__n` was, and settles with `$__c` when that is used up, and at its end: that costs little. `$__m` is what `$__l` was when it
 * was settled. Short loops do several turns in one (see unroll.ts). So the number of steps is exact, whatever the limit is. Helpers that are a straight
 * line are not counted (see leaf-functions.ts). Lines stay where they are.
 *
 * `$__c` and `$__t` are never inlined. V8 leaves the interrupt check out of optimised loops that contain calls, also when these go to built-in functions
 * that check nothing, so without them a loop over built-ins could not be stopped, neither by the clock nor by the memory limit.
 */

/** Names that begin so belong to the counter. */
const RESERVED = '$__';
const CHECK = 'if(--$__n<0)$__t();';
const PLAIN_CHECK = 'if(--$__l<0)$__l=$__m=$__c($__m-$__l);';
const BEFORE_PLAIN = 'let $__l=$__n,$__m=$__l;try{';
const BEHIND_PLAIN = '}finally{$__n-=$__m-$__l;}';

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

export type ScriptForm = ScriptShape['form'];

export interface InstrumentedScript {
  readonly code: string;
  readonly form: ScriptForm;
  /** Maps a place in the instrumented code to its place in the original. Positions count from 1. */
  original(line: number, column: number): { line: number; column: number };
  /** The line at which the innermost loop around a place of the original begins, in the same function; null when it is in none. */
  loopAround(line: number, column: number): number | null;
}

export interface MadeScript extends InstrumentedScript {
  /** As it is kept for later starts. */
  readonly text: InstrumentedText;
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
export function instrument(source: string, form?: ScriptForm, cellOf?: (line: number) => number, own = false): MadeScript {
  const arrows: Token[] = [];
  const parsed = parse(source, form, arrows);
  const edits = new MagicString(source);
  const instrumentation = new Instrumentation(source, edits, arrows, cellOf);
  try {
    instrumentation.run(parsed.program);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error;
  }
  let map: Mappings | null = null;
  const { form: found } = parsed;
  const text = { code: edits.toString(), form: found, own: scriptVariables(parsed.program, found === 'module') };
  return {
    text,
    code: own ? text.code + text.own : text.code,
    form: found,
    original(line, column) {
      map ??= edits.generateDecodedMap({ hires: true }).mappings as Mappings;
      return originalPlace(map, line, column);
    },
    loopAround: (line, column) => loopAround(instrumentation.regions, source, line, column),
  };
}

/** Parses a script that runs without a step counter. */
export function shapeOf(source: string, form?: ScriptForm): ScriptShape {
  const parsed = parse(source, form, []);
  return { form: parsed.form, own: scriptVariables(parsed.program, parsed.form === 'module') };
}

/**
 * The place of the first import of a module, or of what is passed on from it, in a text that parses; null: there is none. Positions count from 1.
 * @param name the export that it must ask for, whose own place is returned
 */
export function importPlace(source: string, specifier: string, name?: string): { line: number; column: number } | null {
  const { body } = Parser.parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  for (const statement of body) {
    if (!('source' in statement) || statement.source?.value !== specifier) continue;
    const start = name === undefined ? statement.start : namedStart(statement, name);
    if (start === null) continue;
    const { line, column } = getLineInfo(source, start);
    return { line, column: column + 1 };
  }
  return null;
}

/** The position at which a statement asks for an export; null: it does not. */
function namedStart(statement: Program['body'][number], name: string): number | null {
  for (const each of 'specifiers' in statement ? statement.specifiers : []) {
    const asked = each.type === 'ImportSpecifier' ? each.imported : each.type === 'ExportSpecifier' ? each.local : null;
    const isDefault = each.type === 'ImportDefaultSpecifier' && name === 'default';
    if (isDefault || (asked !== null && (asked.type === 'Identifier' ? asked.name : asked.value) === name)) return each.start;
  }
  return null;
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

/** Part of a script in which a loop or a function is. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly isLoop: boolean;
}

function loopAround(regions: readonly Region[], source: string, line: number, column: number): number | null {
  const at = source.split(LINE_END, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
  const innermost = regions.findLast(({ start, end }) => start <= at && at < end);
  return innermost?.isLoop === true ? lineOf(source, innermost.start) : null;
}

function lineOf(source: string, position: number): number {
  return source.slice(0, position).split(LINE_END).length;
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

class Instrumentation {
  /** Loops and functions, the outer ones first. */
  readonly regions: Region[] = [];
  readonly #source: string;
  readonly #edits: MagicString;
  readonly #arrows: readonly Token[];
  readonly #cellOf: ((line: number) => number) | undefined;
  #leaves: ReadonlySet<Node> = new Set();
  #plain: PlainLoops = { loops: new Set(), statements: new Set() };

  constructor(source: string, edits: MagicString, arrows: readonly Token[], cellOf?: (line: number) => number) {
    this.#cellOf = cellOf;
    this.#source = source;
    this.#edits = edits;
    this.#arrows = arrows;
  }

  run(program: AnyNode): void {
    this.#visit(program, (node) => this.#examine(node));
    this.#leaves = leafFunctions(program);
    this.#plain = plainLoops(program, this.#leaves);
    this.#visit(program, (node) => this.#rewrite(node));
  }

  #visit(program: AnyNode, each: (node: AnyNode) => void): void {
    walk(program as never, { enter: (node) => each(node as unknown as AnyNode) });
  }

  /** Refuses what cannot run here, and notes where loops and functions are. */
  #examine(node: AnyNode): void {
    const refused = refusal(node);
    if (refused !== null) throw this.#error(refused, node);
    const isLoop = LOOPS.has(node.type);
    if (isLoop || FUNCTIONS.has(node.type)) this.regions.push({ start: node.start, end: node.end, isLoop });
  }

  /** Counts a step of this line. */
  #count(node: AnyNode): string {
    return this.#cellOf === undefined ? '' : `++$__p[${this.#cellOf(lineOf(this.#source, node.start))}];`;
  }

  #error(message: string, node: AnyNode): ScriptSyntaxError {
    const before = this.#source.slice(0, node.start).split('\n');
    return new ScriptSyntaxError(message, before.length, (before.at(-1) as string).length + 1);
  }

  #rewrite(node: AnyNode): void {
    if (this.#plain.statements.has(node)) this.#wrap(node, BEFORE_PLAIN, BEHIND_PLAIN);
    if (LOOPS.has(node.type)) this.#rewriteLoop(node, this.#plain.loops.has(node));
    else if (FUNCTIONS.has(node.type)) this.#rewriteFunction(node);
  }

  #rewriteLoop(node: AnyNode, isPlain: boolean): void {
    const body = node['body'] as AnyNode;
    const check = (isPlain ? PLAIN_CHECK : CHECK) + this.#count(node);
    const rounds = isPlain && this.#cellOf === undefined ? (furtherRounds(node, this.#source) ?? '') : '';
    if (body.type !== 'BlockStatement') return this.#wrap(body, check, rounds);
    this.#edits.appendRight(body.start + 1, check);
    if (rounds !== '') this.#edits.appendLeft(body.end - 1, rounds);
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
    const entry = CHECK + this.#count(node);
    if (body.type !== 'BlockStatement') {
      this.#edits.appendRight(this.#afterArrow(body), `{${entry}return(`);
      this.#edits.prependLeft(node.end, ')}');
      return;
    }
    this.#edits.appendRight(afterDirectives(body), `;${entry}`);
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

/** The reason for which a node cannot run in a sandbox, or null. */
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
