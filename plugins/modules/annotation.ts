/**
 * Annotations: labels on points of a graph, kept by the graph's payload name in the global `_ANNOTATIONS`, so that preserved data carries
 * them over a restart.
 */

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

const ONE_DAY_NS = 86_400e9;
/** The newest annotations of a graph are kept: a line of them must fit into an output. */
const MAX_ANNOTATIONS = 300;

globalThis._ANNOTATIONS = Object.create(null) as Record<string, AnnotationList>;

/** An annotation of column `col` at `ns`; it is in no list. */
export function create(ns: number, col: number, stext: string, text: string): Annotation {
  return { x: Math.floor(ns / 1e6), col, shortText: stext, text };
}

/** Adds an annotation to the graph `name`. */
export function add(name: string, ns: number, col: number, stext: string, text: string): void {
  listOf(name).annotations.push(create(ns, col, stext, text));
}

/** Adds annotations to the graph `name`, in order. */
export function concat(name: string, annotations: readonly Annotation[]): void {
  listOf(name).annotations.push(...annotations);
}

/** Drops the annotations of `name` that have outlived their time and returns the newest 300 as a line of JSON; null for an unknown name. */
export function prune(name: string, ns: number): string | null {
  const list = existing(name);
  if (list === undefined) return null;
  list.annotations = list.annotations.filter(({ x }) => x * 1e6 + list.prune_duration > ns).slice(-MAX_ANNOTATIONS);
  return `${JSON.stringify({ annotations: list.annotations })}\n`;
}

/** Forgets the graph `name`, its lifetime included. */
export function remove(name: string): void {
  delete globalThis._ANNOTATIONS[name];
}

/** Sets how long annotations of `name` stay; one day when it is never set. */
export function set_prune(name: string, ns_duration: number): void {
  listOf(name).prune_duration = ns_duration;
}

function existing(name: string): AnnotationList | undefined {
  return Object.hasOwn(globalThis._ANNOTATIONS, name) ? globalThis._ANNOTATIONS[name] : undefined;
}

function listOf(name: string): AnnotationList {
  const list = existing(name) ?? { annotations: [], prune_duration: ONE_DAY_NS };
  globalThis._ANNOTATIONS[name] = list;
  return list;
}
