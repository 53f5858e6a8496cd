import { inference } from "./testdata/types/inference.ts";

Deno.test("the types of api() and useApi() are inferred, and reject what they must", () => {
  inference satisfies () => void;
});
