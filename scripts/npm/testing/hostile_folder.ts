import { createTempFolder } from "../../../test_support/temp_folder.ts";

/** A folder whose files try to get into a program that is started in it. */
export interface HostileFolder extends AsyncDisposable {
  readonly path: string;
  /** The names of the files that got in, and what the registry of its `.npmrc` was asked for. */
  readonly entered: () => Promise<readonly string[]>;
}

/** Packages that the tool server imports, and its own. */
const PACKAGES = [
  "zod",
  "jose",
  "pg-boss",
  "@modelcontextprotocol/sdk",
  "@trestle/mcp-server",
  "@deno/linux-x64-glibc",
  "deno",
];

/** Creates a folder with every file that Deno, Node and npm look for where they are started. */
export async function createHostileFolder(): Promise<HostileFolder> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  const asked: string[] = [];
  const registry = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    asked.push(url);
    return new Response("none", { status: 404 });
  });
  stack.defer(() => registry.shutdown());
  const entered = `${path}/entered`;
  await Deno.mkdir(entered);
  const write = async (name: string, text: string | object) => {
    const file = `${path}/${name}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(file, typeof text === "string" ? text : JSON.stringify(text));
  };
  const evil = (name: string) =>
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${
      JSON.stringify(`${entered}/${name}`)
    }, "");\n`;
  await write("evil.js", evil("evil.js"));
  const imports = Object.fromEntries(PACKAGES.map((name) => [name, "./evil.js"]));
  const config = {
    imports,
    preload: ["./evil.js"],
    permissions: { default: { read: false } },
    compilerOptions: { jsxImportSource: "zod" },
  };
  for (const name of ["deno.json", "deno.jsonc"]) await write(name, config);
  await write("import_map.json", { imports });
  await write("deno.lock", { version: "5", specifiers: { "npm:zod@*": "0.0.1" } });
  await write("package.json", {
    type: "commonjs",
    imports: { "#x": "./evil.js" },
    dependencies: imports,
  });
  for (const name of PACKAGES) {
    const file = evil(name.replaceAll("/", "_"));
    await write(`node_modules/${name}/package.json`, { name, type: "module", main: "main.js" });
    await write(`node_modules/${name}/main.js`, file);
  }
  await write(".npmrc", `registry=http://127.0.0.1:${registry.addr.port}/\n`);
  const env = ["MCP_HOST=0.0.0.0", "MCP_TOKEN=from-the-folder", `MCP_TOOLS_DIR=${path}/tools`];
  await write(".env", `${env.join("\n")}\nNODE_OPTIONS=--import=${path}/evil.js\n`);
  await write("tools/evil-tool.ts", evil("evil-tool.ts") + "export default () => {};\n");
  const ends = stack.move();
  return {
    path,
    entered: async () => {
      const files = await Array.fromAsync(Deno.readDir(entered), ({ name }) => name);
      return [...files.sort(), ...asked];
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}
