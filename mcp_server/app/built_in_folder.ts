import { fileURLToPath } from "node:url";

/**
 * The folder of the built-in tools, next to the folder of one of the server's modules; in a
 * compiled server both are embedded in its virtual file system. Throws a `RangeError` if the module
 * was loaded over the network, without tools.
 */
export function builtInFolder(moduleUrl: string): string {
  const folder = new URL("../tools", moduleUrl);
  if (folder.protocol === "file:") return fileURLToPath(folder);
  throw new RangeError(
    `Cannot load the built-in tools from "${folder.href}": they do not come with the package; ` +
      "set builtInTools: false and name a folder of tools",
  );
}
