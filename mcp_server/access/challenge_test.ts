import { strictEqual } from "node:assert/strict";
import { toHeaderValue } from "./challenge.ts";

const metadataUrl = "https://a.example/.well-known/oauth-protected-resource/mcp";

Deno.test("toHeaderValue() names the metadata and the scopes, and an error only if there is one", () => {
  strictEqual(
    toHeaderValue({ scopes: ["tools:read"], metadataUrl }),
    `Bearer resource_metadata="${metadataUrl}", scope="tools:read"`,
  );
  strictEqual(
    toHeaderValue({
      error: "insufficient_scope",
      scopes: ["tools:write", "tools:exec"],
      metadataUrl,
      description: "The tool needs more",
    }),
    `Bearer error="insufficient_scope", resource_metadata="${metadataUrl}", ` +
      'scope="tools:write tools:exec", error_description="The tool needs more"',
  );
});

Deno.test("toHeaderValue() lets no text end its field or the header", () => {
  const description = 'a", scope="admin"\r\nSet-Cookie: x=y \\ é';
  strictEqual(
    toHeaderValue({ error: "invalid_token", scopes: [], metadataUrl, description }),
    `Bearer error="invalid_token", resource_metadata="${metadataUrl}", scope="", ` +
      `error_description="a', scope='admin'??Set-Cookie: x=y ? ?"`,
  );
});
