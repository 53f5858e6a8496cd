/** The result of loading one tool file. */
export interface LoadReport {
  /** The name of the file without its extension. */
  readonly toolName: string;
  /** Path of the file. */
  readonly file: string;
  /** Why the file was skipped; absent if its tool is registered as it is. */
  readonly problem?: string;
}

/** What a reload did with one tool file. */
export interface ReloadReport extends LoadReport {
  /**
   * `loaded`: its new content is used. `unchanged`: neither the file nor what it imports has
   * changed. `kept`: the new content can't be used, so the old tool is. `skipped`: it can't be used,
   * and there is no old tool. `removed`: the file is gone, and its tool too.
   */
  readonly state: "loaded" | "unchanged" | "kept" | "skipped" | "removed";
}

/** Loads the changed tools of the folders; rejects if a folder can't be read. */
export type ReloadTools = () => Promise<readonly ReloadReport[]>;
