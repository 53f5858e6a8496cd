import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fitOutputs, OutputCapture } from "./command_output.ts";

const encoder = new TextEncoder();

function capture(limit: number, ...pieces: (string | number[])[]): OutputCapture {
  const capture = new OutputCapture(limit);
  for (const piece of pieces) {
    capture.push(typeof piece === "string" ? encoder.encode(piece) : Uint8Array.from(piece));
  }
  return capture;
}

const TEXTS: { what: string; limit: number; pieces: (string | number[])[]; text: string }[] = [
  { what: "nothing", limit: 8, pieces: [], text: "" },
  { what: "less than the cap", limit: 8, pieces: ["abc"], text: "abc" },
  { what: "exactly the cap", limit: 8, pieces: ["abcd", "efgh"], text: "abcdefgh" },
  {
    what: "one byte over the cap",
    limit: 8,
    pieces: ["abcdefghi"],
    text: "ab\n[... 1 bytes left out ...]\ndefghi",
  },
  {
    what: "a head that ends its line",
    limit: 8,
    pieces: ["a\n", "0123456789"],
    text: "a\n[... 4 bytes left out ...]\n456789",
  },
  {
    what: "many small pieces",
    limit: 8,
    pieces: [..."0123456789abcdef"],
    text: "01\n[... 8 bytes left out ...]\nabcdef",
  },
  {
    what: "a character cut by the end of the head",
    limit: 8,
    pieces: ["aé23456789"],
    text: "a\n[... 4 bytes left out ...]\n456789",
  },
  {
    what: "a character cut by the begin of the tail",
    limit: 8,
    pieces: ["0123€6789"],
    text: "01\n[... 5 bytes left out ...]\n6789",
  },
  {
    what: "a character of four bytes at the cut",
    limit: 16,
    pieces: ["😀😀😀😀😀"],
    text: "😀\n[... 4 bytes left out ...]\n😀😀😀",
  },
  {
    what: "bytes that are not UTF-8",
    limit: 8,
    pieces: [[0x61, 0xff, 0xc3], [0x28]],
    text: "a\ufffd\ufffd(",
  },
  { what: "a sequence that the output cuts", limit: 8, pieces: [[0xe2, 0x82]], text: "\ufffd" },
  { what: "a byte order mark", limit: 8, pieces: ["\ufeffa"], text: "\ufeffa" },
  { what: "a cap of nothing", limit: 0, pieces: ["abc"], text: "[... 3 bytes left out ...]\n" },
  { what: "a cap of one", limit: 1, pieces: ["abc"], text: "[... 2 bytes left out ...]\nc" },
];

for (const { what, limit, pieces, text } of TEXTS) {
  Deno.test(`OutputCapture keeps ${what}`, () => {
    strictEqual(capture(limit, ...pieces).text(), text);
  });
}

Deno.test("OutputCapture reports whether something is left out", () => {
  deepStrictEqual(["12345678", "123456789"].map((text) => capture(8, text).truncated), [
    false,
    true,
  ]);
});

Deno.test("OutputCapture returns the same text however the stream is split", () => {
  const random = createRandom(1);
  for (let round = 0; round < 300; round++) {
    const bytes = toRandomBytes(random, round % 2 === 0);
    const limit = random(64);
    const whole = new OutputCapture(limit);
    whole.push(bytes);
    const cut = new OutputCapture(limit);
    for (let at = 0; at < bytes.length;) {
      const length = random(20);
      cut.push(bytes.subarray(at, at + length));
      at += length;
    }
    strictEqual(cut.text(), whole.text(), `round ${round}`);
    strictEqual(cut.truncated, whole.truncated);
  }
});

Deno.test("OutputCapture leaves out exactly as many bytes as it reports, at character boundaries", () => {
  const random = createRandom(2);
  for (let round = 0; round < 300; round++) {
    const bytes = toRandomBytes(random, true);
    const full = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const text = capture(random(64), [...bytes]).text();
    const [head, count, tail] = text.split(/\n?\[\.\.\. (\d+) bytes left out \.\.\.\]\n/);
    if (head === undefined || count === undefined || tail === undefined) {
      strictEqual(text, full);
      continue;
    }
    ok(full.startsWith(head) && full.endsWith(tail), `round ${round}`);
    strictEqual(encoder.encode(head + tail).length + Number(count), bytes.length);
  }
});

/** A seeded generator of integers below a bound. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function toRandomBytes(random: (below: number) => number, valid: boolean): Uint8Array {
  const length = random(100);
  if (!valid) return Uint8Array.from({ length }, () => random(256));
  const characters = ["a", "é", "€", "😀"];
  return encoder.encode(Array.from({ length }, () => characters[random(4)]).join(""));
}

Deno.test("OutputCapture.fit() keeps head and tail within a length of JSON, and says what it leaves out", () => {
  const cases: [limit: number, ...pieces: (string | number[])[]][] = [
    [4_000, "\0".repeat(1_000)],
    [4_000, "\0".repeat(9_000)],
    [4_000, "é\n".repeat(1_000)],
    [4_000, '"\\'.repeat(5_000)],
    [4_000, Array(3_000).fill(0xff)],
  ];
  for (const [limit, ...pieces] of cases) {
    const output = capture(limit, ...pieces);
    for (const most of [100, 500, 1_000]) {
      const { text, truncated } = output.fit(most);
      strictEqual(truncated, true);
      ok(JSON.stringify(text).length - 2 <= most, `${JSON.stringify(text).length} of ${most}`);
      const [, head = "", leftOut, tail = ""] =
        /^(.*?)\n?\[\.\.\. (\d+) bytes left out \.\.\.\]\n(.*)$/s.exec(text) ?? [];
      if (text.includes("\ufffd") || text.includes("é")) continue;
      const total = pieces.join("").length;
      strictEqual(head.length + Number(leftOut) + tail.length, total);
      ok(tail.length >= head.length);
    }
  }
});

Deno.test("OutputCapture.fit() leaves what fits unchanged", () => {
  deepStrictEqual(capture(9, "a\0b").fit(8), { text: "a\0b", truncated: false });
  deepStrictEqual(capture(8, "0123456789").fit(99), {
    text: "01\n[... 2 bytes left out ...]\n456789",
    truncated: true,
  });
});

Deno.test("fitOutputs() lets each output use what the other one leaves", () => {
  const few = capture(99, "few");
  const many = capture(9_999, "x".repeat(9_999));
  const first = fitOutputs({ stdout: many, stderr: few }, 1_000);
  const second = fitOutputs({ stdout: few, stderr: many }, 1_000);
  deepStrictEqual([first.stderr, second.stdout], ["few", "few"]);
  for (const { length } of [first.stdout, second.stderr]) ok(length > 900 && length <= 997);
  const both = fitOutputs({ stdout: many, stderr: many }, 1_000);
  ok(both.stdout.length > 400 && both.stderr.length > 400);
  ok(both.stdout.length + both.stderr.length <= 1_000);
});
