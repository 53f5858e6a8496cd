import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { Approval } from "../tool/fleet_desk.ts";
import { bearerOf, type CallerRights, EVERYTHING, writeCallers } from "./callers_file.ts";
import { type Answer, toAnswer } from "./http_caller.ts";
import { type ServerProcess, startServer } from "./server_process.ts";

/** A server with callers whose calls need approval, and admins who give it. */
export interface ApprovalSite extends AsyncDisposable {
  readonly server: ServerProcess;
  /** A folder for the files of a test. */
  readonly folder: string;
  /** Replaces the callers beside the admins `ops` and `root`. */
  write(callers: Readonly<Record<string, CallerRights>>): Promise<void>;
  /** Sends a request as a caller. */
  send(caller: string, path: string, init?: RequestInit): Promise<Answer>;
  /** The calls that wait, as the admin `ops` sees them. */
  list(): Promise<readonly Approval[]>;
  /** Resolves with the calls that wait once there are so many. */
  until(count: number): Promise<readonly Approval[]>;
  /** Decides about a call that waits. */
  decide(id: string | undefined, decision: string, caller?: string): Promise<Answer>;
  /** The lines of the audit. */
  audit(): Promise<Record<string, unknown>[]>;
}

/** How the server is started. */
export interface ApprovalSiteOptions {
  /** Those beside the admins. @default {`bot`, who may do everything and must ask for `write-file`} */
  readonly callers?: Readonly<Record<string, CallerRights>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** A caller who may use every tool, and needs approval for `write-file`. */
export const BOT: CallerRights = Object.freeze({ ...EVERYTHING, ask: ["write-file"] });

const ADMIN: CallerRights = { ...EVERYTHING, admin: true };
const WITHIN_MS = 30_000;

/** Starts a server in a process of its own. */
export async function startApprovalSite(
  { callers = { bot: BOT }, env = {}, args = [] }: ApprovalSiteOptions = {},
): Promise<ApprovalSite> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createTempFolder());
  const write = async (others: ApprovalSiteOptions["callers"]) =>
    void await writeCallers(folder, { ops: ADMIN, root: ADMIN, ...others });
  await write(callers);
  const server = stack.use(
    await startServer({
      args: [...args, "--log-level", "error"],
      env: {
        MCP_CALLERS_FILE: `${folder}/callers.json`,
        MCP_DATA_DIR: `${folder}/data`,
        MCP_AUDIT_FILE: `${folder}/audit`,
        ...env,
      },
    }),
  );
  const send: ApprovalSite["send"] = async (caller, path, init = {}) => {
    const headers = { ...bearerOf(caller), ...init.headers };
    return toAnswer(await fetch(`${server.url}${path}`, { ...init, headers }));
  };
  const list = async (): Promise<readonly Approval[]> => {
    const response = await fetch(`${server.url}/api/approvals`, { headers: bearerOf("ops") });
    return (await response.json()).approvals;
  };
  const ends = stack.move();
  return {
    server,
    folder,
    write,
    send,
    list,
    until: async (count) => {
      for (const late = performance.now() + WITHIN_MS; performance.now() < late;) {
        const waiting = await list();
        if (waiting.length === count) return waiting;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`Cannot see ${count} calls that wait: ${JSON.stringify(await list())}`);
    },
    decide: (id, decision, caller = "ops") =>
      send(caller, `/api/approvals/${id}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ decision }),
      }),
    audit: async () => {
      const lines = (await Deno.readTextFile(`${folder}/audit`)).split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line));
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** Whether a file exists. */
export function isThere(path: string): Promise<boolean> {
  return Deno.stat(path).then(() => true, () => false);
}
