/** The files of the cgroup v2 tree and of `/proc`, as the kernel shows them to this server. */
export interface CgroupFiles extends AsyncDisposable {
  /** Reads a small file; an empty text if there is none. */
  read(file: string): Promise<string>;
  /** Writes a file in one piece; rejects if the kernel refuses it. */
  write(file: string, text: string): Promise<void>;
  /** The names of the folders in a folder; none if it is missing. */
  folders(folder: string): Promise<string[]>;
  /** Creates folders with these names, and the folder above them; rejects if one can't be made. */
  make(folder: string, names: readonly string[]): Promise<void>;
  /** Removes the folders with these names that are empty, and leaves the others. */
  remove(folder: string, names: readonly string[]): Promise<void>;
  /** The target of a symbolic link. */
  link(file: string): Promise<string>;
  /** Moves this process, and what helps it to reach the files, into a group. */
  moveServer(folder: string): Promise<void>;
}
