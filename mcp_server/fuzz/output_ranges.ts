import { deepStrictEqual, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { checkAnswer } from "./check_answer.ts";
import { editedHeader } from "../../test_support/fuzz/header_values.ts";
import { startKnownJobs } from "./known_job.ts";

/** The headers of a request for the output of a job. */
interface Wish {
  readonly range: string | undefined;
  readonly ifRange: boolean;
}

const OFFSET = fc.oneof(
  fc.nat(20_000).map(String),
  fc.constantFrom("", "", "", "0", "00", "511", "512", "9".repeat(30), "1e3", "+1", "-1"),
);
const RANGE = fc.tuple(
  fc.constantFrom("bytes=", "bytes=", "bytes=", "Bytes = ", "lines=", ""),
  fc.tuple(OFFSET, OFFSET).map((offsets) => offsets.join("-")),
  fc.constantFrom("", "", "", ",5-6", " ", ", "),
).map((parts) => parts.join(""));

/** Ranges of a job's output: what is sent is what the job has written there. */
export const outputRanges: Surface = defineSurface<Wish>({
  name: "mcp-output-ranges",
  share: 0.5,
  open: async () => {
    const { server, path, stdout, [Symbol.asyncDispose]: dispose } = await startKnownJobs();
    const whole = await server.send(`${path}/stdout`);
    const gap = (whole.headers.get("trestle-gap") ?? "").split("-").map(Number);
    const [start = 0, to = 0] = gap;
    const kept = stdout.slice(0, start) + stdout.slice(to);
    deepStrictEqual(await whole.text(), kept);
    return {
      inputs: fc.record({
        range: fc.option(fc.oneof({ weight: 3, arbitrary: RANGE }, editedHeader(RANGE)), {
          nil: undefined,
        }),
        ifRange: fc.nat(9).map((at) => at === 0),
      }),
      check: async ({ range, ifRange }) => {
        const response = await server.send(`${path}/stdout`, {
          headers: {
            ...(range === undefined ? {} : { range }),
            ...(ifRange ? { "if-range": '"x"' } : {}),
          },
        });
        const { status, headers } = response;
        const body = await response.text();
        checkAnswer({ status, body, type: headers.get("content-type") ?? "" });
        if (status === 200) return deepStrictEqual(body, kept);
        const [, first, last, total] =
          /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
        deepStrictEqual(Number(total), stdout.length);
        if (status === 416) return match(headers.get("trestle-first-offset") ?? "", /^\d+$/);
        deepStrictEqual(status, 206);
        deepStrictEqual(body, stdout.slice(Number(first), Number(last) + 1));
        const [, from, until] = /^bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(range ?? "") ?? [];
        const least = from === "" ? Math.max(stdout.length - Number(until), to) : Number(from);
        deepStrictEqual(Number(first), least);
        if (from !== "" && until !== "") ok(Number(last) <= Number(until), `it ends at ${last}`);
      },
      end: server.faults,
      [Symbol.asyncDispose]: dispose,
    };
  },
});
