/** Requests about workspaces. */
import { z } from 'zod';
import type { AssistantsState } from '../assistant-types.ts';
import type { IncidentExport, IncidentText } from '../incident-types.ts';
import type { OpenedPlace, WindowPart, WorkspaceLook } from '../workspace-types.ts';
import { asks } from './request.ts';
import { nothing, id, path, filePlaces, incidentExport, incidentText, query, windowPart } from './shapes.ts';

export const workspaceRequests = {
  /**
   * Writes what is open into a file that the user chose; `export` events say how far it is. `records` says which records come along: all lines of the
   * sources (true), those that a query selects, or none (false).
   */
  'workspace.save': asks(z.strictObject({ path, records: z.union([z.boolean(), query]), window: windowPart })).gives<{ id: number }>(),
  /** Records that come along where a query selects them, and their bytes. */
  'workspace.size': asks(z.strictObject({ query })).gives<{ records: number; bytes: number }>(),
  /** Reads what a workspace holds. A path that nobody chose has to be confirmed. `places` says where the user has found files. */
  'workspace.look': asks(z.strictObject({ path, places: filePlaces })).gives<WorkspaceLook>(),
  /**
   * Opens a workspace in the place of what is open, once it is confirmed. What was open is kept as the workspace before.
   * `places` says where files are that are elsewhere here; `window` is what the window would keep of what is open.
   */
  'workspace.open': asks(
    z.strictObject({
      path,
      places: filePlaces,
      window: windowPart,
    }),
  ).gives<{ name: string; window: WindowPart; files: OpenedPlace[] }>(),
  /** The file that keeps what was open before the last workspace was opened; null: there is none. */
  'workspace.before': asks(nothing).gives<{ path: string | null }>(),
  /** Files that assistants may ask about, and their questions; `assistants` events say when that changes. */
  'assistants.get': asks(nothing).gives<AssistantsState>(),
  /** Lets assistants ask about an open source. */
  'assistants.grant': asks(z.strictObject({ source: id })).gives<null>(),
  /** Takes a grant back, by the location of its source; null: all. It holds when this is answered. */
  'assistants.takeBack': asks(z.strictObject({ location: path.nullable() })).gives<null>(),
  /** Says whether answers have pseudonyms in the place of what tells of people and machines. */
  'assistants.redact': asks(z.strictObject({ on: z.boolean() })).gives<null>(),
  /** Forgets what was asked. */
  'assistants.forget': asks(nothing).gives<null>(),
  'incident.get': asks(nothing).gives<IncidentText>(),
  'incident.set': asks<{ incident: IncidentText }>(z.strictObject({ incident: incidentText })).gives<null>(),
  /** Writes the incident into a file that the user chose; `export` events say how far it is. */
  'incident.export': asks<IncidentExport>(incidentExport).gives<{ id: number }>(),
};
