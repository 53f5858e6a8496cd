import fc from "fast-check";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { ToolError } from "../shared/error.ts";
import { matchesPath } from "../shared/wildcard.ts";
import { boundedCaller } from "../testing/bounded_caller.ts";
import { readFilePart } from "../toolkit/files/read_file_part.ts";

const { signal } = new AbortController();
const PATHS_PER_TREE = 40;

const name = fc.constantFrom("a", "b");
const places = ["a", "b", "a/a", "a/b", "b/a", "b/b", "a/a/a", "a/b/b", "b/a/a", "b/b/b"];
/** What a link leads to, from where it is or from the root of the tree. */
const target = fc.oneof(
  fc.array(fc.constantFrom("a", "b", "..", "."), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("/")),
  fc.array(name, { maxLength: 3 }).map((parts) => `/${parts.join("/")}`),
);
const node = fc.oneof(fc.constant("folder"), fc.constant("file"), target);
const tree = fc.array(node, { minLength: places.length, maxLength: places.length });
const path = fc.array(fc.oneof({ weight: 4, arbitrary: name }, fc.constantFrom("..", ".")), {
  minLength: 1,
  maxLength: 6,
}).map((parts) => parts.join("/"));
const pattern = fc.constantFrom("/a/**", "/b/**", "/a/*", "/*/a/**", "/**/b", "/a/a", "/**");

/** Creates what fits: a part of a path may be a file or a link that leads nowhere. */
async function createTree(at: string, nodes: readonly string[]): Promise<void> {
  for (const [index, kind] of nodes.entries()) {
    const place = `${at}/${places[index]}`;
    const created = kind === "folder"
      ? Deno.mkdir(place)
      : kind === "file"
      ? Deno.writeTextFile(place, "", { createNew: true })
      : Deno.symlink(kind.startsWith("/") ? at + kind : kind, place);
    await created.catch(() => {});
  }
  for (const path of await filesIn(at)) await Deno.writeTextFile(path, path);
}

async function filesIn(at: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("find", { args: [at, "-type", "f"] }).output();
  return new TextDecoder().decode(stdout).split("\n").filter(Boolean);
}

Deno.test("a bounded read gets exactly the files whose real paths match, in any tree of links", async () => {
  const seen = { inside: 0, outside: 0 };
  const property = fc.asyncProperty(
    tree,
    fc.array(pattern, { maxLength: 2 }),
    fc.array(path, { minLength: PATHS_PER_TREE, maxLength: PATHS_PER_TREE }),
    async (nodes, patterns, paths) => {
      await using folder = await createTempFolder();
      const at = folder.path;
      await createTree(at, nodes);
      const allowed = patterns.map((pattern) => at + pattern);
      const caller = boundedCaller({ paths: allowed });
      for (const part of paths) {
        const path = `${at}/${part}`;
        const real = await Deno.realPath(path).catch(() => undefined);
        const isInside = real !== undefined && matchesPath(real, allowed);
        const outcome = await read(path, caller);
        const isFile = real !== undefined && (await Deno.stat(real)).isFile;
        if ("text" in outcome) {
          seen.inside++;
          deepStrictEqual([isInside, outcome.text], [true, real], path);
        } else if (isInside && !part.includes("..")) {
          strictEqual(outcome.code, isFile ? undefined : "NOT_A_FILE", path);
        } else if (real !== undefined && !isInside) {
          seen.outside++;
          strictEqual(outcome.code, "NOT_ALLOWED", path);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 25 });
  ok(seen.inside > 0 && seen.outside > 0, JSON.stringify(seen));
});

async function read(path: string, caller: ReturnType<typeof boundedCaller>) {
  try {
    const { bytes } = await readFilePart(path, { maxBytes: 1_000, signal, caller });
    return { text: new TextDecoder().decode(bytes) };
  } catch (error) {
    if (error instanceof ToolError) return { code: error.code };
    throw error;
  }
}
