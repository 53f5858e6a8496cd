import { dirname } from "node:path/posix";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { isJsonObject } from "../shared/json.ts";
import type { ToolOutcome } from "./call_tool.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";

/** How the process that calls the tool is started. */
export interface ProcessOptions {
  /** Deno's permission flags. @default {["-A"]} */
  readonly flags?: readonly string[];
  /** Runs as the user nobody if the test itself runs as root. @default {false} */
  readonly asNobody?: boolean;
}

/** The id of the user and of the group nobody. */
export const NOBODY = 65_534;

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAIN = "mcp_server/testing/call_tool_main.ts";

/**
 * Calls a tool of this repository in its own process, once for each of the arguments and one
 * after the other, and returns the outcomes as `callTool()` does. If the process fails, rejects
 * with its stderr.
 */
export async function callToolInProcess(
  toolName: string,
  calls: readonly object[],
  options: ProcessOptions = {},
): Promise<ToolOutcome[]> {
  const { flags = ["-A"], asNobody = false } = options;
  await using place = await createTempFolder();
  const run = [
    "run",
    "--no-lock",
    "--cached-only",
    ...flags,
    MAIN,
    `tools/${toolName}.ts`,
    toolName,
  ];
  const args = [...run, ...calls.map((call) => JSON.stringify(call))];
  const command = asNobody && Deno.uid() === 0
    ? await nobodyCommand(args, place.path)
    : new Deno.Command(Deno.execPath(), { args, cwd: ROOT });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return Outcomes.parse(JSON.parse(new TextDecoder().decode(stdout)));
}

const Outcomes = z.array(z.custom<ToolOutcome>((value) => isJsonObject(value) && "ok" in value));

const AS_NOBODY = `set -e
mkdir "$1/deno" "$1/cache" "$1/repository"
mount --bind "$2" "$1/deno"
mount --bind "$3" "$1/cache"
mount --bind "$4" "$1/repository"
export DENO_DIR="$1/cache" HOME="$1" PATH="$1/deno:$PATH"
cd "$1/repository"
shift 4
exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups deno "$@"`;

/**
 * The user nobody may have no access to root's program, cache and repository: a mount namespace
 * shows them under another path, to this process only.
 */
async function nobodyCommand(args: readonly string[], place: string): Promise<Deno.Command> {
  const sources = [dirname(Deno.execPath()), await cacheFolder(), ROOT];
  return new Deno.Command("unshare", {
    args: ["--mount", "sh", "-c", AS_NOBODY, "sh", place, ...sources, ...args],
  });
}

async function cacheFolder(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const info: unknown = JSON.parse(new TextDecoder().decode(stdout));
  return z.object({ denoDir: z.string() }).parse(info).denoDir;
}
