import { MCP_NAME, PROGRAM } from "../npm/build_server.ts";
import { describe, PROJECT, SERVER_KEYWORDS } from "../npm/package_manifest.ts";
import { readMembers } from "../workspace.ts";

/** What every channel says about the tool server. */
export interface ServerFacts {
  /** The name of its packages on npm and JSR. */
  readonly name: string;
  readonly version: string;
  /** The name that people read. */
  readonly title: string;
  /** One sentence: the first of its README. */
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  /** The page about it. */
  readonly homepage: string;
  /** Where its sources are. */
  readonly repository: string;
  /** Its name in the MCP Registry. */
  readonly mcpName: string;
  /** The program of the npm package, and of the compiled server. */
  readonly program: string;
}

const MEMBER = "mcp_server";
const TITLE = "Trestle";
/** The MCP Registry refuses a longer description. */
const MOST_CHARACTERS = 100;

/**
 * Reads from the sources what every channel says. Rejects with a `RangeError` if the first sentence
 * of the README is missing, or too long for the MCP Registry.
 */
export async function readServerFacts(root: string): Promise<ServerFacts> {
  const member = (await readMembers(root)).find(({ folder }) => folder === MEMBER);
  if (member === undefined) throw new RangeError(`Cannot describe "${MEMBER}": it is no member`);
  const readme = await Deno.readTextFile(`${root}/${MEMBER}/README.md`);
  const { name, version, license } = member;
  return {
    name,
    version,
    title: TITLE,
    description: shortDescription(describe(readme)),
    license,
    keywords: SERVER_KEYWORDS,
    homepage: PROJECT.homepage,
    repository: PROJECT.repository.url,
    mcpName: MCP_NAME,
    program: PROGRAM,
  };
}

function shortDescription(description = ""): string {
  if (description !== "" && description.length <= MOST_CHARACTERS) return description;
  throw new RangeError(
    `Cannot describe "${MEMBER}": the first sentence of its README has ${description.length} ` +
      `characters, not 1 to ${MOST_CHARACTERS}`,
  );
}

/** The arguments of `npx` that start this version of the server over stdio. */
export function npxArgs({ name, version }: ServerFacts): string[] {
  return ["-y", `${name}@${version}`, "--stdio"];
}
