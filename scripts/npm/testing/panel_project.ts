import { ok } from "node:assert/strict";
import { codeBlocks } from "../../../test_support/markdown.ts";
import { ROOT } from "../../../test_support/root.ts";
import { listTree } from "./fixture_workspace.ts";
import { createMockProject } from "./mock_project.ts";

/** The pages of the project: without a framework, and of two. */
export const PANEL_PAGES = ["plain", "vue", "react"] as const;

/** A Vite project with pages that mount a panel, as the documentation says. */
export interface PanelProject extends AsyncDisposable {
  /** Starts Vite's dev server, which ends with the project. Resolves with its address. */
  serve(): Promise<string>;
  /** Builds modules for production, each by itself; resolves with all code of their outputs. */
  build(entries: readonly string[]): Promise<string[]>;
}

const ASK = `export const ask = async (query) => {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ query }) });
  return (await response.json()).data.people[0].name;
};
`;

const html = (name: string) =>
  `<!doctype html><html lang="en"><head><title>${name}</title><link rel="icon" href="data:,"></head>
<body><main id="app"></main><script type="module" src="/${name}.js"></script></body></html>`;

const STATIC = `import { createMock } from "@trestle/mirage-graphql";
import { mountPanel } from "@trestle/mirage-graphql/panel";
const schema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
`;

const FILES: Readonly<Record<string, string>> = {
  "ask.js": ASK,
  "vue.js": `import { createApp, h, ref } from "vue";
import { ask } from "./ask.js";
LOAD
const name = ref("");
ask("query People { people { name } }").then((first) => name.value = first);
createApp({ render: () => h("p", name.value) }).mount("#app");
`,
  "react.js": `import { createElement, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { ask } from "./ask.js";
LOAD
function App() {
  const [name, setName] = useState("");
  useEffect(() => void ask("query People { people { name } }").then(setName), []);
  return createElement("p", null, name);
}
createRoot(document.getElementById("app")).render(createElement(StrictMode, null, createElement(App)));
`,
  "plain.js": `import { ask } from "./ask.js";
LOAD
document.getElementById("app").textContent = await ask("query People { people { name } }");
`,
  "dynamic.js": `LOAD
document.title = "built";
`,
  "none.js": `document.title = "built";
`,
  "static.js": `${STATIC}if (import.meta.env.DEV) mountPanel(createMock(schema));
document.title = "built";
`,
  "mock.js": `${
    STATIC.replace(/^.*mountPanel.*\n/m, "")
  }if (import.meta.env.DEV) createMock(schema);
document.title = "built";
`,
  "build.mjs": `import { build } from "vite-8";
for (const entry of process.argv.slice(2)) {
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      target: "es2022",
      modulePreload: { polyfill: false },
      outDir: "dist/" + entry,
      rollupOptions: { input: entry + ".js" },
    },
  });
}
`,
  "dev.mjs": `import { createServer } from "vite-8";
const server = await createServer({
  configFile: false,
  logLevel: "error",
  optimizeDeps: { entries: ["*.html"] },
  server: { host: "127.0.0.1", port: 0 },
});
await server.listen();
console.log("http://127.0.0.1:" + server.httpServer.address().port);
process.stdin.once("end", () => process.exit()).resume();
`,
};

/** Creates the project in a temporary folder, with the package as it is published. */
export async function createPanelProject(): Promise<PanelProject> {
  await using stack = new AsyncDisposableStack();
  const { folder } = stack.use(await createMockProject());
  const [setup, load] = await readPage();
  await Deno.mkdir(`${folder}/mocks`);
  await Deno.writeTextFile(`${folder}/mocks/with_panel.ts`, setup);
  for (const name of PANEL_PAGES) await Deno.writeTextFile(`${folder}/${name}.html`, html(name));
  for (const [path, text] of Object.entries(FILES)) {
    await Deno.writeTextFile(`${folder}/${path}`, text.replace("LOAD", load));
  }
  const owned = stack.move();
  return {
    async serve() {
      const child = new Deno.Command("node", {
        args: ["dev.mjs"],
        cwd: folder,
        stdin: "piped",
        stdout: "piped",
        stderr: "inherit",
      }).spawn();
      const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      owned.defer(async () => {
        await child.stdin.close();
        await lines.cancel();
        await child.status;
      });
      return String((await lines.read()).value).trim();
    },
    async build(entries) {
      const command = new Deno.Command("node", {
        args: ["build.mjs", ...entries],
        cwd: folder,
        env: { NODE_ENV: "production" },
        stdin: "null",
      });
      const { success, stderr } = await command.output();
      ok(success, new TextDecoder().decode(stderr));
      return await Promise.all(entries.map((entry) => readAll(`${folder}/dist/${entry}`)));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function readAll(folder: string): Promise<string> {
  const paths = await listTree(folder);
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(`${folder}/${path}`)));
  return texts.join("\n");
}

/** The two blocks of code with which the page on the panel begins. */
async function readPage(): Promise<readonly [setup: string, load: string]> {
  const page = await Deno.readTextFile(`${ROOT}/mirage_graphql/docs/panel.md`);
  const [setup, load] = codeBlocks(page).map(({ code }) => code);
  ok(setup !== undefined && load !== undefined, "docs/panel.md has less than two blocks");
  return [setup, load.trim()];
}
