import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

/** In the style of Relay and GitHub: one input, ids in it, payloads with more than the record. */
const RELAY = `
  type Query { issues: [Issue!]! repositories: [Repository!]! comments: [IssueComment!]! }
  type Repository { id: ID! name: String issues: [Issue!]! }
  type Issue { id: ID! title: String repository: Repository labels: [Label!] comments: [IssueComment!] }
  type IssueComment { id: ID! body: String issue: Issue }
  type Label { id: ID! name: String }
  input CreateIssueInput { clientMutationId: String repositoryId: ID! title: String! labelIds: [ID!] }
  input IssueIdInput { clientMutationId: String issueId: ID! }
  input UpdateIssueInput { clientMutationId: String id: ID! title: String labelIds: [ID!] }
  input TransferIssueInput { clientMutationId: String issueId: ID! repositoryId: ID! }
  input UpdateIssueSettingInput { issueId: ID! value: Boolean }
  input RenameIssueInput { issueId: ID! title: String! }
  input RemoveLabelsInput { issueId: ID! labelIds: [ID!]! }
  input AddCommentInput { issueId: ID! body: String! }
  input CommentTitleInput { title: String }
  input CommentInput { commentId: ID! body: String }
  type IssuePayload { clientMutationId: String issue: Issue actor: String }
  type DeleteIssuePayload { clientMutationId: String repository: Repository deletedIssueId: ID }
  type CommentPayload { comment: IssueComment issue: Issue }
  type DeletedPayload { deletedRepositoryId: ID! }
  type DonePayload { clientMutationId: String }
  type Mutation {
    createIssue(input: CreateIssueInput!): IssuePayload
    updateIssue(input: UpdateIssueInput!): IssuePayload
    deleteIssue(input: IssueIdInput!): DeleteIssuePayload
    deleteLabel(input: CommentInput!): DonePayload
    pinIssue(input: IssueIdInput!): IssuePayload
    closeIssue(input: IssueIdInput!): IssuePayload
    transferIssue(input: TransferIssueInput!): IssuePayload
    updateIssueSetting(input: UpdateIssueSettingInput!): IssuePayload
    updateIssueTitle(input: RenameIssueInput!): IssuePayload
    removeLabelsFromIssue(input: RemoveLabelsInput!): IssuePayload
    addIssueComment(input: AddCommentInput!): CommentPayload
    addComment(input: AddCommentInput!): Issue
    createIssueComment(input: CommentTitleInput!): Issue
    updateIssueComment(input: CommentInput!): CommentPayload
    removeIssueComment(input: CommentInput!): CommentPayload
    deleteRepositoryById(id: ID!): DeletedPayload
  }
`;

const DATA = {
  repositories: [{ id: "1", name: "trestle", issueIds: ["1", "2"] }],
  issues: [{ id: "1", title: "One", repositoryId: "1", commentIds: ["1"] }, {
    id: "2",
    title: "Two",
    repositoryId: "1",
  }],
  issueComments: [{ id: "1", body: "Hm", issueId: "1" }],
  labels: [{ id: "1", name: "bug" }],
};

const WRITTEN: readonly (readonly [call: string, answer: unknown])[] = [
  [
    `createIssue(input: { clientMutationId: "c", repositoryId: 1, title: "New" }) {
      clientMutationId issue { id title repository { name } }
    }`,
    { clientMutationId: "c", issue: { id: "3", title: "New", repository: { name: "trestle" } } },
  ],
  [
    `updateIssue(input: { clientMutationId: "c", id: 2, title: "B", labelIds: [1] }) {
      clientMutationId issue { id title labels { name } }
    }`,
    { clientMutationId: "c", issue: { id: "2", title: "B", labels: [{ name: "bug" }] } },
  ],
  [
    `deleteIssue(input: { clientMutationId: "c", issueId: 2 }) {
      clientMutationId deletedIssueId repository { name issues { id } }
    }`,
    {
      clientMutationId: "c",
      deletedIssueId: "2",
      repository: { name: "trestle", issues: [{ id: "1" }] },
    },
  ],
  [
    `updateIssueTitle(input: { issueId: 1, title: "B" }) { issue { id title } }`,
    { issue: { id: "1", title: "B" } },
  ],
  [
    `addIssueComment(input: { issueId: 2, body: "Yes" }) {
      comment { id body } issue { id comments { body } }
    }`,
    { comment: { id: "2", body: "Yes" }, issue: { id: "2", comments: [{ body: "Yes" }] } },
  ],
  [
    `updateIssueComment(input: { commentId: 1, body: "Ah" }) { comment { id body } issue { id } }`,
    { comment: { id: "1", body: "Ah" }, issue: { id: "1" } },
  ],
  [
    `deleteRepositoryById(id: 1) { deletedRepositoryId }`,
    { deletedRepositoryId: "1" },
  ],
  [
    `removeIssueComment(input: { commentId: 1 }) { comment { id body } issue { id comments { id } } }`,
    { comment: { id: "1", body: "Hm" }, issue: { id: "1", comments: [] } },
  ],
];

