import { gzipSync } from "node:zlib";
import { bundleParts } from "../../test_support/browser/bundle.ts";

/** Packages that a page has anyway: they aren't counted. */
const EXTERNAL = ["graphql", "miragejs", "@graphql-tools/schema"];

/** Most bytes that a page loads for a handler, by entry. */
export const MOST_BYTES = { handler: 98_100, core: 45_700, one_dialect: 69_100 } as const;

/**
 * Measures what a page loads at once that imports one of `bench/entries/`: bytes, minified and
 * compressed.
 */
export async function measureHandler(name: keyof typeof MOST_BYTES): Promise<number> {
  return (await measureEntry(name)).atOnce;
}

/** Measures what a page with a mock loads for its panel too: at once, and in all once it is opened. */
export async function measurePanel(): Promise<EntrySize> {
  const [handler, panel] = await Promise.all([measureEntry("handler"), measureEntry("panel")]);
  return { atOnce: panel.atOnce - handler.atOnce, inAll: panel.inAll - handler.inAll };
}

/** Bytes of an entry, minified and compressed. */
interface EntrySize {
  readonly atOnce: number;
  /** With all that is loaded later. */
  readonly inAll: number;
}

async function measureEntry(name: string): Promise<EntrySize> {
  const entry = new URL(`./entries/${name}.ts`, import.meta.url);
  const parts = await bundleParts(entry, { minify: true, external: EXTERNAL });
  const atOnce = new Set<string>();
  const load = (part: string): void => {
    if (atOnce.has(part)) return;
    atOnce.add(part);
    const statements = parts.get(part)?.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g) ?? [];
    for (const [, imported = ""] of statements) load(imported);
  };
  load(`${name}.js`);
  const bytesOf = (names: Iterable<string>) =>
    [...names].map((part) => countedBytes(parts.get(part) ?? ""))
      .reduce((sum, bytes) => sum + bytes, 0);
  return { atOnce: bytesOf(atOnce), inAll: bytesOf(parts.keys()) };
}

/**
 * Compressed bytes of a part, without its imports of packages that a page has anyway: a page that is
 * bundled with them has none, and here each module has its own.
 */
export function countedBytes(text: string): number {
  const own = text.replace(
    /import\s*(?:\{[^{}]*\}|\*\s*as\s+[\w$]+)\s*from\s*"(?:graphql|miragejs|@graphql-tools\/schema)";?/g,
    "",
  );
  return gzipSync(own, { level: 9 }).byteLength;
}
