import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Packages that the mock's sources import, which are outside of this project. */
const PACKAGES = [
  "@faker-js/faker",
  "@graphql-tools/schema",
  "@graphql-typed-document-node/core",
  "comlink",
  "fflate",
  "graphql",
  "graphql-ws",
  "miragejs",
  "vue",
];

/** Writes a service worker that keeps all files of the page, so that it works without a network. */
function offline(): Plugin {
  return {
    name: "offline",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const hash = createHash("sha256");
      const files = Object.entries(bundle).sort().map(([name, file]) => {
        hash.update(file.type === "asset" ? file.source : file.code);
        return name;
      });
      const source = serviceWorker(["./", ...files], hash.digest("hex").slice(0, 16));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

function serviceWorker(files: readonly string[], version: string): string {
  return `const PREFIX = "playground ";
const CACHE = PREFIX + "${version}";
const FILES = ${JSON.stringify(files)};

addEventListener("install", (event) => {
  const store = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
    await skipWaiting();
  };
  event.waitUntil(store());
});

addEventListener("activate", (event) => {
  const clean = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(clean());
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const answer = async () => {
    const cache = await caches.open(CACHE);
    const isPage = event.request.mode === "navigate";
    const kept = await cache.match(event.request, { ignoreSearch: isPage });
    return kept ?? (isPage ? await cache.match("./") : undefined) ?? await fetch(event.request);
  };
  event.respondWith(answer());
});
`;
}

export default defineConfig({
  root: at("."),
  base: "./",
  build: {
    outDir: at("../../dist/site/playground"),
    emptyOutDir: true,
    // GraphiQL's editor is one chunk of 3 MB, loaded after the page is there
    chunkSizeWarningLimit: 6_000,
    rolldownOptions: {
      onLog(level, log, handle) {
        // of libraries for servers; it means nothing in a bundle
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
    },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "vue" } },
  plugins: [offline()],
  worker: { format: "es" },
  resolve: {
    alias: [
      { find: /^@trestle\/mirage-graphql$/, replacement: at("../../mirage_graphql/mod.ts") },
      {
        find: /^@trestle\/mirage-graphql\/dialects$/,
        replacement: at("../../mirage_graphql/every_dialect.ts"),
      },
      {
        find: /^@trestle\/mirage-graphql\/seeds$/,
        replacement: at("../../mirage_graphql/seeds.ts"),
      },
    ],
    dedupe: PACKAGES,
  },
});
