import { deepStrictEqual } from "node:assert/strict";
import { createTempFolder } from "../temp_folder.ts";
import { serveFolder } from "./serve_page.ts";

Deno.test("serveFolder() answers files, the app's page at its paths, and 404 for other files", async () => {
  await using folder = await createTempFolder();
  await Deno.writeTextFile(`${folder.path}/index.html`, "page");
  await Deno.writeTextFile(`${folder.path}/a b.css`, "style");
  await using site = serveFolder(folder.path);
  const answers = [];
  for (const path of ["/", "/people/1", "/a%20b.css", "/none.js"]) {
    const response = await fetch(`${site.url}${path}`);
    answers.push([response.status, response.headers.get("content-type"), await response.text()]);
  }
  deepStrictEqual(answers, [
    [200, "text/html; charset=utf-8", "page"],
    [200, "text/html; charset=utf-8", "page"],
    [200, "text/css; charset=utf-8", "style"],
    [404, "text/plain;charset=UTF-8", "Not found"],
  ]);
});

Deno.test("serveFolder() answers with the files what its `handle` returns no response for", async () => {
  await using folder = await createTempFolder();
  await Deno.writeTextFile(`${folder.path}/index.html`, "page");
  const handle = ({ url }: Request) =>
    new URL(url).pathname === "/api" ? new Response("api") : undefined;
  await using site = serveFolder(folder.path, { handle });
  const read = async (path: string) => await (await fetch(`${site.url}${path}`)).text();
  deepStrictEqual([await read("/api"), await read("/other")], ["api", "page"]);
});
