import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { ToolRegistrar } from "./registrar.ts";

/** What the server passes to a tool module. */
export interface ToolContext {
  /** Registers the tool. */
  readonly mcpServer: ToolRegistrar;
  /** The tool's name: the name of the module's file, without its extension. */
  readonly toolName: string;
  /** JSON lines on stderr; secrets are redacted. */
  readonly log: Log;
  /** The server's limits, for a tool that bounds its own work. */
  readonly limits: Limits;
  /** One variable of the server's environment, or `undefined`. */
  readonly env: (name: string) => string | undefined;
  /**
   * Registers what to do when the server stops, once all calls have ended, such as closing
   * connections.
   */
  readonly onShutdown: (end: () => void | Promise<void>) => void;
}

/** The default export of a tool module: it registers one tool. */
export type ToolModule = (context: ToolContext) => void | Promise<void>;
