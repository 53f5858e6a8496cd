/** The servers that are compared, at the versions that were read and measured. */
export const PACKAGES = {
  desktopCommander: "@wonderwhy-er/desktop-commander@0.2.52",
  commands: "mcp-server-commands@0.5.0",
  filesystem: "@modelcontextprotocol/server-filesystem@2026.8.31",
  dbhub: "@bytebase/dbhub@1.4.0",
  sshMcp: "ssh-mcp@2.11.0",
  sshManager: "mcp-ssh-manager@3.8.5",
} as const;

/** The Node.js that runs them all; dbhub requires at least 22.5. */
export const NODE_VERSION = "22.23.3";

/** Longest time of the installation, of about 1,000 packages. */
const DEADLINE_MS = 240_000;

/** Installed packages. */
export interface Installed {
  /** Path of the Node.js program. */
  readonly node: string;
  /** Path of a file of a package, such as `ssh-mcp/build/index.js`. */
  file(path: string): string;
}

/**
 * Installs all packages and Node.js from npm into a folder, without their install scripts; does
 * nothing for those that are there.
 */
export async function installPackages(folder: string): Promise<Installed> {
  const node = `node-linux-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true }');
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--silent"];
  const packages = [...Object.values(PACKAGES), `${node}@${NODE_VERSION}`];
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", ...flags, ...packages],
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).output();
  if (!success) {
    throw new Error(`Cannot install the peers: ${new TextDecoder().decode(stderr).trim()}`);
  }
  const modules = `${folder}/node_modules`;
  return { node: `${modules}/${node}/bin/node`, file: (path) => `${modules}/${path}` };
}