for (const [call, answer] of WRITTEN) {
  Deno.test(`${call.split("(")[0]} writes the record that its input names`, async () => {
    const { data } = createMockServer(RELAY, { data: DATA });
    deepStrictEqual(await data(`mutation { at: ${call} }`), { at: answer });
  });
}

Deno.test("deleteIssue keeps the repository in its payload, and stores no id as an attribute", async () => {
  const { data, dump } = createMockServer(RELAY, { data: DATA });
  await data(`mutation {
    deleteIssue(input: { issueId: 1 }) { clientMutationId }
    updateIssueTitle(input: { issueId: 2, title: "B" }) { clientMutationId }
  }`);
  const { repositories, issues } = dump();
  deepStrictEqual(repositories, [{ id: "1", name: "trestle", issueIds: ["2"] }]);
  const links = { repositoryId: "1", labelIds: null, commentIds: null };
  deepStrictEqual(
    issues?.map((issue) => ({ ...links, ...issue })),
    [{ ...links, id: "2", title: "B" }],
  );
});

const REFUSED: readonly (readonly [call: string, reason: string, explicit?: string])[] = [
  [
    "pinIssue(input: { issueId: 1 }) { clientMutationId }",
    'takes only an id, "issueId", which creates nothing',
  ],
  [
    "closeIssue(input: { issueId: 1 }) { clientMutationId }",
    "is named after archiving or closing, which only a resolver can define",
  ],
  [
    "transferIssue(input: { issueId: 1, repositoryId: 1 }) { clientMutationId }",
    'takes the id of the Issue, "issueId", and its name does not say what to do with it',
  ],
  [
    "updateIssueSetting(input: { issueId: 1, value: true }) { clientMutationId }",
    'changes a part of the Issue, which has no "value"',
  ],
  [
    "removeLabelsFromIssue(input: { issueId: 1, labelIds: [1] }) { clientMutationId }",
    "needs the id of the Label to delete, and RemoveLabelsInput has none",
  ],
  [
    'addComment(input: { issueId: 1, body: "x" }) { id }',
    'takes the id of the Issue, "issueId", and its name does not say what to do with it',
  ],
  [
    'createIssueComment(input: { title: "x" }) { id }',
    "returns Issue, and its name says IssueComment",
    "create the IssueComment",
  ],
  [
    "deleteLabel(input: { commentId: 1 }) { clientMutationId }",
    "needs the id of the Label to delete, and CommentInput has none",
  ],
];

for (const [call, reason, explicit] of REFUSED) {
  const name = call.split("(")[0];
  Deno.test(`${name} is rejected, and changes nothing`, async () => {
    const { errors, dump } = createMockServer(RELAY, { data: DATA });
    const before = dump();
    const hint = explicit === undefined
      ? ""
      : `, in which mockGraphQLFieldResolver(obj, args, context, info) will ${explicit} and return it`;
    deepStrictEqual(await errors(`mutation { ${call} }`), [
      `Could not find a default resolver for ${name}. Please supply a resolver for this mutation. ` +
      `It ${reason}. Write resolvers: { Mutation: { ${name}(obj, args, context, info) { ... } } }${hint}`,
    ]);
    deepStrictEqual(dump(), before);
  });
}
