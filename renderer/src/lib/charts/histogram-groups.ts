import type { HistogramGroup, SchemaField } from '../../../../engine/api/types.ts';
import { is, lacks, type Written } from '../../../../engine/api/filter/expression.ts';
import { SEVERITIES, UNSET } from '../severity.ts';
import { spokenName, variableType } from '../filter/variable.ts';

/** Colours of the classes of HTTP statuses: those of comparable severities. */
const CLASS_FILLS: Readonly<Record<string, number>> = { '1xx': 7, '2xx': 5, '3xx': 6, '4xx': 4, '5xx': 3 };
const SERIES = 8;

/** Tokens of all colours that layers can have. */
export const LAYER_COLORS: readonly string[] = [
  ...SEVERITIES.map((_severity, index) => `fill-${index}`),
  ...Array.from({ length: SERIES }, (_unused, index) => `series-${index}`),
];

/** The token of a layer's colour. @param index of the layer among its histogram's */
export function layerColor({ kind, name }: HistogramGroup, index: number): string {
  if (kind === 'severity') return `fill-${name}`;
  if (kind === 'class') return `fill-${CLASS_FILLS[name] ?? UNSET}`;
  return kind === 'value' ? `series-${index % (SERIES - 1)}` : `fill-${UNSET}`;
}

/** The label of a layer in the legend. @param by the variable; null: severities */
export function layerLabel({ kind, name }: HistogramGroup, by: string | null): string {
  if (kind === 'severity' || (kind === 'value' && by === 'Severity')) return SEVERITIES[Number(name)]?.short || name;
  if (kind === 'other') return 'Other';
  if (kind === 'none') return by === null ? 'No severity' : `No ${spokenName(by)}`;
  return name === '' ? '(empty)' : name;
}

/** The expression that selects the records of a layer; null: there is none. */
export function layerExpression({ kind, name }: HistogramGroup, by: string | null, fields: ReadonlyMap<string, SchemaField>): Written {
  if (by === null) return kind === 'severity' ? `Severity == ${name}` : null;
  if (kind === 'none') return lacks(by);
  if (kind === 'value') return is(by, variableType(by, name, fields), name);
  if (kind !== 'class') return null;
  const hundreds = name.charAt(0);
  if (variableType(by, `${hundreds}00`, fields) === 'string') return `${by} =~ /^${hundreds}\\d\\d$/`;
  return `${by} >= ${hundreds}00 && ${by} < ${Number(hundreds) + 1}00`;
}

/** Layers in the order in which bars are built: the worst at the bottom, where it is easiest to compare. */
export function drawingOrder(groups: readonly HistogramGroup[]): number[] {
  const order = groups.map((_group, index) => index);
  if (groups[0]?.kind !== 'class') return order;
  const classes = groups.filter(({ kind }) => kind === 'class').length;
  return [...order.slice(0, classes).reverse(), ...order.slice(classes)];
}
