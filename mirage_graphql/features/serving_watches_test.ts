import { match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { startServe, startServeWith } from "../testing/serve_process.ts";

const PEOPLE = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
const POSTS = "extend type Query { posts: [Post!]! } type Post { id: ID! }";
const BOTH = /Read again: 5 people, 5 posts\n|Read again: 5 posts, 5 people\n/;
const KEEPS = "The mock keeps running; it reads new changes after a restart";

async function ask(url: string, query: string): Promise<unknown> {
  const answer = await fetch(`${url}?query=${encodeURIComponent(query)}`);
  return await answer.json();
}

/** What is neither the first line nor one about files that were read. */
function complaintsOf(output: string): string {
  return output.split("\n").filter((line) => !/^(Serving|Read again:|$)/.test(line)).join("\n");
}

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

/** Starts a program that may watch only so many folders. */
function limitedTo(watches: number): readonly string[] {
  const limit = `echo ${watches} > /proc/sys/user/max_inotify_watches; exec "$@"`;
  return ["unshare", "-Ur", "sh", "-c", limit, "sh"];
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

Deno.test("serve answers if it may not watch its files, and says so once", async () => {
  await using temp = await createTempFolder();
  const path = `${temp.path}/all.graphql`;
  await Deno.writeTextFile(path, PEOPLE);
  const permissions = [`--allow-read=${path}`, "--allow-net=127.0.0.1"];
  await using serve = startServeWith({ permissions }, path, "--port", "0");
  match(JSON.stringify(await ask(await serve.url(), "{ people { id } }")), /{"data":{"people":\[{/);
  serve.kill("SIGTERM");
  strictEqual((await serve.status).code, 0);
  strictEqual(
    complaintsOf(serve.output),
    `Cannot watch "${path}" for changes: Requires read access to "${temp.path}", run again with ` +
      `the --allow-read flag\n${KEEPS}`,
  );
});

Deno.test({
  name: "serve keeps answering, and watches what it did, at the limit of inotify watches",
  ignore: !canLimit(),
  async fn() {
    await using temp = await createTempFolder();
    await using other = await createTempFolder();
    const path = `${temp.path}/all.graphql`;
    await Deno.writeTextFile(path, PEOPLE);
    await using serve = startServeWith({ starter: limitedTo(1) }, temp.path, "--port", "0");
    const url = await serve.url();
    for (const name of ["posts", "tags"]) {
      await Deno.mkdir(`${other.path}/${name}`);
      const text = POSTS.replace("posts", name).replaceAll("Post", name);
      await Deno.writeTextFile(`${other.path}/${name}/all.graphql`, text);
      await Deno.rename(`${other.path}/${name}`, `${temp.path}/${name}`);
      await serve.until(new RegExp(`Read again: .*${name}.*\n`));
    }
    const before = serve.output.length;
    await Deno.writeTextFile(`${other.path}/all`, PEOPLE.replace("name", "nick"));
    await Deno.rename(`${other.path}/all`, path);
    await serve.until(/Read again: .*\n/, before);
    match(JSON.stringify(await ask(url, "{ people { nick } }")), /{"data":{"people":\[{/);
    await serve.until(new RegExp(KEEPS));
    strictEqual(
      complaintsOf(serve.output),
      `Cannot watch "${temp.path}" for changes: OS file watch limit reached; ` +
        `raise fs.inotify.max_user_watches\n${KEEPS}`,
    );
  },
});
