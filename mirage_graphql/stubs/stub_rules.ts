import type { GraphQLArgument, GraphQLInputField, GraphQLLeafType } from "graphql";
import type { ListReading } from "../arguments/list_reading.ts";
import type { WriteRules } from "../mutations/mutation.ts";
import {
  createMutationNames,
  createMutationWords,
  type MutationNames,
} from "../mutations/mutation_name.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { leafDefault } from "../schema/leaf_default.ts";
import { hasDefault } from "../shared/graphql_versions.ts";
import { keyOf, wordsOf } from "../shared/names.ts";

/**
 * A mock, and the rules that stubs share with it. They are passed to the code that writes stubs, which
 * a page loads later: a bundler would move what both import to files of their own.
 */
export interface StubRules {
  readonly orm: Orm;
  readonly names: MutationNames;
  /** The rules of its mutations; `undefined` if only types say what they do. */
  readonly writes: WriteRules | undefined;
  /** How its lists are read; `undefined` without dialects. */
  readonly reading: ListReading | undefined;
  readonly keyOf: (name: string) => string;
  readonly wordsOf: (name: string) => readonly string[];
  /** Whether a verb counts without any dialect. */
  readonly isBuiltIn: (verb: string) => boolean;
  readonly leafDefault: (type: GraphQLLeafType, fieldName: string) => unknown;
  readonly hasDefault: (input: GraphQLArgument | GraphQLInputField) => boolean;
  readonly relationNamed: (model: MockModel, name: string) => Relation | undefined;
}

/** A mock's models, and what its dialects bring. */
interface DialectOrm extends Orm {
  readonly writes?: WriteRules | undefined;
  readonly engine?: { readonly reading: ListReading } | undefined;
}

/** Collects the rules of a mock. */
export function createStubRules(orm: DialectOrm): StubRules {
  const { writes, engine, conventions, models } = orm;
  const names = writes?.names ??
    createMutationNames(models.models, createMutationWords(conventions.dialects));
  const { verbs } = createMutationWords();
  return {
    ...{ orm, names, writes, reading: engine?.reading, keyOf, wordsOf },
    ...{ isBuiltIn: (verb) => verbs.has(verb), leafDefault, hasDefault, relationNamed },
  };
}
