import { deepStrictEqual } from "node:assert/strict";
import { createTempFolder } from "../temp_folder.ts";
import { serveFolder, serveSite } from "./serve_page.ts";

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

Deno.test("serveSite() answers files, pages without their ending, and 404.html below its base", async () => {
  await using folder = await createTempFolder();
  await Deno.mkdir(`${folder.path}/a`);
  for (const file of ["index.html", "b.html", "a/index.html", "404.html", "a/c.webp"]) {
    await Deno.writeTextFile(`${folder.path}/${file}`, file);
  }
  await using site = serveSite(folder.path, { base: "/x/" });
  const answers = [];
  for (
    const path of ["/x/", "/x/b", "/x/a/", "/x/a/c.webp", "/x/a", "/x/none", "/b", "/x/%2e%2e/b"]
  ) {
    const response = await fetch(`${site.url}${path}`);
    answers.push([response.status, response.headers.get("content-type"), await response.text()]);
  }
  const html = "text/html; charset=utf-8";
  deepStrictEqual(answers, [
    [200, html, "index.html"],
    [200, html, "b.html"],
    [200, html, "a/index.html"],
    [200, "image/webp", "a/c.webp"],
    ...Array(4).fill([404, html, "404.html"]),
  ]);
});
