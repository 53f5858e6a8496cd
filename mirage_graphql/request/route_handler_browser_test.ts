import { deepStrictEqual } from "node:assert/strict";
import { chromium } from "playwright-core";

const ENTRY = new URL("../testing/browser_route.ts", import.meta.url).pathname;

async function bundle(entry: string): Promise<string> {
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform=browser", entry],
  }).output();
  if (!success) throw new Error(`Cannot bundle "${entry}": ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

Deno.test("the route handler answers what a page in Chromium asks through Mirage", async () => {
  const script = await bundle(ENTRY);
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("<title>app</title>", { headers: { "content-type": "text/html" } }),
  );
  const options = { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] };
  await using browser = await chromium.launch(options);
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.addr.port}/`);
  await page.addScriptTag({ content: script, type: "module" });
  const answers = await page.evaluate("askRoute()");
  const hello = [200, "application/json; charset=utf-8", '{"data":{"hello":"Hello, Zoë"}}'];
  deepStrictEqual(answers, { posted: hello, got: hello, text: 415, bad: 400 });
});
