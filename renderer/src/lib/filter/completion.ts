/** Completions at the caret in a matcher expression. Pure. */
import type { Variable } from '../../../../engine/api/filter/variable.ts';

export interface Option {
  readonly insert: string;
  readonly about: string;
}

export interface Completion {
  /** The part of the text that an option replaces. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly Option[];
}

const VARIABLE = String.raw`Fields\[[^\]]+\](?:\[\d+\]){0,2}|[A-Za-z_][\w.-]*`;
/** Behind `@`: a lookup, or a column of one. */
const IN_LOOKUP = new RegExp(String.raw`(?:(?:${VARIABLE})|(\bin\s+))@([\w-]*)$`, 'i');
const IN_COLUMN = new RegExp(String.raw`(?:${VARIABLE})@([\w-]+)\.(?:[\p{L}\p{N}_-]+\.)*([\p{L}\p{N}_-]*)$`, 'u');
const IN_CONSTANT = new RegExp(String.raw`(${VARIABLE})\s*(?:==|!=|>=|<=|>|<|=(?![=~]|$))\s*((?:'[^']*|"[^"]*|[\w.]*))$`);
const IN_SHORT = new RegExp(String.raw`(?:^|[\s(&|])[-!]?(${VARIABLE}):((?:'[^']*|"[^"]*|[^\s()&|'"]*))$`);
const IN_OPERATOR = new RegExp(String.raw`(?:^|[\s(&|])(${VARIABLE})\s+([=!<>~]*)$`);
const IN_CONNECTIVE = /(?:['"/)]|TRUE|FALSE|NIL|\d)\s+([&|]*)$/;
const IN_VARIABLE = /(?:^|[\s(&|])[-!]?((?:Fields\[[^\]]*|[A-Za-z_][\w.-]*|))$/;

const OPERATORS: readonly Option[] = [
  { insert: '== ', about: 'is' },
  { insert: '!= ', about: 'is not' },
  { insert: '=~ /', about: 'matches' },
  { insert: '!~ /', about: 'does not match' },
  { insert: '> ', about: 'greater' },
  { insert: '>= ', about: 'at least' },
  { insert: '< ', about: 'less' },
  { insert: '<= ', about: 'at most' },
];

const CONNECTIVES: readonly Option[] = [
  { insert: '&& ', about: 'and' },
  { insert: '|| ', about: 'or' },
];

const MOST = 50;

/** Names of lookups, and of the columns of those that were asked for. */
export interface KnownLookups {
  readonly names: readonly string[];
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

const NO_LOOKUPS: KnownLookups = { names: [], columns: {} };

/** @returns null when nothing can be offered */
export function complete(text: string, caret: number, variables: readonly Variable[], lookups = NO_LOOKUPS): Completion | null {
  const before = text.slice(0, caret);
  const lookup = IN_LOOKUP.exec(before);
  if (lookup !== null) {
    const [, isWhole, typed = ''] = lookup;
    const options = lookups.names.map((name) => ({ insert: isWhole === undefined ? `${name}.` : `${name} `, about: 'lookup' }));
    return startingWith(options, typed, caret);
  }
  const column = IN_COLUMN.exec(before);
  if (column !== null) {
    const [, name = '', typed = ''] = column;
    return startingWith(
      Object.hasOwn(lookups.columns, name) ? (lookups.columns[name] ?? []).map((insert) => ({ insert, about: '' })) : [],
      typed,
      caret,
    );
  }
  const constant = IN_CONSTANT.exec(before);
  if (constant !== null) return constants(constant, caret, variables);
  const short = IN_SHORT.exec(before);
  if (short !== null) return constants(short, caret, variables, bareConstant);
  const operator = IN_OPERATOR.exec(before);
  const connective = IN_CONNECTIVE.exec(before);
  // A name that ends with a digit is no constant.
  const isName = operator !== null && variables.some(({ name }) => name === operator[1]);
  if (connective !== null && !isName) return startingWith(CONNECTIVES, connective[1] ?? '', caret);
  if (operator !== null) return startingWith(OPERATORS, operator[2] ?? '', caret);
  const variable = IN_VARIABLE.exec(before);
  if (variable !== null) return names(variable[1] ?? '', caret, variables);
  return null;
}

/** @param written writes a constant where it is offered */
function constants(
  found: RegExpExecArray,
  caret: number,
  variables: readonly Variable[],
  written = (constant: string): string => constant,
): Completion | null {
  const typed = found[2] ?? '';
  const variable = variables.find((one) => one.name === found[1]);
  if (variable === undefined) return null;
  const options = variable.constants.map((constant) => ({ insert: `${written(constant)} `, about: '' }));
  return startingWith(options, typed, caret);
}

/** A constant without its quotes, where it needs none behind a colon. */
const bareConstant = (constant: string): string => /^(['"])([^\s()&|'"*\\]+)\1$/.exec(constant)?.[2] ?? constant;

function startingWith(options: readonly Option[], typed: string, caret: number): Completion | null {
  const fitting = options.filter(({ insert }) => insert.startsWith(typed) && insert.trim() !== typed);
  return result(fitting, typed, caret);
}

/** A name fits when it holds what was typed, in any case: `stat` finds `Fields[status]`. Those that begin with it come first. */
function names(typed: string, caret: number, variables: readonly Variable[]): Completion | null {
  const wanted = typed.toLowerCase().replace(/^fields\[/, '');
  const fieldsOnly = typed.toLowerCase().startsWith('fields[');
  const fitting = variables
    .map((variable) => ({ variable, place: bareName(variable.name).indexOf(wanted) }))
    .filter(({ variable, place }) => place !== -1 && (!fieldsOnly || variable.name.startsWith('Fields[')))
    .sort((a, b) => Number(a.place > 0) - Number(b.place > 0));
  return result(
    fitting.map(({ variable: { name, about } }) => ({ insert: `${name} `, about })),
    typed,
    caret,
  );
}

function bareName(name: string): string {
  return name.toLowerCase().replace(/^fields\[(.*)\]$/, '$1');
}

function result(options: readonly Option[], typed: string, caret: number): Completion | null {
  return options.length === 0 ? null : { from: caret - typed.length, to: caret, options: options.slice(0, MOST) };
}

/** The text with an option put in, and where the caret is then. */
export function applyOption(text: string, completion: Completion, option: Option): { readonly text: string; readonly caret: number } {
  const head = text.slice(0, completion.from) + option.insert;
  return { text: head + text.slice(completion.to).replace(/^ /, ''), caret: head.length };
}
