/** Requests about sources, and about the places that they are opened from. */
import { z } from 'zod';
import type { DecoderAbout, DecoderPreview } from '../decoder-types.ts';
import type { FleetStream } from '../fleet-types.ts';
import type { OpenLook, OpenPreview } from '../open-types.ts';
import type { RawLines, UnreadPage } from '../record-types.ts';
import type { EngineState, WatchReport } from '../types.ts';
import type { FileLook } from '../workspace-types.ts';
import { asks } from './request.ts';
import { nothing, id, path, typed, cluster, columns, more, commandText, configValues, filePlaces, query } from './shapes.ts';

export const sourceRequests = {
  'engine.state': asks(nothing).gives<EngineState>(),
  /** Watches the engine itself, as long as it runs. */
  'engine.watch': asks(nothing).gives<{ id: number }>(),
  /** Opens files. `moved`: those that were open in another place before, from which they take their decoder, time offset and marks. */
  'source.open': asks(z.strictObject({ paths: z.array(path).min(1).max(1000), moved: filePlaces.optional() })).gives<{
    opened: number[];
  }>(),
  /** Tells where files are that were open before. `places` says where the user has found some of them. */
  'source.whereabouts': asks(z.strictObject({ paths: z.array(path).min(1).max(1000), places: filePlaces })).gives<{ files: FileLook[] }>(),
  'source.listen': asks(
    z.strictObject({ protocol: z.enum(['udp', 'tcp']), host: z.string().min(1).max(255), port: z.int().min(0).max(65_535) }),
  ).gives<{ id: number }>(),
  /** Runs a command line in a shell, now and at every start, and shows what it writes. */
  'source.run': asks(
    z.strictObject({
      command: commandText,
    }),
  ).gives<{ id: number }>(),
  /** The first lines of a source as they are. */
  'source.head': asks(z.strictObject({ id })).gives<{ lines: string[] }>(),
  /**
   * Lines of a file as they stand in it, decoded or not, from the line that is `before` lines before the one with the byte `at`. null: it cannot be
   * read by bytes, because it is packed, no UTF-8, or several files.
   */
  'source.raw': asks(
    z.strictObject({ id, at: z.int().min(0), before: z.int().min(0).max(1000), count: z.int().min(1).max(1000) }),
  ).gives<RawLines | null>(),
  /**
   * The same as records, decoded before those in front of them: of those that the query selects, from the one that is `before` records before the one with the
   * byte `at`, or before the first one at or after a time, by the order of the file. null: its lines alone can be shown, or nothing (see `source.raw`).
   */
  'source.unread': asks(
    z.strictObject({
      id,
      at: z.union([z.int().min(0), z.strictObject({ time: z.number() })]),
      before: z.int().min(0).max(1000),
      count: z.int().min(1).max(1000),
      columns,
      more,
      query,
    }),
  ).gives<UnreadPage | null>(),
  /** Stops a source; what it brought stays. A file stops only on the way to its end. */
  'source.pause': asks(z.strictObject({ id })).gives<null>(),
  /** Goes on after that, or runs a command again that has ended. */
  'source.resume': asks(z.strictObject({ id })).gives<null>(),
  'source.close': asks(z.strictObject({ id })).gives<null>(),
  /** Decodes the source anew with this decoder; null: shows it raw. */
  'source.decoder': asks(z.strictObject({ id, decoder: path.nullable(), config: configValues.optional() })).gives<null>(),
  /** Adds so many seconds to the times of a source, now and whenever it is opened again. A file is read anew for it. */
  'source.shift': asks(z.strictObject({ id, seconds: z.number().min(-315_576_000).max(315_576_000) })).gives<null>(),
  /** Looks at a cluster, once it is confirmed. Nothing is taken from it. */
  'fleet.look': asks(z.strictObject(cluster)).gives<{ streams: readonly FleetStream[]; nowMs: number }>(),
  /** Opens a stream as a source, now and at every start. No other reader gets less for it. */
  'fleet.open': asks(
    z.strictObject({
      ...cluster,
      stream: z.string().min(1).max(255),
      start: z.union([z.enum(['begin', 'end']), z.number().min(0).max(8.64e15)]),
    }),
  ).gives<{ id: number }>(),
  /** Continuations of a path that is being typed: each is a whole text to take its place. */
  'open.complete': asks(typed).gives<{ texts: string[] }>(),
  /** Finds the logs that a typed text would open, and reads their first records. Files that nobody chose are confirmed first. */
  'open.look': asks(typed).gives<OpenLook>(),
  /** Runs a typed command line, or the ssh of a file of another machine, for a moment once it is confirmed, and reads its first records. */
  'open.sample': asks(z.strictObject({ kind: z.enum(['command', 'remote']), text: commandText })).gives<OpenPreview>(),
  /** Opens it. `paths`: those of this machine. */
  'open.typed': asks(typed).gives<{ opened: number[]; paths: string[] }>(),
  /** Watches this machine, now and at every start. */
  'workstation.watch': asks(nothing).gives<WatchReport>(),
  /** The parts of this machine that could be watched now. */
  'workstation.about': asks(nothing).gives<WatchReport>(),
  'decoder.list': asks(nothing).gives<DecoderAbout[]>(),
  /** Runs a decoder over the first records of a source. */
  'decoder.preview': asks(z.strictObject({ id, decoder: path, config: configValues })).gives<DecoderPreview>(),
};
