import { spreadsheetCell } from '../../../../engine/api/csv.ts';
import type { Graph, MeasureAnswer, Question } from '../../../../engine/api/types.ts';
import type { Action } from '../../lib/actions.ts';
import { measuresOf, titleOf } from '../../lib/charts/question.ts';
import { spokenName } from '../../lib/filter/variable.ts';
import type { App } from '../../state/app.svelte.ts';
import { fileName, savedText } from '../../components/charts/export.ts';
import { toCsv } from '../../components/charts/graph-data.ts';

type Cell = string | number;

/** The answer as a table: the values of each group, its numbers and its records. */
export function answerRows(
  question: Question,
  { groups, all }: MeasureAnswer,
): { readonly head: readonly string[]; readonly rows: readonly (readonly Cell[])[] } {
  const isCount = question.measure === 'count';
  const shown = question.by.length === 0 ? [{ values: [] as readonly string[], ...all }] : groups;
  return {
    head: [...question.by.map(spokenName), ...(isCount ? [] : measuresOf(question)), 'records'],
    rows: shown.map(({ values, numbers, records }) => [...values, ...(isCount ? [] : numbers), records]),
  };
}

const csvCell = (cell: Cell): string => (typeof cell === 'number' ? (Number.isNaN(cell) ? '' : String(cell)) : spreadsheetCell(cell));
const plainCell = (cell: Cell): string => String(cell).replaceAll(/[\t\n\r]+/g, ' ');

/** The ways out of an answer. */
export function answerActions(app: App, question: Question, answer: MeasureAnswer | null, graph: Graph | null): Action[] {
  const name = fileName(titleOf(question), 'csv');
  const isPartial = answer?.complete === false || app.builder.drawing?.busy === true;
  const save = async (csv: string): Promise<void> => {
    const saved = await app.attempt(app.client.request('shell.saveTable', { name, csv }));
    if (saved !== null) app.toasts.show('info', savedText(saved.path, isPartial));
  };
  if (answer === null) {
    if (graph === null) return [{ label: 'Save as CSV…', disabled: 'Nothing is counted yet', run: () => undefined }];
    return [
      { label: 'Save as CSV…', run: () => void save(toCsv(graph)) },
      { label: 'Copy as CSV', run: () => void app.copy(toCsv(graph), 'Graph') },
    ];
  }
  const { head, rows } = answerRows(question, answer);
  const objects = rows.map((row) => Object.fromEntries(head.map((key, i) => [key, Number.isNaN(row[i]) ? null : row[i]])));
  return [
    {
      label: 'Save as CSV…',
      run: () =>
        void save(`${[head.map(spreadsheetCell), ...rows.map((row) => row.map(csvCell))].map((row) => row.join(',')).join('\r\n')}\r\n`),
    },
    {
      label: 'Copy as a table',
      run: () => void app.copy([head, ...rows.map((row) => row.map(plainCell))].map((row) => row.join('\t')).join('\n'), 'Table'),
    },
    { label: 'Copy as JSON', run: () => void app.copy(JSON.stringify(objects, null, 1), 'JSON') },
  ];
}
