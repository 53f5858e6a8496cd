import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { diffEdits, withEdits } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { servePostsSite } from "./testing/posts_site.ts";

const PAGE = new URL("./MIGRATION.md", import.meta.url);
const OLD_PROGRAM = new URL("./testdata/migration/", import.meta.url);
/** Kept as text, because their imports don't exist before the edit. */
const OLD_FILES = ["main.js", "api/index.js", "api/modules/posts.js"];

const OLD_TYPESCRIPT = `import { api } from "@roland1993/api";
import { cancelPendingRequests, useApi } from "@roland1993/api";
import axios from "axios";
interface Post { id: number; title: string }
const posts = api("/posts", axios.create());
const { data, call } = useApi<Post>(() => posts.get(7));
export const title: string | undefined = data.value?.title;
export const reloaded: Promise<Post> = call().then((response) => response.data);
cancelPendingRequests();
`;

/** What the program prints if it works. */
const EXPECTED_OUTPUT = [
  ["New", "Patched", "Put", "Public", 204, [1, 2, 3, 5]],
  true,
  [true, false, { id: 1, title: "Post 1" }],
  [404, false, undefined],
];

async function editsFor(text: string) {
  const edits = diffEdits(await Deno.readTextFile(PAGE));
  return edits.filter(({ removed }) => text.includes(removed));
}

Deno.test("a program for @roland1993/api runs after the edits of MIGRATION.md", async () => {
  await using folder = await createTempFolder();
  await Deno.mkdir(`${folder.path}/api/modules`, { recursive: true });
  for (const file of OLD_FILES) {
    const old = await Deno.readTextFile(new URL(`${file}.txt`, OLD_PROGRAM));
    const edited = withEdits(old, await editsFor(old));
    ok(!edited.includes("@roland1993"), file);
    await Deno.writeTextFile(`${folder.path}/${file}`, edited);
  }
  await using site = servePostsSite();
  const { run } = await import(`file://${folder.path}/main.js`);
  deepStrictEqual(await run(site.url), EXPECTED_OUTPUT);
  ok(site.seen.includes("POST /posts/4/publish"));
});

Deno.test("a TypeScript program for @roland1993/api compiles after the edits of MIGRATION.md", async () => {
  await using folder = await createTempFolder();
  const file = `${folder.path}/main.ts`;
  await Deno.writeTextFile(file, withEdits(OLD_TYPESCRIPT, await editsFor(OLD_TYPESCRIPT)));
  const check = new Deno.Command(Deno.execPath(), {
    args: ["check", "--config", `${ROOT}/deno.json`, file],
    cwd: ROOT,
  });
  const { success, stderr } = await check.output();
  ok(success, new TextDecoder().decode(stderr));
});

Deno.test("each edit of MIGRATION.md is made in one of these programs", async () => {
  const texts = OLD_FILES.map((file) => Deno.readTextFile(new URL(`${file}.txt`, OLD_PROGRAM)));
  const programs = [...await Promise.all(texts), OLD_TYPESCRIPT].join("");
  const edits = diffEdits(await Deno.readTextFile(PAGE));
  strictEqual((await editsFor(programs)).length, edits.length);
});
