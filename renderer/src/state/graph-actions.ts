import type { Action } from '../lib/actions.ts';
import type { FilterTerm } from '../lib/filter/filter.ts';
import { countOfShown, graphChoices, narrowed, type GraphSubject } from '../lib/charts/record-graph.ts';
import { fieldsOf } from '../lib/sources/schema-facts.ts';
import type { App } from './app.svelte.ts';

const ANY = 'While one of several filters is enough, none can be added to all of them';

/** Offers graphs of a variable; of one that no expression can name there are none. */
export function graphAction(app: App, subject: Omit<GraphSubject, 'unit'>): Action[] {
  if (subject.variable === null) return [];
  const unit = fieldsOf(app.outputs.schema.value ?? []).get(subject.name)?.representation ?? '';
  return [{ label: `Graph of ${subject.name}…`, run: () => offer(app, graphChoices({ ...subject, unit }, app.logs.filter)) }];
}

/** Offers a graph of the records that a filter finds among those that are shown. */
export function graphOfTerm(app: App, label: string, term: FilterTerm): Action {
  const choices = narrowed(term, app.logs.filter);
  return { label, disabled: choices.length === 0 ? ANY : undefined, run: () => offer(app, choices) };
}

/** Offers a graph of the records that are shown. */
export function graphShown(app: App): void {
  offer(app, [countOfShown(app.logs.filter)]);
}

function offer(app: App, choices: ReturnType<typeof graphChoices>): void {
  app.recordGraphs.choices = choices;
}
