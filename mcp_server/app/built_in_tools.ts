import { fileURLToPath } from "node:url";
import { findToolFiles, type ToolFile } from "../tool/loading/load_tool.ts";

/**
 * The tools that come with the server, in the folder next to that of its modules; in a compiled
 * server both are embedded in its virtual file system. Rejects if the folder can't be read. The
 * package on JSR has a list in place of this module, because no folder can be read over the network.
 */
export async function builtInTools(): Promise<ToolFile[]> {
  return await findToolFiles(fileURLToPath(new URL("../../tools", import.meta.url)));
}
