/** Types of named workspaces. */

/** The state of the window in a workspace: plain data that only the window reads, and checks when a workspace is opened. */
export type WindowPart = Readonly<Record<string, unknown>>;

/** A file that a workspace or the session before shows. */
export interface FileLook {
  /** Its path when it was open. */
  readonly path: string;
  /** `packed`: its records come with the workspace; `here`: it is on this machine; `missing`: it is not. */
  readonly state: 'packed' | 'here' | 'missing';
  /** Its path now, another one if it was moved; null: it is not on this machine. */
  readonly place: string | null;
}

/** A file that was moved: where it was, and where it is. */
export interface FilePlace {
  readonly path: string;
  readonly place: string;
}

/** The content of a workspace, before it is opened. */
export interface WorkspaceLook {
  readonly path: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly files: readonly FileLook[];
  /** Bytes of the records that come with it. */
  readonly packedBytes: number;
  /** Names of its scripts. */
  readonly scripts: readonly string[];
  /** Commands, listeners and connections that it starts, in words. */
  readonly starts: readonly string[];
  /** Filter scripts that run on its sources. */
  readonly filterScripts: number;
  /** Filters that hide rows of its table. */
  readonly filters: number;
  readonly marks: number;
}

/** A file of a workspace, and the place from which it was opened; null: it was not. */
export interface OpenedPlace {
  readonly path: string;
  readonly place: string | null;
}
