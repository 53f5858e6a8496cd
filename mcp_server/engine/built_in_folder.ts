import { fileURLToPath } from "node:url";

/**
 * The folder of the tools that come with the server, found beside the folder of one of its modules;
 * in a compiled server both are embedded and lie in a place that only the server sees. Throws a
 * `RangeError` where the module came over the network, without tools.
 */
export function builtInFolder(moduleUrl: string): string {
  const folder = new URL("../tools", moduleUrl);
  if (folder.protocol === "file:") return fileURLToPath(folder);
  throw new RangeError(
    `Cannot load the built-in tools from "${folder.href}": they do not come with the package; ` +
      "set builtInTools: false and name a folder of tools",
  );
}
