import { createTempFolder } from "../../../../test_support/temp_folder.ts";
import { bearerOf, writeCallers } from "../../../testing/callers_file.ts";
import { startServer } from "../../../testing/server_process.ts";
import { swapLinks } from "../../../testing/swapped_links.ts";
import { nodeProgram, writeCommanderConfig } from "../servers/local_peers.ts";
import type { Testbed } from "../servers/testbed.ts";
import { startSession } from "../session.ts";

/** What a server did outside of the folder that it is limited to, while links changed. */
export interface Outside {
  readonly name: string;
  /** Reads and writes that were tried. */
  readonly calls: number;
  /** Of these, how many returned what is in a file outside. */
  readonly read: number;
  /** How many changed a file outside. */
  readonly written: number;
}

/** One client of a server that is limited to a folder. */
interface Bounded extends AsyncDisposable {
  readonly name: string;
  /** Resolves with the text of a file, empty if it was refused. */
  read(path: string): Promise<string>;
  write(path: string, content: string): Promise<void>;
}

const DURATION_MS = 4_000;
/** The text of the file outside. */
const SECRET = "secret";
/** Paths that lead inside and outside in turn, as `swapLinks()` makes them. */
const PATHS = ["link/f", "file", "name", "folder/f"];

/** Reads and writes below a folder whose links change all the time, through each server. */
export async function measureBounds(testbed: Testbed): Promise<Outside[]> {
  const found: Outside[] = [];
  for (const connect of [connectOurs, connectCommander, connectFilesystem]) {
    await using temp = await createTempFolder();
    await using _swapping = await swapLinks(temp.path);
    await using bounded = await connect(testbed, `${temp.path}/srv`);
    found.push(await attack(bounded, temp.path));
  }
  return found;
}

async function attack(bounded: Bounded, folder: string): Promise<Outside> {
  const until = performance.now() + DURATION_MS;
  let [calls, read, written] = [0, 0, 0];
  while (performance.now() < until) {
    for (const path of PATHS) {
      const text = await bounded.read(`${folder}/srv/${path}`);
      calls += 2;
      if (text.includes(SECRET)) read++;
      await bounded.write(`${folder}/srv/${path}`, "inside");
      if (await Deno.readTextFile(`${folder}/out/f`) === SECRET) continue;
      written++;
      await Deno.writeTextFile(`${folder}/out/f`, SECRET);
    }
  }
  return { name: bounded.name, calls, read, written };
}

/** Over HTTP: over stdio this server has no callers, and therefore no limits of paths. */
async function connectOurs(testbed: Testbed, folder: string): Promise<Bounded> {
  const home = await testbed.home("bounds-ours");
  const file = await writeCallers(home, { bench: { tools: ["*"], paths: [`${folder}/**`] } });
  const server = await startServer({ env: { MCP_CALLERS_FILE: file, MCP_DATA_DIR: home } });
  const call = async (tool: string, args: object) => {
    const response = await fetch(`${server.url}/api`, {
      method: "POST",
      headers: { ...bearerOf("bench"), "content-type": "application/json" },
      body: JSON.stringify({ tool, args }),
    });
    return await response.text();
  };
  return {
    name: "trestle",
    read: (path) => call("read-file", { path }),
    write: async (path, content) => void await call("write-file", { path, content }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function connectCommander(testbed: Testbed, folder: string): Promise<Bounded> {
  const program = await nodeProgram(testbed, "bounds-desktop-commander", {
    file: "@wonderwhy-er/desktop-commander/dist/index.js",
    args: ["--no-onboarding"],
    env: { DESKTOP_COMMANDER_DISABLE_TELEMETRY: "1", DC_FLAG_URL: "http://127.0.0.1:9/" },
  });
  await writeCommanderConfig(program.env["HOME"] ?? "", [folder]);
  return await connectPeer("DesktopCommander", program, ["read_file", "write_file"]);
}

async function connectFilesystem(testbed: Testbed, folder: string): Promise<Bounded> {
  const program = await nodeProgram(testbed, "bounds-filesystem", {
    file: "@modelcontextprotocol/server-filesystem/dist/index.js",
    args: [folder],
  });
  return await connectPeer("server-filesystem", program, ["read_text_file", "write_file"]);
}

async function connectPeer(
  name: string,
  program: Parameters<typeof startSession>[0],
  [read, write]: readonly [string, string],
): Promise<Bounded> {
  const session = await startSession(program);
  return {
    name,
    read: async (path) => {
      const { isError, text } = await session.call({ name: read, arguments: { path } });
      return isError ? "" : text;
    },
    write: async (path, content) =>
      void await session.call({ name: write, arguments: { path, content } }),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}
