import { strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { countText, createLiveMock } from "./live_mock.ts";

Deno.test("createLiveMock() has a mock once its files are valid, whenever that is", async () => {
  await using temp = await createTempFolder();
  const path = `${temp.path}/schema.graphql`;
  await Deno.writeTextFile(path, "type Query {");
  const read = Promise.withResolvers<string>();
  const args = { given: { schema: path }, seedFile: undefined, configFile: undefined };
  // watching alone keeps no process running
  const running = setInterval(() => {}, 60_000);
  try {
    await using live = createLiveMock(args, { info: read.resolve, error: read.reject });
    const problem = await live.load().then(() => "none", ({ message }: Error) => message);
    strictEqual(problem, `${path}:1:13: Syntax Error: Expected Name, found <EOF>.`);
    const before = live.current;
    strictEqual(before, undefined);
    live.watch();
    await Deno.writeTextFile(`${path}.new`, "type Query { a: A } type A { id: ID! }");
    await Deno.rename(`${path}.new`, path);
    strictEqual(await read.promise, "Read again: 5 as");
    strictEqual(live.current?.counts.as, 5);
  } finally {
    clearInterval(running);
  }
});

Deno.test("countText() names collections if there are few", () => {
  const counts = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`t${at}s`, 5]));
  strictEqual(countText({}), "no records");
  strictEqual(countText({ people: 1, posts: 0 }), "1 people, 0 posts");
  strictEqual(countText(counts(8)).split(", ").length, 8);
  strictEqual(countText(counts(500)), "2500 records of 500 types");
});
