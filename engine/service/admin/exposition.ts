/** One figure with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric. Its name is without `_total`, and ends with its unit if it has one. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'info';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A text form of metrics: OpenMetrics 1.0, or the older form of Prometheus, which more programs read. */
export type Form = 'openmetrics' | 'text';

export const CONTENT_TYPES: Readonly<Record<Form, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
};

/** Ending of the name of a sample. */
const SUFFIXES = { counter: '_total', gauge: '', info: '_info' } as const;
const UNIT = /_(bytes|seconds)$/;

/** The form that the sender of a request prefers. @param accept its header of that name */
export function formFor(accept = '*/*'): Form {
  return quality(accept, 'application', 'openmetrics-text') >= Math.max(quality(accept, 'text', 'plain'), Number.MIN_VALUE)
    ? 'openmetrics'
    : 'text';
}

/** Preference for a type of content, from 0 to 1. A range such as any type says nothing of OpenMetrics, which few programs read. */
function quality(accept: string, type: string, subtype: string): number {
  const qualities = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return name === `${type}/${subtype}` ? weight : 0;
  });
  return Math.max(...qualities);
}

/** Writes metrics as text. Families without samples have a head all the same. */
export function exposition(families: readonly Family[], form: Form): string {
  const lines = families.flatMap(({ name, type, help, samples }) => {
    const full = `${name}${SUFFIXES[type]}`;
    const isOpen = form === 'openmetrics';
    const called = isOpen ? name : full;
    const unit = UNIT.exec(name)?.[1];
    return [
      `# HELP ${called} ${isOpen ? escaped(help) : help}`,
      `# TYPE ${called} ${type === 'info' && !isOpen ? 'gauge' : type}`,
      ...(isOpen && unit !== undefined ? [`# UNIT ${name} ${unit}`] : []),
      ...samples.map(({ labels, value }) => `${full}${labelled(labels)} ${value}`),
    ];
  });
  return `${[...lines, ...(form === 'openmetrics' ? ['# EOF'] : [])].join('\n')}\n`;
}

function labelled(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value.toWellFormed())}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

const escaped = (text: string): string => text.replaceAll(/[\\"\n]/g, (character) => ESCAPES[character] as string);
