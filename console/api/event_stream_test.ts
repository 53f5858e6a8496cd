import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readEvents } from "./event_stream.ts";

const BYTES = new TextEncoder().encode(
  ': comment\n\nid: 3-0-1\nevent: stdout\ndata: {"text":"é: a\\n\\nb"}\n\nevent: result\ndata: {}\n\nevent: cut',
);

Deno.test("readEvents() reads whole events, wherever the response is cut", async () => {
  for (const size of [1, 2, 7, 1_000]) {
    const parts = Array.from(
      { length: Math.ceil(BYTES.length / size) },
      (_, index) => BYTES.slice(index * size, (index + 1) * size),
    );
    deepStrictEqual(await Array.fromAsync(readEvents(ReadableStream.from(parts))), [
      { id: "3-0-1", event: "stdout", data: { text: "é: a\n\nb" } },
      { id: "", event: "result", data: {} },
    ]);
  }
});

Deno.test("readEvents() cancels the response when the loop is left", async () => {
  const cancelled = Promise.withResolvers<void>();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(BYTES),
    cancel: () => cancelled.resolve(),
  });
  for await (const { event } of readEvents(stream)) {
    strictEqual(event, "stdout");
    break;
  }
  await cancelled.promise;
});
