/** Whether commands run in control groups: `auto` where that is possible. */
export type ContainmentMode = "off" | "auto" | "required";

/** What one command, with all processes that it starts, may use; without a number, all there is. */
export interface CommandLimits {
  /** Memory in bytes, with the files that it has in memory; beyond it, the command is ended. */
  readonly memoryBytes?: number;
  /** Processes and threads that exist at once. */
  readonly pids?: number;
  /** Processors, such as 0.5. */
  readonly cpu?: number;
}

/** How the server finds all processes of a command that it stops. */
export interface ContainmentState {
  /** By the control group of the command, or only by a variable in their environment. */
  readonly by: "cgroup" | "variable";
  /** Why there are no control groups. */
  readonly reason?: string;
  /** The folder with the groups of all servers. */
  readonly folder?: string;
  /** What one command may use, if that is limited. */
  readonly limits?: CommandLimits;
}
