import type { Command } from '../../../engine/api/commands.ts';
import type { ViewName } from '../../../engine/api/views.ts';

/** The help of a view: the questions that it answers, and the group of its keys. */
interface ViewHelp {
  readonly text: string;
  readonly group: Command['group'];
}

export const VIEW_HELP: Readonly<Partial<Record<ViewName, ViewHelp>>> = {
  logs: {
    text: 'What happened, and when? The table has the records of all sources in order of time, and the histogram above it how many there were. Filter by a text or a field, or right-click any value; a click on a record shows all of it and holds the table.',
    group: 'Logs',
  },
  overview: {
    text: 'What is in these records? Each field with its commonest values, its course and its distribution, and below them the patterns of the texts, all counted exactly. It is about the records that the filter of Logs shows; a click on a value shows its records.',
    group: 'Overview',
  },
  charts: {
    text: 'How does it change over time? Charts are drawn by filter scripts, or were kept from the records. All of them share one time: drag to zoom, and click a point to see its records.',
    group: 'Charts',
  },
  query: {
    text: 'Which numbers answer a question? Each log is a table with its fields as columns, and SQL is asked of it. The answer is a table or a chart, and a row leads to its records.',
    group: 'Query',
  },
  alerts: {
    text: 'What needs to be looked at? Filter scripts and Sigma rules tell here what they were made to watch. A new alert tells when the number of some records crosses a number; what is known can be acknowledged or silenced.',
    group: 'Alerts',
  },
  incident: {
    text: 'How is what happened told to others? The marks with their notes, kept graphs and saved queries stand here in one place, with a title and a summary. All of it is exported as one page, as text or as a workspace with the records around the marks, on wish with pseudonyms for people and machines.',
    group: 'Incident',
  },
  scripts: {
    text: 'What works on the records, and how well? Decoders make fields of lines, filter scripts count, chart and alert. Here they are started, stopped, changed and written, with what each costs; problems of the program itself stand above them.',
    group: 'Scripts',
  },
};
