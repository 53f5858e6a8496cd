import { strictEqual, throws } from "node:assert/strict";
import { expandPath, expandTokens } from "./expand.ts";

const TOKENS = { h: "host.example.org", p: "22", r: "ann", d: "/home/%h" };
const refuse = (state: string) => new RangeError(`Cannot expand "it": ${state}`);
const PARTS = {
  tokens: TOKENS,
  refuse,
  home: "/home/50%p",
  env: (name: string) => name === "KEYS" ? "/keys/%h" : undefined,
};

Deno.test("expandTokens() replaces each token once, and rejects unknown ones by name", () => {
  strictEqual(expandTokens("nc %h %p", PARTS), "nc host.example.org 22");
  strictEqual(expandTokens("%%h %d %%%r", PARTS), "%h /home/%h %ann");
  for (const [text, token] of [["a%z", "%z"], ["%", "%"], ["%constructor", "%c"]] as const) {
    throws(() => expandTokens(text, PARTS), {
      name: "RangeError",
      message: `Cannot expand "it": the token "${token}" is unknown`,
    });
  }
});

Deno.test("expandPath() expands the home folder, tokens and variables, none of them twice", () => {
  strictEqual(expandPath("~/.ssh/%r", PARTS), "/home/50%p/.ssh/ann");
  strictEqual(expandPath("~", PARTS), "/home/50%p");
  strictEqual(expandPath("~bob/x", PARTS), "~bob/x");
  strictEqual(expandPath("${KEYS}/%h", PARTS), "/keys/%h/host.example.org");
  throws(() => expandPath("${OTHER}/x", PARTS), {
    message: 'Cannot expand "it": the variable "OTHER" is not set',
  });
});
