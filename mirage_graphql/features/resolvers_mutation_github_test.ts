import {
  getNullableType,
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { deepStrictEqual, ok } from "node:assert/strict";
import { isWholeRun } from "../../test_support/tier.ts";
import { withCommon } from "../mock/common_conventions.ts";
import { parseConventions } from "../dialects/options.ts";
import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import { createOrm } from "../orm/orm.ts";
import { withEngine } from "../resolvers/mock_orm.ts";
import { createMutationResolver, type MutationResolver } from "../mutations/mutation.ts";
import { wordsOf } from "../shared/names.ts";
import { loadGitHubSchema } from "../testing/github_schema.ts";
import { createMutationServer, type MutationServer } from "../testing/mutation_server.ts";
import { standaloneModels } from "../testing/standalone_models.ts";

type Field = GraphQLField<unknown, unknown>;

const graphQLSchema = await loadGitHubSchema();
const MUTATIONS = Object.values(graphQLSchema.getMutationType()?.getFields() ?? {});
/** In a run of every day, every tenth of over 300. */
const TRIED = MUTATIONS.filter((_, index) => isWholeRun || index % 10 === 0);
const NOT_CREATING = /^(?!create|add).*(delete|remove|destroy|archive|close|update|edit)/i;
const models = standaloneModels(graphQLSchema);

/** A server with two records of each type, and what returns it to that after writes. */
function createGitHub(): { server: MutationServer; restore: () => void } {
  const server = createMutationServer(graphQLSchema, { models });
  for (const { modelName } of server.models.models) {
    for (const id of ["1", "2"]) server.seed(modelName, { id });
  }
  const seeded = server.dump();
  return { server, restore: () => server.load(seeded) };
}

/** A value that every input accepts; `isWhole` includes optional values, on the first level. */
function valueOf(type: GraphQLInputType, isWhole: boolean, depth = 0): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [valueOf(nullable.ofType, isWhole, depth)];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.value;
  if (!isInputObjectType(nullable)) {
    return nullable.name === "Boolean" ? true : nullable.name === "ID" ? "1" : 1;
  }
  return Object.fromEntries(
    Object.values(nullable.getFields())
      .filter(({ type }) => isNonNullType(type) || isWhole && depth === 0 && !isNested(type))
      .map(({ name, type }) => [name, valueOf(type, isWhole, depth + 1)]),
  );
}

/** Nested objects are separate records: `updateRepositoryRuleset(input: { rules: [...] })`. */
function isNested(type: GraphQLInputType): boolean {
  const nullable = getNullableType(type);
  return isListType(nullable) ? isNested(nullable.ofType) : isInputObjectType(nullable);
}

/**
 * What a mutation changed: `+Issue`, `-Issue`, or `~Issue` for an attribute that is not a relation.
 */
function run(
  server: MutationServer,
  field: Field,
  isWhole: boolean,
  resolve = (field: Field): MutationResolver => createMutationResolver(field, server),
): string[] {
  const before = server.dump();
  const args = Object.fromEntries(
    field.args.map(({ name, type }) => [name, valueOf(type, isWhole)]),
  );
  try {
    resolve(field)(args);
  } catch (error) {
    ok(error instanceof Error);
    deepStrictEqual(server.dump(), before, `${field.name} was rejected, and changed something`);
  }
  const after = server.dump();
  return server.models.models.flatMap(({ typeName, collectionName, relations }) => {
    const keys = new Set(Array.from(relations.values(), ({ foreignKey }) => foreignKey));
    const [old, now] = [before, after].map((dump) => textsById(dump[collectionName] ?? [], keys));
    if (old === undefined || now === undefined) return [];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((id) => {
      if (!old.has(id)) return `+${typeName}`;
      if (!now.has(id)) return `-${typeName}`;
      return old.get(id) === now.get(id) ? [] : `~${typeName}`;
    });
  });
}

function textsById(records: readonly MirageRecord[], without: ReadonlySet<string>) {
  return new Map(records.map((record) => {
    const own = Object.entries(record).filter(([name]) => !without.has(name));
    return [String(record.id), JSON.stringify(own)];
  }));
}

/** Whether the words of a type are words of a mutation's name, in order. */
function isNamedIn(typeName: string, name: string): boolean {
  return ` ${wordsOf(name).join(" ")} `.includes(` ${wordsOf(typeName).join(" ")} `);
}

for (const conventions of ["strict", "common"] as const) {
  Deno.test(`no mutation of GitHub's schema writes anything that its name does not say: ${conventions}`, () => {
    const done = { created: 0, updated: 0, deleted: 0 };
    const { server, restore } = createGitHub();
    using _ = server;
    const parsed = parseConventions(withCommon({ conventions }));
    const orm = withEngine(createOrm(graphQLSchema, server.mirageSchema, parsed));
    const resolve = (field: Field) => createMutationResolver(field, orm, { rules: orm.writes });
    for (const field of TRIED) {
      for (const isWhole of [false, true]) {
        const changes = run(server, field, isWhole, resolve);
        if (changes.length > 0) restore();
        for (const change of changes) {
          const typeName = change.slice(1);
          const label = `${field.name}: ${changes.join(" ")}`;
          if (NOT_CREATING.test(field.name)) {
            ok(!change.startsWith("+"), `${label}, which it must not create`);
            ok(isNamedIn(typeName, field.name), `${label}, which it does not name`);
          }
          ok(change.startsWith("+") || isNamedIn(typeName, field.name), label);
          if (change.startsWith("-")) ok(/^(delete|remove)/.test(field.name), label);
        }
        ok(changes.length <= 1, `${field.name}: ${changes.join(" ")}`);
        for (const change of changes) {
          done[change[0] === "+" ? "created" : change[0] === "-" ? "deleted" : "updated"]++;
        }
      }
    }
    // Rules that reject everything would pass as well.
    const least = isWholeRun ? 30 : 1;
    ok(Object.values(done).every((count) => count >= least), JSON.stringify(done));
  });
}

const WRITES: readonly (readonly [name: string, changes: readonly string[]])[] = [
  ["deleteIssue", ["-Issue"]],
  ["deleteLinkedBranch", ["-LinkedBranch"]],
  ["deleteProjectV2Item", ["-ProjectV2Item"]],
  ["deleteRef", ["-Ref"]],
  ["updateIssue", ["~Issue"]],
  ["updateIssueComment", ["~IssueComment"]],
  ["updateProjectV2", ["~ProjectV2"]],
  ["createIssue", ["+Issue"]],
  ["addPullRequestReviewComment", ["+PullRequestReviewComment"]],
  ["closeIssue", []],
  ["archiveRepository", []],
  ["unarchiveRepository", []],
  ["pinIssue", []],
  ["reopenIssue", []],
  ["transferIssue", []],
  ["mergePullRequest", []],
  ["addComment", []],
  ["addStar", []],
  ["addLabelsToLabelable", []],
  ["removeLabelsFromLabelable", []],
  ["removeOutsideCollaborator", []],
  ["cancelSponsorship", []],
  ["updateEnterpriseMembersCanDeleteIssuesSetting", []],
];

const shared = createGitHub();

for (const [name, expected] of WRITES) {
  Deno.test(`${name} of GitHub's schema: ${expected.join() || "rejected"}`, () => {
    const { server, restore } = shared;
    restore();
    const field = MUTATIONS.find((one) => one.name === name);
    ok(field !== undefined);
    deepStrictEqual(run(server, field, true), expected);
  });
}
