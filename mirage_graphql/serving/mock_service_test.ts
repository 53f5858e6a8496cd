import { rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { serveMock } from "./mock_service.ts";

Deno.test("serveMock() notices that its files disappear while it starts, and listens until it is disposed of", async () => {
  await using temp = await createTempFolder();
  const folder = `${temp.path}/schema`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/all.graphql`, "type Query { size: Int }");
  const seeds = () => Deno.removeSync(folder, { recursive: true });
  const given = { schema: `${folder}/*`, seeds, port: 0 };
  const reported = Promise.withResolvers<string>();
  const log = { info() {}, error: reported.resolve };
  const service = await serveMock({ given, seedFile: undefined, configFile: undefined }, log);
  strictEqual(
    await reported.promise,
    `Cannot serve "${folder}/*": there is no such file\nThe last valid version keeps running`,
  );
  strictEqual((await fetch(`${service.url}?query={size}`)).status, 200);
  await service[Symbol.asyncDispose]();
  await rejects(fetch(service.url), { name: "TypeError" });
});
