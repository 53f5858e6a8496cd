import { ok } from "node:assert/strict";
import { codeBlocks } from "../../../test_support/markdown.ts";
import { ROOT } from "../../../test_support/root.ts";
import { listTree } from "./fixture_workspace.ts";
import { createMockProject, type VITES } from "./mock_project.ts";

/** A name of a version of Vite. */
export type ViteName = typeof VITES[number];

/** A Vite project that uses the plugin. */
export interface PluginProject extends AsyncDisposable {
  /** Writes a file. */
  write(path: string, text: string): Promise<void>;
  /** Starts the dev server of a version. */
  start(vite: ViteName): Promise<ViteServer>;
  /** Builds with each of some configurations; resolves with the texts of the files by path. */
  build(vite: ViteName, configs: readonly string[]): Promise<Record<string, string>[]>;
  /** Compiles a configuration in TypeScript for each version; resolves with the errors. */
  compile(vites: readonly ViteName[]): Promise<string[]>;
}

/** A dev server. */
export interface ViteServer extends AsyncDisposable {
  /** Its address, with a slash. */
  readonly url: string;
  /** Renders a page on the server; resolves with its text. */
  render(): Promise<string>;
}

/** A bound, not an expectation. */
const DEADLINE_MS = 120_000;

/** The schema of the project at the start. */
export const SCHEMA = `type Person { id: ID! name: String! }
type Query { people: [Person!]! }
type Mutation { createPerson(name: String!): Person! }
type Subscription { personCreated: Person! }
`;

const OPTIONS = `{ schema: "schema.graphql", seeds: { people: [{ name: "Ada" }] } }`;

const FILES: Readonly<Record<string, string>> = {
  "schema.graphql": SCHEMA,
  "index.html": '<!doctype html><title>App</title><script type="module" src="/main.js"></script>',
  "none.config.mjs": "export default {};\n",
  "main.js": `import { createClient } from "graphql-ws";
const loaded = performance.timeOrigin;
sessionStorage.first ??= loaded;
window.isReloaded = () => Number(sessionStorage.first) !== loaded;
window.ask = async (query) => {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ query }) });
  return await response.text();
};
window.askUntil = async (query, pattern) => {
  for (;;) {
    const text = await ask(query);
    if (pattern.test(text)) return text;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
window.subscribe = async () => {
  let result;
  const first = client.iterate({ query: "subscription { personCreated { name } }" }).next()
    .then(({ value }) => result = JSON.stringify(value));
  while (result === undefined) {
    await ask('mutation { createPerson(name: "Eve") { id } }');
    await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  return result;
};
window.stream = async () => {
  const headers = { Accept: "text/event-stream" };
  const response = await fetch("/graphql?query={people{name}}", { headers });
  return await response.text();
};
window.client = createClient({ url: "ws://" + location.host + "/graphql" });
`,
  "ssr.js": `const ask = async (url, query) => {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ query }) });
  return await response.text();
};
export const render = async (url) => {
  const created = await ask(url, 'mutation { createPerson(name: "Max") { name } }');
  return created + " " + await ask(url, "{ people { name } }");
};
`,
  "build.mjs": `const [, , vite, ...configs] = process.argv;
const { build } = await import(vite);
for (const configFile of configs) {
  await build({ configFile, logLevel: "error", build: { outDir: "dist/" + configFile } });
}
`,
  "dev.mjs": `const { createServer } = await import(process.argv[2]);
const server = await createServer({
  configFile: "vite.config.ts",
  server: { host: "127.0.0.1", port: 0 },
  logLevel: "error",
});
await server.listen();
const url = "http://127.0.0.1:" + server.httpServer.address().port + "/";
console.log(url);
process.stdin.once("data", async () => {
  const { render } = await server.ssrLoadModule("/ssr.js");
  console.log(await render(url + "graphql"));
});
`,
};

/** Creates the project in a temporary folder, with the package as it is published. */
export async function createPluginProject(): Promise<PluginProject> {
  await using stack = new AsyncDisposableStack();
  const project = stack.use(await createMockProject());
  const { folder } = project;
  const write = (path: string, text: string) => Deno.writeTextFile(`${folder}/${path}`, text);
  const files = { ...FILES, "vite.config.ts": await readConfig() };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  const owned = stack.move();
  return {
    write,
    start: (vite) => startServer(folder, vite),
    build: async (vite, configs) => {
      await runNode(folder, ["build.mjs", vite, ...configs]);
      return await Promise.all(configs.map((config) => readTexts(`${folder}/dist/${config}`)));
    },
    compile: async (vites) => {
      for (const vite of vites) {
        await write(
          `${vite}.config.ts`,
          `import { mirageGraphQL } from "@trestle/mirage-graphql/vite";
import { defineConfig, type Plugin } from "${vite}";
const plugin: Plugin = mirageGraphQL(${OPTIONS});
export default defineConfig({ plugins: [plugin] });
`,
        );
      }
      return project.compile(vites.map((vite) => `${vite}.config.ts`), "bundler");
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The files of a folder, by path. */
async function readTexts(folder: string): Promise<Record<string, string>> {
  const paths = await listTree(folder);
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(`${folder}/${path}`)));
  return Object.fromEntries(paths.map((path, at) => [path, texts[at] ?? ""]));
}

/** The configuration that the page on Vite shows. */
async function readConfig(): Promise<string> {
  const blocks = codeBlocks(await Deno.readTextFile(`${ROOT}/mirage_graphql/docs/vite.md`));
  const shown = blocks.find(({ code }) => code.startsWith("// vite.config.ts\n"));
  ok(shown !== undefined, "docs/vite.md shows no vite.config.ts");
  return shown.code;
}

/** Runs a program to its end; resolves with its output, and rejects if it fails. */
async function runNode(folder: string, args: readonly string[]): Promise<string> {
  const command = new Deno.Command("node", {
    args: [...args],
    cwd: folder,
    env: { CI: "true", NO_COLOR: "1" },
    stdin: "null",
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const { success, stdout, stderr } = await command.output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  ok(success, output);
  return output;
}

async function startServer(folder: string, vite: ViteName): Promise<ViteServer> {
  const child = new Deno.Command("node", {
    args: ["dev.mjs", vite],
    cwd: folder,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value).trim();
  const url = await next();
  return {
    url,
    async render() {
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode("render\n"));
      writer.releaseLock();
      return await next();
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.stdin.close().catch(() => {});
      while ((await lines.next()).done !== true);
      await child.status;
    },
  };
}
