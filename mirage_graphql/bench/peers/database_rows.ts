import type { GraphQLSchema } from "graphql";
import { buildSchema } from "graphql";
import { createOrm } from "../../orm/orm.ts";
import { tableOf } from "../../orm/writes/record_ref.ts";
import { createDatabase } from "../contenders.ts";
import { SCHEMA, type Size } from "../data.ts";
import { createWrittenSchema } from "../plain_arrays.ts";

/**
 * The schema with hand-written resolvers over the records of a Mirage server: read where ours are
 * read, without copies, and related by their ids.
 */
export function createDatabaseSchema(size: Size): GraphQLSchema {
  const { schema: mockSchema } = createDatabase(size);
  const { models, store, mirageSchema } = createOrm(buildSchema(SCHEMA), mockSchema);
  const readerOf = (typeName: string) => {
    const model = models.ofType(typeName);
    if (model === undefined) throw new Error(`Cannot read "${typeName}": it has no model`);
    return store.of(model);
  };
  const [people, cats, dogs, authors, posts] = ["Person", "Cat", "Dog", "Author", "Post"]
    .map(readerOf);
  return createWrittenSchema({
    people: () => people!.select(),
    person: (id) => people!.own(id),
    pets: () => [...cats!.select(), ...dogs!.select()],
    authors: () => authors!.select(),
    create: (input) => tableOf(mirageSchema, "person").insert({ ...input }),
  }, {
    Pet: { __resolveType: (pet: object) => "lives" in pet ? "Cat" : "Dog" },
    Author: {
      posts: ({ postIds }: { postIds: readonly string[] }) => postIds.map((id) => posts!.own(id)),
    },
    Post: { author: ({ authorId }: { authorId: string }) => authors!.own(authorId) },
  });
}
