/** Types of the requests about named workspaces, between the window, the shell and the engine. */

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
  readonly filters: number;
  readonly marks: number;
}

/** A file of a workspace, and the place from which it was opened; null: it was not. */
export interface OpenedPlace {
  readonly path: string;
  readonly place: string | null;
}

export interface WorkspaceRequests {
  /** Writes what is open into a file that the user chose; `export` events say how far it is. */
  'workspace.save': { in: { path: string; records: boolean; window: WindowPart }; out: { id: number } };
  /** Reads what a workspace holds. A path that nobody chose has to be confirmed. `places` says where the user has found files. */
  'workspace.look': { in: { path: string; places: FilePlace[] }; out: WorkspaceLook };
  /**
   * Opens a workspace in the place of what is open, once it is confirmed. What was open is kept as the workspace before.
   * `places` says where files are that are elsewhere here; `window` is what the window would keep of what is open.
   */
  'workspace.open': {
    in: { path: string; places: FilePlace[]; window: WindowPart };
    out: { name: string; window: WindowPart; files: OpenedPlace[] };
  };
  /** The file that keeps what was open before the last workspace was opened; null: there is none. */
  'workspace.before': { in: Record<string, never>; out: { path: string | null } };
}

export interface WorkspaceShellRequests {
  /** Asks for a workspace to open, or with a name where to save one; null: it was called off. */
  'shell.chooseWorkspace': { in: { save: string | null }; out: { path: string } | null };
  /** Asks where a file of a workspace is on this machine; null: it was called off. */
  'shell.findFile': { in: { name: string }; out: { path: string } | null };
  /** The workspace with which the application was started and which was not taken yet; null: none. */
  'shell.givenWorkspace': { in: Record<string, never>; out: { path: string } | null };
}
