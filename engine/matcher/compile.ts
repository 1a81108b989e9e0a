import type { Node } from './ast.ts';
import { compileAnyText } from './any-text.ts';
import { compileField, type Select } from './fields.ts';
import { compileNumberHeader, compileTextHeader } from './headers.ts';
import { isAll, minus, NO_ROWS } from './rows.ts';

/** Compiles a parsed expression to a function over batches. */
export function compile(node: Node): Select {
  switch (node.kind) {
    case 'constant':
      return node.value ? (_batch, from) => from : () => NO_ROWS;
    case 'and':
      return compileAnd(node.terms);
    case 'or':
      return compileOr(node.terms);
    case 'textHeader':
      return compileTextHeader(node.variable, node.condition);
    case 'numberHeader':
      return compileNumberHeader(node.variable, node.condition);
    case 'field':
      return compileField(node.field, node.condition);
    case 'anyText':
      return compileAnyText(node.condition);
  }
}

/** Each term looks only at the rows that the terms before it left over. */
function compileAnd(terms: readonly Node[]): Select {
  const selects = cheapestFirst(terms).map(compile);
  return (batch, from) => {
    let rows = from;
    for (const select of selects) {
      rows = select(batch, rows);
      if (rows !== null && rows.length === 0) return rows;
    }
    return rows;
  };
}

/** Each term looks only at the rows that no term before it accepted. */
function compileOr(terms: readonly Node[]): Select {
  const selects = cheapestFirst(terms).map(compile);
  return (batch, from) => {
    let rest = from;
    for (const select of selects) {
      const hits = select(batch, rest);
      if (isAll(hits, rest, batch.length)) return from;
      rest = minus(rest, hits, batch.length);
    }
    return minus(from, rest, batch.length);
  };
}

/** Terms have no effects, so their order is free; the sort is stable. */
function cheapestFirst(terms: readonly Node[]): readonly Node[] {
  return terms.toSorted((a, b) => cost(a) - cost(b));
}

/** Texts that a message has, about. */
const TEXTS = 8;

/** Rough nanoseconds for one row. */
function cost(node: Node): number {
  switch (node.kind) {
    case 'constant':
      return 0;
    case 'and':
    case 'or':
      return node.terms.reduce((sum, term) => sum + cost(term), 0);
    case 'numberHeader':
      return 1;
    case 'textHeader':
      // Type, Logger and Hostname mostly are one text for the whole batch.
      return (node.variable === 'Payload' ? 5 : node.variable === 'Uuid' ? 100 : 0.5) + conditionCost(node.condition);
    case 'field':
      return 1 + conditionCost(node.condition);
    case 'anyText':
      return TEXTS * conditionCost(node.condition);
  }
}

function conditionCost(condition: Extract<Node, { condition: unknown }>['condition']): number {
  if (condition.kind === 'text') return 5;
  if (condition.kind === 'networks' || condition.kind === 'lookup') return 100;
  if (condition.kind !== 'pattern') return 1;
  return { literal: 10, native: 50, automaton: 200, re2js: 1000 }[condition.pattern.engine];
}
