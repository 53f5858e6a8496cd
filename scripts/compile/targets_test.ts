import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { type Architecture, architectureOf, parseArchitectures } from "./targets.ts";

function elfFor(machine: number): Uint8Array {
  const header = new Uint8Array(64);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header[18] = machine;
  return header;
}

const PROGRAMS: readonly [name: string, bytes: Uint8Array, found: Architecture | undefined][] = [
  ["an x86_64 program", elfFor(0x3e), "x86_64"],
  ["an aarch64 program", elfFor(0xb7), "aarch64"],
  ["a program for another machine", elfFor(0x28), undefined],
  ["a script", new TextEncoder().encode("#!/bin/sh\nexec something --else\n"), undefined],
  ["a program in another form", elfFor(0x3e).fill(0, 0, 4), undefined],
  ["an empty file", new Uint8Array(), undefined],
];

for (const [name, bytes, found] of PROGRAMS) {
  Deno.test(`architectureOf() knows ${name}`, () => {
    strictEqual(architectureOf(bytes), found);
  });
}

Deno.test("architectureOf() reads the program that runs this test", async () => {
  using file = await Deno.open(Deno.execPath());
  const header = new Uint8Array(64);
  await file.read(header);
  strictEqual(architectureOf(header), Deno.build.arch);
});

Deno.test("parseArchitectures() returns those that are named, each once, or all", () => {
  deepStrictEqual(parseArchitectures([]), ["x86_64", "aarch64"]);
  deepStrictEqual(parseArchitectures(["aarch64"]), ["aarch64"]);
  deepStrictEqual(parseArchitectures(["aarch64", "x86_64", "aarch64"]), ["x86_64", "aarch64"]);
  throws(
    () => parseArchitectures(["arm"]),
    /^RangeError: Cannot compile for "arm": it must be x86_64 or aarch64$/,
  );
});
