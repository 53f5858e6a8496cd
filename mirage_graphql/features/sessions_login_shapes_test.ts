import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

Deno.test("a login refuses as a member of its union", async () => {
  const { data } = createMockServer(
    `
      type CurrentUser { id: ID! identifier: String! }
      type Customer { id: ID! emailAddress: String! }
      enum ErrorCode { UNKNOWN_ERROR INVALID_CREDENTIALS_ERROR }
      type InvalidCredentialsError { errorCode: ErrorCode! message: String! }
      type NotVerifiedError { errorCode: ErrorCode! message: String! }
      union NativeAuthenticationResult = CurrentUser | InvalidCredentialsError | NotVerifiedError
      type Success { success: Boolean! }
      type Query { me: CurrentUser activeCustomer: Customer }
      type Mutation {
        login(username: String!, password: String!, rememberMe: Boolean): NativeAuthenticationResult!
        logout: Success!
      }
    `,
    {
      data: {
        currentUsers: [{ id: "1", identifier: "ada@x" }, { id: "2", identifier: "zoe@x" }],
        customers: [{ id: "1", emailAddress: "ada@x" }, { id: "2", emailAddress: "zoe@x" }],
      },
      conventions: "common",
    },
  );
  const run = (name: string) =>
    data(`mutation {
      login(username: "${name}", password: "x") {
        __typename ... on CurrentUser { id } ... on InvalidCredentialsError { errorCode message }
      }
    }`);
  deepStrictEqual(await run("max@x"), {
    login: {
      __typename: "InvalidCredentialsError",
      errorCode: "INVALID_CREDENTIALS_ERROR",
      message: 'Cannot log in as "max@x": no CurrentUser has this username',
    },
  });
  deepStrictEqual(await run("zoe@x"), { login: { __typename: "CurrentUser", id: "2" } });
  const both = "{ me { id } activeCustomer { id } }";
  deepStrictEqual(await data(both), { me: { id: "2" }, activeCustomer: { id: "2" } });
  deepStrictEqual(await data("mutation { logout { success } }"), { logout: { success: true } });
  deepStrictEqual(await data(both), { me: null, activeCustomer: null });
});

Deno.test("signIn(input) with an object for the token, and a user by the token's argument", async () => {
  const { data } = createMockServer(
    `
      type Customer { id: ID! email: String }
      type CustomerAccessToken { accessToken: String! expiresAt: String! }
      type CustomerUserError { message: String! field: [String!] }
      input CustomerAccessTokenCreateInput { email: String! password: String! }
      type CustomerAccessTokenCreatePayload {
        customerAccessToken: CustomerAccessToken customerUserErrors: [CustomerUserError!]!
      }
      type Query { customer(customerAccessToken: String!): Customer }
      type Mutation {
        customerAccessTokenCreate(input: CustomerAccessTokenCreateInput!): CustomerAccessTokenCreatePayload
      }
    `,
    {
      data: { customers: [{ id: "1", email: "ada@x" }, { id: "2", email: "zoe@x" }] },
      conventions: "common",
    },
  );
  const run = (email: string) =>
    data(`mutation {
      customerAccessTokenCreate(input: { email: "${email}", password: "x" }) {
        customerAccessToken { accessToken expiresAt } customerUserErrors { message }
      }
    }`);
  const refused = await run("max@x");
  strictEqual(refused.customerAccessTokenCreate.customerAccessToken, null);
  strictEqual(refused.customerAccessTokenCreate.customerUserErrors.length, 1);
  const { customerAccessTokenCreate: { customerAccessToken } } = await run("zoe@x");
  match(customerAccessToken.expiresAt, /^2100/);
  const customer = (token: string) => data(`{ customer(customerAccessToken: "${token}") { id } }`);
  deepStrictEqual(await customer(customerAccessToken.accessToken), { customer: { id: "2" } });
  deepStrictEqual(await customer("unknown"), { customer: null });
});

Deno.test("the option sessions says what names don't", async () => {
  const mock = createMockServer(
    `
      type Agent { id: ID! code: String! }
      type Pass { bearerToken: String agent: Agent }
      type Query { whoIsThere: Agent }
      type Mutation { enter(code: String!): Pass leave: Boolean! }
    `,
    {
      data: { agents: [{ id: "1", code: "006" }, { id: "2", code: "007" }] },
      conventions: "common",
      sessions: {
        user: "Agent",
        by: "code",
        login: "enter",
        logout: "leave",
        viewer: "whoIsThere",
      },
    },
  );
  const { enter } = await mock.data(`mutation { enter(code: "007") { bearerToken agent { id } } }`);
  deepStrictEqual(enter.agent, { id: "2" });
  ok(enter.bearerToken);
  deepStrictEqual(await mock.data("{ whoIsThere { code } }"), { whoIsThere: { code: "007" } });
  deepStrictEqual(await mock.data("mutation { leave }"), { leave: true });
  deepStrictEqual(await mock.data("{ whoIsThere { code } }"), { whoIsThere: null });
  deepStrictEqual(await mock.errors(`mutation { enter(code: "001") { bearerToken } }`), [
    'Cannot log in as "001": no Agent has this code',
  ]);
});
