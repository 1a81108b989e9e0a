/** Types of incidents: what someone writes of one, and what an export of it is made from. */
import type { TimeZone } from './time/time.ts';
import type { WindowPart } from './workspace-types.ts';

/** A difference between two sets of records, in sentences. */
interface IncidentDifference {
  readonly title: string;
  readonly sentences: readonly string[];
}

/** The words and the range of an incident. The workspace keeps them, as it keeps the marks, graphs and queries that belong to it. */
export interface IncidentText {
  readonly title: string;
  readonly summary: string;
  /** Milliseconds since 1970; null: it begins or ends with the marks. */
  readonly from: number | null;
  readonly to: number | null;
  /** null: none was added. */
  readonly difference: IncidentDifference | null;
}

export const NO_INCIDENT: IncidentText = { title: '', summary: '', from: null, to: null, difference: null };

/** Numbers of a chart under one name; null: there is none at that place. */
export interface IncidentSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** The answer to a question that is kept, as the window draws it. */
export interface IncidentChart {
  readonly title: string;
  /** The records that it is about, in words. */
  readonly about: string;
  readonly unit: string;
  /** The variables whose values are the names of its series. */
  readonly by: readonly string[];
  /**
   * `list`: each series is one number, without time; `heat`: each series is a range of numbers, the lowest first, and its values are the records in it; `none`: it cannot be
   * drawn, and `about` says why.
   */
  readonly form: 'bars' | 'lines' | 'list' | 'heat' | 'none';
  /** Milliseconds at which the first number begins, and of each. */
  readonly from: number;
  readonly rowMs: number;
  readonly series: readonly IncidentSeries[];
}

/** `html`: one page; `markdown`: a text; `bundle`: a workspace with the records around the marks. */
export const INCIDENT_FORMS = ['html', 'markdown', 'bundle'] as const;
export type IncidentForm = (typeof INCIDENT_FORMS)[number];

export interface IncidentExport {
  /** Path of the target file, which the user chose in a dialog. */
  readonly path: string;
  readonly form: IncidentForm;
  /** Puts pseudonyms in the place of addresses, hosts, users, mail addresses, tokens and home folders. */
  readonly anonymise: boolean;
  /** Further words that get pseudonyms then. */
  readonly words: readonly string[];
  /** Records of the same source before and after each mark that come along. */
  readonly around: number;
  /** Fields that are columns of the table. */
  readonly columns: readonly string[];
  readonly charts: readonly IncidentChart[];
  /** Whether the saved queries are asked, so that their first rows come along. */
  readonly ask: boolean;
  readonly zone: TimeZone;
  /** Data that the window would keep, for a bundle. */
  readonly window: WindowPart;
}

interface IncidentMark {
  readonly time: number;
  readonly source: string;
  readonly text: string;
  readonly note: string;
}

/** A saved query with its first rows, where it was asked. */
export interface IncidentQuery {
  readonly name: string;
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** There are more rows than these. */
  readonly more: boolean;
  /** The reason for which there are no rows; null: there are, or it was not asked. */
  readonly problem: string | null;
}

/** A record around a mark. */
export interface IncidentRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly source: string;
  /** 0 to 7; null: unset. */
  readonly severity: number | null;
  readonly text: string;
  readonly marked: boolean;
  /** One for each of the columns. */
  readonly values: readonly string[];
}

/** Everything that a page or a text about an incident shows. */
export interface Incident extends Omit<IncidentText, 'from' | 'to'> {
  /** null: there are neither marks nor times. */
  readonly range: { readonly from: number; readonly to: number } | null;
  readonly zone: TimeZone;
  readonly marks: readonly IncidentMark[];
  readonly charts: readonly IncidentChart[];
  readonly queries: readonly IncidentQuery[];
  readonly columns: readonly string[];
  readonly records: readonly IncidentRecord[];
  /** Records around the marks that had no room. */
  readonly left: number;
  /** Records before and after each mark. */
  readonly around: number;
  readonly anonymised: boolean;
  readonly madeAt: number;
}
