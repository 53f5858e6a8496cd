import { strictEqual, throws } from "node:assert/strict";
import { Response as MirageResponse } from "miragejs";
import { throwReturnedResponse } from "./passed_response.ts";

Deno.test("throwReturnedResponse() leaves other values, promises and `this` as they are", async () => {
  const resolver = throwReturnedResponse(function (this: unknown, value: unknown) {
    return value ?? this;
  });
  for (const value of [1, "a", false, { id: 1 }, [1]]) strictEqual(resolver(value), value);
  strictEqual(await resolver(Promise.resolve(7)), 7);
  const owner = { resolver };
  strictEqual(owner.resolver(undefined), owner);
});

Deno.test("throwReturnedResponse() throws the Response of Mirage and of fetch", () => {
  for (const response of [new MirageResponse(418), new Response(null, { status: 418 })]) {
    const resolver = throwReturnedResponse(() => response);
    throws(resolver, (thrown) => thrown === response);
  }
});
