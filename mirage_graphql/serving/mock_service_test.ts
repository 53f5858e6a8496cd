import { rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { countText, serveMock } from "./mock_service.ts";

Deno.test("serveMock() leaves nothing that listens if its files disappear while it starts", async () => {
  await using temp = await createTempFolder();
  const folder = `${temp.path}/schema`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/all.graphql`, "type Query { size: Int }");
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const seeds = () => Deno.removeSync(folder, { recursive: true });
  const args = { given: { schema: `${folder}/*`, seeds, port }, seedFile: undefined };
  const log = { info() {}, error() {} };
  await rejects(serveMock({ ...args, configFile: undefined }, log), {
    name: "ServeError",
    message: `Cannot serve "${folder}/*": there is no such file`,
  });
  await rejects(Deno.connect({ hostname: "127.0.0.1", port }), Deno.errors.ConnectionRefused);
});

Deno.test("countText() names collections if there are few", () => {
  const counts = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`t${at}s`, 5]));
  strictEqual(countText({}), "no records");
  strictEqual(countText({ people: 1, posts: 0 }), "1 people, 0 posts");
  strictEqual(countText(counts(8)).split(", ").length, 8);
  strictEqual(countText(counts(500)), "2500 records of 500 types");
});
