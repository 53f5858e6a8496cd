import type { GraphQLArgument, GraphQLInputField, GraphQLLeafType } from "graphql";
import { createMutationNames, type MutationNames } from "../mutations/mutation_name.ts";
import { createMutationWords } from "../mutations/mutation_words.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { leafDefault } from "../schema/leaf_default.ts";
import { hasDefault } from "../shared/graphql_versions.ts";
import { keyOf } from "../shared/names.ts";

/**
 * A mock, and the rules that stubs share with it. They are passed to the code that writes stubs, which
 * a page loads later: a bundler would move what both import to files of their own.
 */
export interface StubRules {
  readonly orm: Orm;
  readonly names: MutationNames;
  readonly keyOf: (name: string) => string;
  readonly leafDefault: (type: GraphQLLeafType, fieldName: string) => unknown;
  readonly hasDefault: (input: GraphQLArgument | GraphQLInputField) => boolean;
  readonly relationNamed: (model: MockModel, name: string) => Relation | undefined;
}

/** Collects the rules of a mock; `names` are those by which its mutations are read. */
export function createStubRules(
  orm: Orm,
  names: MutationNames = createMutationNames(
    orm.models.models,
    createMutationWords(orm.conventions.dialects),
  ),
): StubRules {
  return { orm, names, keyOf, leafDefault, hasDefault, relationNamed };
}
