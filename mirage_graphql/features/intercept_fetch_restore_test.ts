import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { createFetchInterceptor } from "../intercept/fetch_interceptor.ts";
import { serveRoutes } from "../testing/seed_server.ts";

async function getJson(input: string | URL | Request, init?: RequestInit): Promise<unknown> {
  const response = await fetch(input, init);
  return await response.json();
}

Deno.test("restore() and `using` restore fetch, in any order", async () => {
  const realFetch = globalThis.fetch;
  const make = (name: string) => {
    const interceptor = createFetchInterceptor();
    serveRoutes(interceptor, function () {
      this.get(`/${name}`, () => [name]);
      this.get("/both", () => [name]);
    });
    return interceptor;
  };
  const first = make("first");
  const second = make("second");
  deepStrictEqual(await getJson("/both"), ["second"]);
  deepStrictEqual(await getJson("/first"), ["first"]);
  first.restore();
  deepStrictEqual(await getJson("/second"), ["second"]);
  await rejects(fetch("/first"), /Your app tried to GET '\/first'/);
  second.restore();
  second.restore();
  strictEqual(globalThis.fetch, realFetch);
  {
    using _third = make("third");
    deepStrictEqual(await getJson("/both"), ["third"]);
  }
  strictEqual(globalThis.fetch, realFetch);
});

Deno.test("restore() keeps a fetch that other code has set since", async () => {
  const realFetch = globalThis.fetch;
  const interceptor = createFetchInterceptor();
  serveRoutes(interceptor, function () {
    this.get("/a", () => ["a"]);
  });
  const ours = globalThis.fetch;
  const theirs: typeof fetch = (input, init) => ours(input, init);
  globalThis.fetch = theirs;
  try {
    interceptor.restore();
    strictEqual(globalThis.fetch, theirs);
    strictEqual(await (await fetch("data:,through")).text(), "through");
  } finally {
    globalThis.fetch = realFetch;
  }
});

Deno.test("server.shutdown() restores fetch too", () => {
  const realFetch = globalThis.fetch;
  const server = serveRoutes(createFetchInterceptor(), () => {});
  ok(globalThis.fetch !== realFetch);
  server.shutdown();
  strictEqual(globalThis.fetch, realFetch);
});

Deno.test({
  name: "timing delays responses; an abort ends the wait, and so does restore()",
  sanitizeOps: true,
  fn: timingDelays,
});

async function timingDelays(): Promise<void> {
  const interceptor = createFetchInterceptor();
  let runs = 0;
  let onRun = () => {};
  /** Resolves when a route has run and the interceptor waits for its timing, or its result. */
  const nextRun = async () => {
    await new Promise<void>((resolve) => onRun = resolve);
    await new Promise((resolve) => setTimeout(resolve));
  };
  serveRoutes(interceptor, function () {
    this.get("/slow", () => {
      runs++;
      onRun();
      return ["slow"];
    }, { timing: 60_000 });
    this.get("/some", () => ["some"], { timing: 20 });
    this.get("/never", () => {
      onRun();
      return new Promise(() => {});
    });
  });
  const start = performance.now();
  deepStrictEqual(await getJson("/some"), ["some"]);
  ok(performance.now() - start >= 19);
  for (const path of ["/slow", "/never"]) {
    const controller = new AbortController();
    const running = nextRun();
    const aborted = fetch(path, { signal: controller.signal });
    await running;
    controller.abort();
    await rejects(aborted, { name: "AbortError" });
  }
  await rejects(fetch("/slow", { signal: AbortSignal.abort() }), { name: "AbortError" });
  strictEqual(runs, 1, "an aborted request runs no route");
  const running = nextRun();
  const started = getJson("/slow");
  await running;
  const starting = getJson("/slow");
  interceptor.restore();
  deepStrictEqual([await started, await starting], [["slow"], ["slow"]]);
}
