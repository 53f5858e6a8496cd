import { strictEqual } from "node:assert/strict";
import { createMutationNames } from "../mutations/mutation_name.ts";
import { createMutationServer } from "../testing/mutation_server.ts";

const NAMES: readonly (readonly [string, string | undefined])[] = [
  ["deletePerson", "Person"],
  ["removePeople", "Person"],
  ["destroy_person", "Person"],
  ["personDelete", "Person"],
  ["deletePersonById", "Person"],
  ["update_people_by_pk", "Person"],
  ["UpdatePersonInput", "Person"],
  ["PersonCreateInput", "Person"],
  ["PERSON", "Person"],
  ["deleteHTTPLog", "HTTPLog"],
  ["delete_api_user", "api_user"],
  ["deleteApiUser", "api_user"],
  ["createPost", "Post"],
  ["createNewPost", "NewPost"],
  ["deletePersonnel", undefined],
  ["impersonate", undefined],
  ["deletePersonPost", undefined],
  ["delete", undefined],
];

for (const [name, expected] of NAMES) {
  Deno.test(`namedModel() finds ${expected ?? "nothing"} in ${name}`, () => {
    using server = createMutationServer(`
      type Query { people: [Person] posts: [Post] }
      type Person { id: ID! }
      type Post { id: ID! }
      type NewPost { id: ID! }
      type HTTPLog { id: ID! }
      type api_user { id: ID! }
    `);
    strictEqual(createMutationNames(server.models.models).model(name)?.typeName, expected);
  });
}
