import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readJson } from "./body.ts";

const URL_ = "http://localhost/api";
const JSON_TYPE = { "content-type": "application/json" };

function post(body: BodyInit, headers: Record<string, string> = JSON_TYPE): Request {
  return new Request(URL_, { method: "POST", body, headers });
}

function chunked(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
}

async function codeOf(request: Request, maxBytes = 100): Promise<string> {
  const body = await readJson(request, { maxBytes, exchange });
  return body.ok ? "ok" : `${body.problem.status} ${body.problem.code}`;
}

const exchange = { expectBody() {}, expectNothing() {} };

Deno.test("readJson() reads JSON of every form of the media type", async () => {
  for (
    const type of ["application/json", "Application/JSON; charset=utf-8", "application/x+json"]
  ) {
    const body = await readJson(post('{"a":"ä"}', { "content-type": type }), {
      maxBytes: 100,
      exchange,
    });
    deepStrictEqual(body, { ok: true, value: { a: "ä" } }, type);
  }
});

Deno.test("readJson() rejects other media types", async () => {
  for (const type of ["text/plain", "application/jsonp", "application/x-www-form-urlencoded", ""]) {
    strictEqual(await codeOf(post("{}", { "content-type": type })), "415 UNSUPPORTED_MEDIA_TYPE");
  }
});

Deno.test("readJson() counts bytes, with or without a declared length", async () => {
  const fits = JSON.stringify("x".repeat(98));
  strictEqual(await codeOf(post(fits)), "ok");
  strictEqual(await codeOf(post(chunked(fits))), "ok");
  strictEqual(await codeOf(post(`${fits} `)), "413 BODY_TOO_LARGE");
  strictEqual(await codeOf(post(chunked(`${fits} `))), "413 BODY_TOO_LARGE");
  strictEqual(await codeOf(post(JSON.stringify("ä".repeat(50)))), "413 BODY_TOO_LARGE");
});

Deno.test("readJson() rejects what is not JSON, not UTF-8, or ends early", async () => {
  for (const text of ["", "{", "{'a':1}", "undefined", "[1,]"]) {
    strictEqual(await codeOf(post(text)), "400 MALFORMED_JSON", text);
  }
  strictEqual(await codeOf(post(Uint8Array.of(0x22, 0xff, 0x22))), "400 MALFORMED_JSON");
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  strictEqual(await codeOf(post(broken)), "400 BODY_UNREADABLE");
});
