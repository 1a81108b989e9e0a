/**
 * Annotations: labels on points of a graph. The global `_ANNOTATIONS` holds them by the graph's payload name, so `preserve_data` keeps them over a
 * restart.
 */
import { checkList, checkString, durationArgument, timeArgument, unexpected } from '../base/arguments.ts';
import { unitsIn } from '../base/instant.ts';
import { outputBytes } from '../base/output_size.ts';

/** A label on a graph. */
export interface Annotation {
  /** Milliseconds since 1970. */
  x: number;
  /** Column of the graph, from 1. */
  col: number;
  /** Drawn on the graph. */
  shortText: string;
  /** Shown on hover. */
  text: string;
}

interface AnnotationList {
  annotations: Annotation[];
  /** Nanoseconds that an annotation stays in the list. */
  prune_duration: number;
}

declare global {
  var _ANNOTATIONS: Record<string, AnnotationList>;
}

const MILLISECOND = 1e6;
const ONE_DAY_NS = 86_400e9;
/** The newest annotations of a graph are kept: a line of them must fit into an output, with the graph behind it. */
const MAX_ANNOTATIONS = 300;
const MAX_LINE_BYTES = 40_000;

globalThis._ANNOTATIONS = Object.create(null) as Record<string, AnnotationList>;

/** Makes an annotation of column `col` (from 1) at `ns`, a number or a BigInt. It is not added to a graph. */
export function create(ns: number | bigint, col: number, stext: string, text: string): Annotation {
  return annotation('create', 1, [ns, col, stext, text]);
}

/** Adds an annotation to the graph `name`. */
export function add(name: string, ns: number | bigint, col: number, stext: string, text: string): void {
  checkString('add', 1, name);
  const added = annotation('add', 2, [ns, col, stext, text]);
  listOf(name).annotations.push(added);
}

/** Adds annotations to the graph `name`, in order. */
export function concat(name: string, annotations: readonly Annotation[]): void {
  checkString('concat', 1, name);
  checkList('concat', 2, annotations);
  for (const added of annotations) if (!isAnnotation(added)) throw unexpected('concat', 2, 'list of annotations', added);
  const list = listOf(name);
  list.annotations = [...list.annotations, ...annotations];
}

/**
 * Drops the annotations of `name` that are too old. Returns the newest 300, or as many as fit into 40,000 bytes, as a line of JSON, with an empty list
 * when there are none.
 */
export function prune(name: string, ns: number | bigint): string {
  checkString('prune', 1, name);
  const now = timeArgument('prune', 2, ns);
  const list = existing(name);
  if (list === undefined) return lineOf([]);
  list.annotations = list.annotations.filter(({ x }) => x * 1e6 + list.prune_duration > now).slice(-MAX_ANNOTATIONS);
  return lineOf(fitting(list.annotations));
}

/** Forgets the graph `name`, its lifetime included. */
export function remove(name: string): void {
  checkString('remove', 1, name);
  delete globalThis._ANNOTATIONS[name];
}

/** Sets how long annotations of `name` stay, in nanoseconds; one day when it is never set. */
export function set_prune(name: string, ns_duration: number | bigint): void {
  checkString('set_prune', 1, name);
  const duration = durationArgument('set_prune', 2, ns_duration);
  listOf(name).prune_duration = duration;
}

/** The annotation of these arguments, the first of which has this position. */
function annotation(method: string, first: number, [ns, col, shortText, text]: readonly unknown[]): Annotation {
  timeArgument(method, first, ns);
  if (!Number.isInteger(col) || (col as number) < 1) throw unexpected(method, first + 1, 'integer of at least 1', col);
  const column = col as number;
  checkString(method, first + 2, shortText);
  checkString(method, first + 3, text);
  return { x: unitsIn(ns as number | bigint, MILLISECOND), col: column, shortText, text };
}

function isAnnotation(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { x, col, shortText, text } = value as Partial<Record<keyof Annotation, unknown>>;
  return Number.isFinite(x) && Number.isFinite(col) && typeof shortText === 'string' && typeof text === 'string';
}

/** The newest ones that fit into a line. */
function fitting(annotations: readonly Annotation[]): readonly Annotation[] {
  let bytes = 0;
  const last = annotations.findLastIndex((item) => (bytes += outputBytes(JSON.stringify(item)) + 1) > MAX_LINE_BYTES);
  return annotations.slice(last + 1);
}

function lineOf(annotations: readonly Annotation[]): string {
  return `${JSON.stringify({ annotations })}\n`;
}

function existing(name: string): AnnotationList | undefined {
  return Object.hasOwn(globalThis._ANNOTATIONS, name) ? globalThis._ANNOTATIONS[name] : undefined;
}

function listOf(name: string): AnnotationList {
  const list = existing(name) ?? { annotations: [], prune_duration: ONE_DAY_NS };
  globalThis._ANNOTATIONS[name] = list;
  return list;
}
