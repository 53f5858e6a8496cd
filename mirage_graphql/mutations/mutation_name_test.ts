import { strictEqual } from "node:assert/strict";
import type { MockModel } from "../orm/models/model_map.ts";
import { createMutationNames, type MutationVerb } from "./mutation_name.ts";

const MODELS = ["Issue", "ProjectUpdate", "Project", "CloseFriend", "Archive", "Post"]
  .map((typeName): MockModel => ({
    typeName,
    modelName: typeName,
    collectionName: `${typeName}s`,
    relations: new Map(),
    getters: new Set(),
    key: undefined,
  }));

const VERBS: readonly (readonly [name: string, verb: MutationVerb | undefined])[] = [
  ["createIssue", "create"],
  ["addIssue", "create"],
  ["issueCreate", "create"],
  ["insert_issues_one", "create"],
  ["pinIssue", undefined],
  ["publish", undefined],
  ["updateIssue", "update"],
  ["issueUpdate", "update"],
  ["edit_issue", "update"],
  ["bulkEditIssues", "update"],
  ["update_issues_by_pk", "update"],
  ["issueBatchUpdate", "update"],
  ["deleteIssue", "delete"],
  ["issueDelete", "delete"],
  ["deleteissue", "delete"],
  ["issuedelete", "delete"],
  ["DELETE_ISSUE", "delete"],
  ["softDeleteIssueById", "delete"],
  ["remove", "delete"],
  ["destroyHTTPLog", "delete"],
  ["archivePost", "close"],
  ["closeIssue", "close"],
  ["issueClose", "close"],
  ["unarchiveIssue", undefined],
  ["projectUpdate", "update"],
  ["projectUpdateCreate", "create"],
  ["projectUpdateDelete", "delete"],
  ["projectUpdateUpdate", "update"],
  ["createProjectUpdate", "create"],
  ["closeFriendAdd", "create"],
  ["closeFriend", "close"],
  ["updateArchive", "update"],
  ["closest", undefined],
  ["editor", undefined],
  ["removedIssues", undefined],
];

for (const [name, verb] of VERBS) {
  Deno.test(`the verb of ${name} is ${verb ?? "none"}`, () => {
    strictEqual(createMutationNames(MODELS).verb(name), verb);
  });
}
