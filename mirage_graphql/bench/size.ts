import { gzipSync } from "node:zlib";
import { bundleParts } from "../../test_support/browser/bundle.ts";

/** Packages that a page has anyway: they aren't counted. */
const EXTERNAL = ["graphql", "miragejs", "@graphql-tools/schema"];

/** Bytes that a page loads for a handler, minified and compressed. */
export interface HandlerSize {
  /** What it loads at once. */
  readonly atOnce: number;
  /** What it loads in addition if a handler follows conventions. */
  readonly conventions: number;
}

/** Measures a page that imports `createGraphQLHandler` alone. */
export async function measureHandler(): Promise<HandlerSize> {
  const entry = new URL("./entries/handler.ts", import.meta.url);
  const parts = await bundleParts(entry, { minify: true, external: EXTERNAL });
  const atOnce = new Set<string>();
  const load = (name: string): void => {
    if (atOnce.has(name)) return;
    atOnce.add(name);
    const statements = parts.get(name)?.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g) ?? [];
    for (const [, imported = ""] of statements) load(imported);
  };
  load("handler.js");
  const sizeOf = (isCounted: (name: string) => boolean) =>
    [...parts].filter(([name]) => isCounted(name))
      .reduce((sum, [, text]) => sum + gzipSync(text, { level: 9 }).byteLength, 0);
  return {
    atOnce: sizeOf((name) => atOnce.has(name)),
    conventions: sizeOf((name) => !atOnce.has(name)),
  };
}
