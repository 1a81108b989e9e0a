import type { Action } from '../lib/actions.ts';
import { countBy, countOverTime, overTime, percentilesOf, timelineBy, type Subject } from '../lib/charts/question.ts';
import { narrowed } from '../lib/charts/record-graph.ts';
import type { FilterTerm } from '../lib/filter/filter.ts';
import { fieldsOf } from '../lib/sources/schema-facts.ts';
import type { App } from './app.svelte.ts';

const ANY = 'While one of several filters is enough, none can be added to all of them';
const UNNAMED = 'A matcher expression cannot say this name';

/** The questions that the menu of a value, column or field asks. @param name as the menu says it */
export function questionActions(
  app: App,
  name: string,
  subject: Omit<Subject, 'unit' | 'variable'> & { readonly variable: string | null },
): Action[] {
  const { variable, isNumber } = subject;
  const unit = variable === null ? '' : (fieldsOf(app.outputs.schema.value ?? []).get(name)?.representation ?? '');
  const action = (label: string, ask: (of: string) => void): Action => ({
    label,
    disabled: variable === null ? UNNAMED : undefined,
    run: () => variable !== null && ask(variable),
  });
  const counted = app.builder.inPane ? app.builder.question : null;
  const isOpen = counted?.display === 'list' && counted.measure === 'count' && counted.by.length === 1 && counted.by[0] === variable;
  return [
    ...(isOpen ? [] : [{ ...action(`Count by ${name}`, (of) => app.ask(countBy(of), 'pane')), separate: true }]),
    action(`Group by ${name}…`, (of) => app.ask(countBy(of), 'charts', 'then')),
    action(`Graph of ${name}…`, (of) => app.ask(overTime({ variable: of, isNumber, unit }), 'charts')),
    ...(isNumber ? [action('Percentiles over time', (of) => app.ask(percentilesOf({ variable: of, unit }), 'charts'))] : []),
    ...(variable !== null && app.isVainTimeline(variable)
      ? []
      : [action(`Timeline by ${name}`, (of) => app.ask(timelineBy(of), 'charts'))]),
  ];
}

/** Shows the number of the records that a filter finds among those that are shown. */
export function graphOfTerm(app: App, label: string, term: FilterTerm): Action {
  const run = (): void => {
    app.ask(countOverTime, 'charts');
    app.builder.term = term;
  };
  return { label, disabled: narrowed(term, app.logs.filter) === null ? ANY : undefined, run };
}
