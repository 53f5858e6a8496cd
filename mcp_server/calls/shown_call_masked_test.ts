import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "../access/caller.ts";
import { SecretMask } from "../access/secret_mask.ts";
import { buildResponse } from "../tool/result.ts";
import type { CallOptions } from "../tool/service.ts";
import { maskOptions, maskRefusal, maskResult } from "./shown_call.ts";

const VALUE = 'npm_"0123456789"';
const mask = new SecretMask(new Map([["TOKEN", VALUE]]));

Deno.test("maskResult() masks data and its text, once or twice in JSON, and keeps what has no value", () => {
  const file = JSON.stringify({ token: VALUE });
  deepStrictEqual(maskResult(buildResponse({ plain: VALUE, file }), mask), {
    content: [{ type: "text", text: '{"plain":"[TOKEN]","file":"{\\"token\\":\\"[TOKEN]\\"}"}' }],
    structuredContent: { plain: "[TOKEN]", file: '{"token":"[TOKEN]"}' },
  });
  const failed = { content: [{ type: "text" as const, text: `no ${VALUE}` }], isError: true };
  deepStrictEqual(maskResult(failed, mask), {
    content: [{ type: "text", text: "no [TOKEN]" }],
    isError: true,
  });
  const other = buildResponse({ plain: "npm_" });
  strictEqual(maskResult(other, mask), other);
});

Deno.test("maskRefusal() masks the message, the issues and the data of an error", () => {
  const refusal = {
    kind: "INVALID_ARGUMENTS",
    code: "INVALID_ARGUMENTS",
    message: `wrong ${VALUE}`,
    issues: [{ path: ["a"], message: VALUE }],
    rpcError: { code: 1, data: { value: VALUE } },
  } as const;
  deepStrictEqual(maskRefusal(refusal, mask), {
    ...refusal,
    message: "wrong [TOKEN]",
    issues: [{ path: ["a"], message: "[TOKEN]" }],
    rpcError: { code: 1, data: { value: "[TOKEN]" } },
  });
});

Deno.test("maskOptions() masks all that a call reports and asks", async () => {
  const seen: unknown[] = [];
  const see = (value: unknown) => void seen.push(value);
  const options: CallOptions = maskOptions({
    transport: "http",
    client: new AbortController(),
    caller: DEFAULT_CALLER,
    onProgress: see,
    onOutput: see,
    ask: (question) => {
      see(question);
      return Promise.resolve({ action: "decline" });
    },
    onNotification: (notification) => Promise.resolve(see(notification)),
  }, mask);
  options.onProgress?.({ progress: 1, message: VALUE });
  options.onOutput?.({ stream: "stdout", text: VALUE });
  const bytes = new TextEncoder().encode(VALUE);
  options.onOutput?.({ stream: "stdout", text: VALUE, bytes });
  const plain = { stream: "stderr", text: "x", bytes: Uint8Array.of(120) } as const;
  options.onOutput?.(plain);
  await options.ask?.({ message: VALUE, schema: { title: VALUE } });
  await options.onNotification?.({ method: "notifications/message", params: { data: VALUE } });
  deepStrictEqual(seen, [
    { progress: 1, message: "[TOKEN]" },
    { stream: "stdout", text: "[TOKEN]" },
    { stream: "stdout", text: "[TOKEN]", bytes: new TextEncoder().encode("[TOKEN]") },
    plain,
    { message: "[TOKEN]", schema: { title: "[TOKEN]" } },
    { method: "notifications/message", params: { data: "[TOKEN]" } },
  ]);
  strictEqual(seen[3], plain);
});

Deno.test("maskOptions() adds nothing that can't be done", () => {
  const options: CallOptions = {
    transport: "http",
    client: new AbortController(),
    caller: DEFAULT_CALLER,
  };
  deepStrictEqual(maskOptions(options, mask), options);
});
