import { match } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { startServe, startServeBy } from "../testing/serve_process.ts";

const PEOPLE = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
const POSTS = "extend type Query { posts: [Post!]! } type Post { id: ID! }";
const BOTH = /Read again: 5 people, 5 posts\n|Read again: 5 posts, 5 people\n/;

async function ask(url: string, query: string): Promise<unknown> {
  const answer = await fetch(`${url}?query=${encodeURIComponent(query)}`);
  return await answer.json();
}

Deno.test("serve watches the folder of its schema again when it is back after a removal", async () => {
  await using temp = await createTempFolder();
  const folder = `${temp.path}/a/schema`;
  const write = async (text: string) => {
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(`${folder}/all.graphql`, text);
  };
  await write(PEOPLE);
  await using serve = startServe(`${folder}/all.graphql`, "--port", "0");
  const url = await serve.url();
  await Deno.remove(`${temp.path}/a`, { recursive: true });
  await serve.until(/all.graphql: Cannot read the file: No such file\nThe last valid version/);
  match(JSON.stringify(await ask(url, "{ people { id } }")), /{"data":{"people":\[{/);
  await write(PEOPLE + POSTS);
  await serve.until(BOTH);
  let before = serve.output.length;
  await write(PEOPLE);
  await serve.until(/Read again: 5 people\n/, before);

  // The folder is back before serve has looked at what changed.
  before = serve.output.length;
  await Deno.remove(`${temp.path}/a`, { recursive: true });
  await write(PEOPLE + POSTS);
  await serve.until(BOTH, before);
  before = serve.output.length;
  await write(PEOPLE);
  await serve.until(/Read again: 5 people\n/, before);
});

Deno.test("serve watches a folder that is back without its files, and reads them once they are there", async () => {
  await using temp = await createTempFolder();
  const folder = `${temp.path}/schema`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/all.graphql`, PEOPLE);
  await using serve = startServe(folder, "--port", "0");
  await serve.url();
  await Deno.remove(folder, { recursive: true });
  await serve.until(/Cannot read the file: No such file\nThe last valid version/);
  await Deno.mkdir(folder);
  await serve.until(/there is no .graphql, .graphqls or .gql file in it\nThe last valid version/);
  await Deno.writeTextFile(`${folder}/all.graphql`, PEOPLE + POSTS);
  await serve.until(BOTH);
});

/** Whether a test may create a user namespace, which has limits of its own. */
function canLimit(): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    return new Deno.Command("unshare", { args: ["-Ur", "true"], stderr: "null" }).outputSync()
      .success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "serve notices changes where the system lets it subscribe to none",
  ignore: !canLimit(),
  async fn() {
    await using temp = await createTempFolder();
    const path = `${temp.path}/all.graphql`;
    await Deno.writeTextFile(path, PEOPLE);
    const limit = 'echo 0 > /proc/sys/user/max_inotify_watches; exec "$@"';
    const starter = ["unshare", "-Ur", "sh", "-c", limit, "sh"];
    await using serve = startServeBy(starter, temp.path, "--port", "0");
    const url = await serve.url();
    await Deno.writeTextFile(path, PEOPLE.replace("name", "nick"));
    await serve.until(/Read again: .*\n/);
    match(JSON.stringify(await ask(url, "{ people { nick } }")), /{"data":{"people":\[{/);
  },
});
