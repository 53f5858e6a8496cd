import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { parseEvents } from "../testing/jobs_server.ts";
import { checkAnswer } from "./check_answer.ts";
import { editedHeader } from "../../test_support/fuzz/header_values.ts";
import { startKnownJobs } from "./known_job.ts";

const NUMBER = fc.oneof(fc.nat(30_000), fc.constantFrom(1e14, 1e15, 2 ** 53));
const TRIPLE = fc.tuple(NUMBER, NUMBER, fc.nat(10), fc.constantFrom("", "-end", "-End"))
  .map(([stdout, stderr, events, end]) => `${stdout}-${stderr}-${events}${end}`);

/** `Last-Event-ID`: after an id that was sent come exactly the events that followed it. */
export const eventCursors: Surface = defineSurface<string>({
  name: "mcp-event-cursors",
  share: 0.5,
  open: async () => {
    const { server, path, events, [Symbol.asyncDispose]: dispose } = await startKnownJobs();
    const sent = fc.constantFrom(...events.map(({ id }) => id));
    return {
      inputs: fc.oneof(sent, TRIPLE, editedHeader(sent), editedHeader(TRIPLE)),
      check: async (id) => {
        const response = await server.send(`${path}/events`, { headers: { "last-event-id": id } });
        const body = await response.text();
        const type = response.headers.get("content-type") ?? "";
        checkAnswer({ status: response.status, type, body });
        const at = events.findLastIndex((event) => event.id === id.trim());
        if (at === -1) return;
        const rest = response.status === 204 ? [] : parseEvents(body);
        deepStrictEqual(rest, events.slice(at + 1));
      },
      end: server.faults,
      [Symbol.asyncDispose]: dispose,
    };
  },
});
