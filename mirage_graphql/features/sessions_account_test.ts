import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createMock, type Mock } from "../mod.ts";
import { withAsyncWarnings } from "../testing/warnings.ts";

const SCHEMA = `
  interface Failure { message: String! }
  type Success { success: Boolean! }
  type ConflictError implements Failure { message: String! }
  type WrongPasswordError implements Failure { message: String! }
  union EmailResult = ConflictError | WrongPasswordError | Success
  union PasswordResult = WrongPasswordError | Success
  type Problem { field: String message: String! }
  type User { id: ID! email: String! name: String }
  type Letter { id: ID! text: String }
  type AuthPayload { token: String user: User }
  type ErrorsPayload { errors: [Problem!]! }
  type OkPayload { success: Boolean query: Query }
  type LetterPayload { letter: Letter }
  type Query { me: User users: [User!]! letters: [Letter!]! }
  type Mutation {
    login(email: String!, password: String!): AuthPayload
    signup(email: String!, password: String!): AuthPayload
    logout: Boolean
    requestPasswordReset(email: String!, redirectUrl: String!): ErrorsPayload
    requestUpdateEmail(newEmail: String!, password: String!): EmailResult!
    accountRequestDeletion(redirectUrl: String!): ErrorsPayload
    forgotPassword(email: String!): OkPayload
    resendVerificationCode(userId: ID!): Boolean!
    verifyEmail(token: String!): OkPayload
    verifyUser(id: ID!, token: String!): Boolean
    confirmAccountDeletion(token: String!): Boolean
    sendLetter(email: String!): Boolean
    requestEmail(email: String!): AuthPayload
    changePassword(oldPassword: String!, newPassword: String!): PasswordResult!
    updateUserPassword(email: String!, newPassword: String!): ErrorsPayload
  }
`;

const CREDENTIALS = `email: "ada@example.com", password: `;

function mockOf(): Mock {
  const mock = createMock(SCHEMA, undefined, { conventions: "common" });
  mock.db.loadData({ users: [{ email: "ada@example.com", name: "Ada" }] });
  return mock;
}

Deno.test("a request for an e-mail succeeds in the payload's own way, with one warning, and writes nothing", async () => {
  const mock = mockOf();
  const before = JSON.stringify(mock.db.dump());
  const cases: readonly (readonly [call: string, selection: string, value: unknown])[] = [
    ['requestPasswordReset(email: "x@y.z", redirectUrl: "/")', "{ errors { message } }", {
      errors: [],
    }],
    [
      'requestUpdateEmail(newEmail: "x@y.z", password: "p")',
      "{ __typename ... on Success { success } }",
      { __typename: "Success", success: true },
    ],
    ['accountRequestDeletion(redirectUrl: "/")', "{ errors { message } }", { errors: [] }],
    ['forgotPassword(email: "x@y.z")', "{ success query { me { name } } }", {
      success: true,
      query: { me: { name: "Ada" } },
    }],
    ["resendVerificationCode(userId: 1)", "", true],
    ['verifyEmail(token: "t")', "{ success }", { success: true }],
  ];
  for (const [call, selection, value] of cases) {
    const name = call.slice(0, call.indexOf("("));
    const run = () => mock.query(`mutation { ${call} ${selection} }`);
    const { value: data, warnings } = await withAsyncWarnings(run);
    deepStrictEqual(data, { [name]: value });
    deepStrictEqual(warnings, [
      `The mock sends no e-mail: "${name}" succeeds and changes nothing`,
    ]);
  }
  strictEqual(JSON.stringify(mock.db.dump()), before);
});

Deno.test("what would change what a query shows is no request for an e-mail", async () => {
  const mock = mockOf();
  const refused = [
    'verifyUser(id: 1, token: "t")',
    'confirmAccountDeletion(token: "t")',
    'requestEmail(email: "x@y.z") { token }',
  ];
  for (const call of refused) {
    await rejects(mock.query(`mutation { ${call} }`), /Could not find a default resolver/, call);
  }
  await mock.query('mutation { sendLetter(email: "x@y.z") }');
  strictEqual(mock.db.letters?.length, 1);
});

Deno.test("a password is changed for the user who is logged in, and later logins need it", async () => {
  const mock = mockOf();
  const log = (password: string) =>
    mock.query(`mutation { login(${CREDENTIALS} "${password}") { user { name } } }`);
  const change = (old: string, password: string) =>
    mock.query(
      `mutation { changePassword(oldPassword: "${old}", newPassword: "${password}") {
        __typename ... on WrongPasswordError { message }
      } }`,
    );
  await log("any");
  deepStrictEqual(await change("any", "new"), { changePassword: { __typename: "Success" } });
  deepStrictEqual(await change("other", "newer"), {
    changePassword: {
      __typename: "WrongPasswordError",
      message: 'Cannot change the password: "oldPassword" is another one',
    },
  });
  await rejects(log("any"), /the password is another one/);
  deepStrictEqual(await log("new"), { login: { user: { name: "Ada" } } });
  await mock.query("mutation { logout }");
  deepStrictEqual(await change("new", "x"), {
    changePassword: {
      __typename: "WrongPasswordError",
      message: "Cannot change the password: nobody is logged in",
    },
  });
});

Deno.test("a password is changed for the user whom a call names", async () => {
  const mock = mockOf();
  deepStrictEqual(
    await mock.query(
      'mutation { updateUserPassword(email: "ada@example.com", newPassword: "b") { errors { message } } }',
    ),
    { updateUserPassword: { errors: [] } },
  );
  strictEqual(mock.db.users?.[0]?.password, "b");
  const unknown = await mock.query(
    'mutation { updateUserPassword(email: "bo@example.com", newPassword: "b") { errors { message } } }',
  );
  deepStrictEqual(unknown, {
    updateUserPassword: {
      errors: [{ message: "Cannot change the password: nobody has this email" }],
    },
  });
});
