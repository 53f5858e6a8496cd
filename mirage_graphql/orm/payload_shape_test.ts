import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { payloadShapes } from "./payload_shape.ts";
import { startMirage } from "./testing/mock_server.ts";

const TYPE_DEFS = `
  type Query { n: Int }
  type Mutation {
    createPost: PostPayload!
    createWithErrors: PostErrorPayload
    createPosts: PostsPayload
    createBoth: BothPayload
    createMany: [ManyPayload]
    deletePost: DeletePayload
    getPost: Post
  }
  type Post { id: ID! tag: Tag } type Tag { id: ID! }
  type PostPayload { clientMutationId: String ok: Boolean post: Post! }
  type PostErrorPayload { item: Post errors: [PayloadError!] first: PayloadError }
  type PayloadError { message: String }
  type PostsPayload { posts: [Post] }
  type BothPayload { post: Post tag: Tag }
  type ManyPayload { post: Post }
  type DeletePayload { deletedId: ID }
  type NotReturned { post: Post }
`;

const SHAPES: [typeName: string, fieldName: string | undefined, what: string][] = [
  ["PostPayload", "post", "one field of a model, scalars beside it"],
  ["PostErrorPayload", "item", "embedded values beside it"],
  ["PostsPayload", undefined, "a list"],
  ["BothPayload", undefined, "two fields of models"],
  ["ManyPayload", undefined, "a mutation that returns a list"],
  ["DeletePayload", undefined, "no field of a model"],
  ["NotReturned", undefined, "no mutation that returns it"],
  ["Post", undefined, "a type with a model"],
];

for (const [typeName, fieldName, what] of SHAPES) {
  Deno.test(`payloadShapes() tells ${typeName}'s field ${fieldName}: ${what}`, () => {
    using mirage = startMirage();
    const graphQLSchema = buildSchema(TYPE_DEFS);
    const shape = payloadShapes(graphQLSchema, mirage.ensure(TYPE_DEFS));
    const type = graphQLSchema.getType(typeName)!;

    const found = shape(type);

    strictEqual(found?.fieldName, fieldName);
    deepStrictEqual(found?.type, fieldName && graphQLSchema.getType("Post"));
  });
}
