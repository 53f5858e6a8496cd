import { assertObjectType, buildSchema } from "graphql";
import { deepStrictEqual } from "node:assert/strict";
import { payloadField } from "./types.ts";

const SCHEMA = buildSchema(`
  type Query { n: Int }
  type Post { id: ID! tag: Tag } type Tag { id: ID! }
  type PostPayload { clientMutationId: String ok: Boolean post: Post! }
  type PostErrorPayload { item: Post errors: [PayloadError!] first: PayloadError }
  type PayloadError { message: String }
  type PostsPayload { posts: [Post] }
  type BothPayload { post: Post tag: Tag }
  type DeletePayload { deletedId: ID }
`);

const FIELDS: [typeName: string, fieldName: string | undefined, what: string][] = [
  ["PostPayload", "post", "one field of a model, and scalars"],
  ["PostErrorPayload", "item", "a field of a model, and embedded values"],
  ["PostsPayload", undefined, "a list"],
  ["BothPayload", undefined, "two fields of models"],
  ["DeletePayload", undefined, "no field of a model"],
];

for (const [typeName, fieldName, what] of FIELDS) {
  Deno.test(`payloadField() of ${typeName} is ${fieldName}: ${what}`, () => {
    const type = assertObjectType(SCHEMA.getType(typeName));
    const expected = fieldName && { fieldName, type: SCHEMA.getType("Post") };
    deepStrictEqual(payloadField(type, ({ name }) => ["Post", "Tag"].includes(name)), expected);
  });
}
