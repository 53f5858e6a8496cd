import { sharedFolder } from "../../../test_support/shared_folder.ts";
import { installPackages } from "./consumer.ts";

/** The oldest and the newest version of Node that the packages support. */
export const NODES = ["20.19", "24"] as const;

/** A program of Node. */
export interface NodeProgram extends AsyncDisposable {
  /** The folder that has it. */
  readonly folder: string;
}

const PACKAGE = `node-linux-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;

/**
 * The program of a version, from the package of npm that contains it, which tests of a run share;
 * the one of this machine if it has the same major version and is no older.
 */
export async function nodeProgram(version: typeof NODES[number]): Promise<NodeProgram> {
  const own = await ownNode();
  if (own !== undefined && isAtLeast(own.version, version)) {
    return { folder: own.folder, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const shared = await sharedFolder(
    `node_${version}`,
    (path) => installPackages(path, [`${PACKAGE}@${version}`]),
  );
  return {
    folder: `${shared.path}/node_modules/${PACKAGE}/bin`,
    [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose](),
  };
}

/** Whether a version has the same major version as another, and no lower minor version. */
function isAtLeast(version: string, other: string): boolean {
  const [major, minor = 0] = version.split(".").map(Number);
  const [wanted, least = 0] = other.split(".").map(Number);
  return major === wanted && minor >= least;
}

async function ownNode(): Promise<{ version: string; folder: string } | undefined> {
  const print = "console.log([process.versions.node, process.execPath].join(' '))";
  const command = new Deno.Command("node", { args: ["-e", print], stderr: "null" });
  const { stdout } = await command.output();
  const [version, path] = new TextDecoder().decode(stdout).trim().split(" ");
  if (version === undefined || path === undefined) return undefined;
  return { version, folder: path.slice(0, path.lastIndexOf("/")) };
}
