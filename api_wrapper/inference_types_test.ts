import { entries } from "./testdata/types/entries.ts";
import { inference } from "./testdata/types/inference.ts";

Deno.test("the types of api() and useApi() are inferred, and reject what they must", () => {
  inference satisfies () => void;
});

Deno.test("the types of schemas and options are inferred, and reject what they must", () => {
  entries satisfies (...args: never[]) => void;
});
