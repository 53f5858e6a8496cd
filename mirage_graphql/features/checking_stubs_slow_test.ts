import { ok } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";

const APP = new URL("../testdata/check_app/", import.meta.url).pathname;
const COMMAND = new URL("../check.ts", import.meta.url).pathname;
const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

async function run(...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  ok(success, `${text}\n${new TextDecoder().decode(stderr)}`);
  return text;
}

Deno.test("the stubs that check writes have the types of the schema, and compile", async () => {
  const schema = `${APP}schema.graphql`;
  const command = ["run", "-A", "--no-check", COMMAND, `${APP}src`, "--schema", schema];
  const stubs = await run(...command, "--stubs", "-");
  await using folder = await createTempFolder();
  const path = `${folder.path}/stubs.ts`;
  const mod = JSON.stringify(new URL("../mod.ts", import.meta.url).href);
  const use = `
    import { createMock } from ${mod};
    createMock("", undefined, { resolvers });
    type Args = Parameters<typeof resolvers.Mutation.frobArticle>[1];
    export const right: Args = { input: { id: "1", publish: true, schedule: { next: { at: 1 } } } };
    // @ts-expect-error the id is missing
    export const wrong: Args = { input: { publish: true } };
  `;
  const text = `${stubs.replaceAll('"@trestle/mirage-graphql"', mod)}\n${use}`;
  await Deno.writeTextFile(path, text);
  await run("check", "--config", CONFIG, path);
});
