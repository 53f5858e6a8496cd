import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { parseSecrets } from "./parse_secrets.ts";

const HIDDEN = "hidden-value-1234";
const fileOf = (secrets: unknown) => JSON.stringify({ secrets });

Deno.test("parseSecrets() reads values by name, with all their characters", () => {
  const secrets = { NPM_TOKEN: "npm_12345678", _key2: " -----BEGIN\nüñí\r\n' \" \\ $x `y`\t\n" };
  deepStrictEqual(Object.fromEntries(parseSecrets(fileOf(secrets))), secrets);
  strictEqual(parseSecrets('{"secrets": {}}').size, 0);
  const most = { A: "ab".repeat(32), B: HIDDEN + "a".repeat(10_000) };
  strictEqual(parseSecrets(fileOf(most)).size, 2);
});

const variable = /^the name of secret 1 must be that of a variable: 1 to 64 letters/;
const taken = /^the name ".+" is one of the server or of shells$/;
const short = /^the secret "A" must have at least 8 characters without the space around them: /;

const repeated = /^the secret "A" must not begin with a text that is repeated for over 64 char/;

const UNUSABLE: readonly [what: string, text: string, reason: RegExp][] = [
  ["that is not JSON", `{"secrets": {"A": "${HIDDEN}`, /^it is not JSON$/],
  ["without its key", fileOf(undefined), /^it must be {"secrets": {...}}$/],
  ["with another key", `{"secrets": {}, "other": 1}`, /^it has an unknown key "other"; its only/],
  ["with a name twice", `{"secrets": {"A": "${HIDDEN}", "A": ""}}`, /^it has the key "A" twice$/],
  ["with a value as the name", fileOf({ [HIDDEN]: "A" }), variable],
  ["with an empty name", fileOf({ "": HIDDEN }), variable],
  ["with a name that begins with a digit", fileOf({ "1A": HIDDEN }), variable],
  ["with a name of 65 characters", fileOf({ ["A".repeat(65)]: HIDDEN }), variable],
  ["with a name of the server", fileOf({ MCP_RUN_ID: HIDDEN }), taken],
  ["with a name of the linker", fileOf({ LD_PRELOAD: HIDDEN }), taken],
  ["with a name of bash", fileOf({ BASH_ENV: HIDDEN }), taken],
  ["with PATH", fileOf({ PATH: HIDDEN }), taken],
  ["with OLDPWD", fileOf({ OLDPWD: HIDDEN }), taken],
  ["with a number", fileOf({ A: 12_345_678 }), /^the secret "A" must be a text$/],
  ["with a value of 7 characters", fileOf({ A: "1234567" }), short],
  ["with a value of space", fileOf({ A: " 1234567\n" }), short],
  [
    "with a long value",
    fileOf({ A: `${HIDDEN}-`.padEnd(16_385, "-") }),
    /^the secret "A" must have at most 16384 /,
  ],
  ["with a value that repeats itself", fileOf({ A: "ab".repeat(33) }), repeated],
  ["with a value whose beginning does", fileOf({ A: "a".repeat(65) + HIDDEN.repeat(3) }), repeated],
  ["with a NUL", fileOf({ A: `${HIDDEN}\0` }), /^the secret "A" must not contain a NUL character$/],
  [
    "with half a pair",
    fileOf({ A: `${HIDDEN}\ud800` }),
    /^the secret "A" must not contain half of/,
  ],
  [
    "with 1,001 secrets",
    fileOf(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`A${at}`, HIDDEN]))),
    /^it has 1001 secrets, 1000 are the most$/,
  ],
];

for (const [what, text, reason] of UNUSABLE) {
  Deno.test(`parseSecrets() refuses a file ${what}, and repeats no value`, () => {
    throws(() => parseSecrets(text), (error: Error & { reason: string }) => {
      strictEqual(error.name, "AccessFileError");
      strictEqual(error.message.includes(HIDDEN), false);
      return reason.test(error.reason);
    });
  });
}
