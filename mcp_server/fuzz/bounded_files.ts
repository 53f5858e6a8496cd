import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { bearerOf } from "../testing/callers_file.ts";
import { checkAnswer } from "./check_answer.ts";
import { CALLERS, type FuzzServer, useFuzzServer } from "./fuzz_server.ts";

/** A file that a caller with bounded paths asks for. */
interface Wish {
  readonly tool: "read-file" | "write-file" | "edit-file" | "search-files" | "list-files";
  readonly start: "inside" | "outside" | "root" | "process" | "relative";
  readonly parts: readonly string[];
  readonly createParents: boolean;
}

const PART = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("..", ".", "link", "up", "folder", "secret", "inside") },
  fc.constantFrom("", "a", "%2e%2e", "..%2f", "secret\0a", "\u2025", "．．", "*", "~", "\\..\\"),
  fc.string({ maxLength: 3 }),
);

/** Paths by which a caller might leave the folder that it is bounded to. */
export const boundedFiles: Surface = defineSurface<Wish>({
  name: "mcp-bounded-files",
  share: 0.3,
  open: async () => {
    const server = await useFuzzServer();
    const outside = namesIn(`${server.files}/..`);
    return {
      inputs: fc.record({
        tool: fc.constantFrom<Wish["tool"]>(
          "read-file",
          "write-file",
          "edit-file",
          "search-files",
          "list-files",
        ),
        start: fc.constantFrom<Wish["start"]>(
          "inside",
          "inside",
          "outside",
          "root",
          "process",
          "relative",
        ),
        parts: fc.array(PART, { maxLength: 6 }),
        createParents: fc.boolean(),
      }),
      check: async (wish) => {
        const { tool, createParents } = wish;
        const path = pathOf(wish, server);
        const edits = [{ old: "written", new: "edited" }];
        const args = {
          "read-file": { path },
          "write-file": { path, content: "written", createParents },
          "edit-file": { path, edits },
          "search-files": { path, pattern: "." },
          "list-files": { path, depth: 9 },
        }[tool];
        const response = await server.send("/api", {
          method: "POST",
          headers: { "content-type": "application/json", ...bearerOf(CALLERS.bounded) },
          body: JSON.stringify({ tool, args }),
        });
        const type = response.headers.get("content-type") ?? "";
        const answer = { status: response.status, type, body: await response.text() };
        checkAnswer(answer, server.secret.text);
        deepStrictEqual(namesIn(`${server.files}/..`), outside);
        deepStrictEqual(await Deno.readTextFile(server.secret.path), server.secret.text);
        if (answer.status !== 200) return;
        const real = await Deno.realPath(path);
        // The tools for folders may reach the folder itself, whose path has no slash at its end.
        ok(`${real}/`.startsWith(`${await Deno.realPath(server.files)}/`), `it reached ${real}`);
      },
      end: server.faults,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
});

function pathOf({ start, parts }: Wish, { files, secret }: FuzzServer): string {
  const below = parts.join("/");
  const starts = {
    inside: `${files}/${below}`,
    outside: `${secret.path}${below === "" ? "" : `/${below}`}`,
    root: `//${below}${secret.path}`,
    process: `/proc/self/root/${below}${secret.path}`,
    relative: below,
  };
  return starts[start];
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
