import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createMockServer, type MockServer, type PlainAnswer } from "../testing/mock_server.ts";
import { withAsyncWarnings } from "../testing/warnings.ts";

const HACKERNEWS = `
  type User { id: ID! name: String! email: String! links: [Link!]! }
  type Link { id: ID! url: String! postedBy: User }
  type AuthPayload { token: String user: User }
  type Query { links: [Link!]! me: User }
  type Mutation {
    login(email: String!, password: String!): AuthPayload
    signup(email: String!, password: String!, name: String!): AuthPayload
    logout: Boolean
  }
`;
const USERS = [
  { id: "1", name: "Ada", email: "ada@example.com", linkIds: [] },
  { id: "2", name: "Zoe", email: "zoe@example.com", linkIds: [] },
];

function start(schema = HACKERNEWS, options: Parameters<typeof createMockServer>[1] = {}) {
  return createMockServer(schema, { data: { users: USERS }, conventions: "common", ...options });
}

/** Sends a request with a token. */
async function as({ handler, server }: MockServer, token: string, query: string) {
  const { body } = await handler(server.schema, {
    requestBody: JSON.stringify({ query }),
    requestHeaders: { authorization: `Bearer ${token}` },
  });
  const plain: PlainAnswer = JSON.parse(JSON.stringify(body));
  return plain.data;
}

Deno.test("login(email, password) finds the user, whom me returns from then on, until logout", async () => {
  const { data, dump } = start();
  deepStrictEqual(await data("{ me { name } }"), { me: { name: "Ada" } });
  const before = dump();
  const { login } = await data(`mutation {
    login(email: "ZOE@example.com", password: "x") { token user { id name } }
  }`);
  deepStrictEqual(login.user, { id: "2", name: "Zoe" });
  strictEqual(login.token.split(".").length, 3);
  deepStrictEqual(dump(), before);
  deepStrictEqual(await data("{ me { name } }"), { me: { name: "Zoe" } });
  deepStrictEqual(await data("mutation { logout }"), { logout: true });
  deepStrictEqual(await data("{ me { name } }"), { me: null });
});

Deno.test("several users are logged in at once, each with a token, and one logs out alone", async () => {
  const mock = start();
  const login = async (email: string) =>
    (await mock.data(`mutation { login(email: "${email}", password: "") { token } }`)).login.token;
  const [ada, zoe] = [await login("ada@example.com"), await login("zoe@example.com")];
  deepStrictEqual(await as(mock, ada, "{ me { name } }"), { me: { name: "Ada" } });
  deepStrictEqual(await as(mock, zoe, "{ me { name } }"), { me: { name: "Zoe" } });
  deepStrictEqual(await mock.data("{ me { name } }"), { me: null });
  deepStrictEqual(await as(mock, ada, "mutation { logout }"), { logout: true });
  deepStrictEqual(await as(mock, ada, "{ me { name } }"), { me: null });
  deepStrictEqual(await as(mock, zoe, "{ me { name } }"), { me: { name: "Zoe" } });
});

Deno.test("a token outlives its mock, and a foreign token is nobody's", async () => {
  const first = start();
  const { login } = await first.data(
    `mutation { login(email: "zoe@example.com", password: "") { token } }`,
  );
  const second = start();
  deepStrictEqual(await as(second, "abc.def.ghi", "{ me { name } }"), { me: { name: "Ada" } });
  deepStrictEqual(await as(second, login.token, "{ me { name } }"), { me: { name: "Zoe" } });
  deepStrictEqual(await as(second, "abc.def.ghi", "{ me { name } }"), { me: null });
});

Deno.test("signup creates the user once, and logs it in; its password counts later", async () => {
  const { data, errors, dump } = start();
  const signup = `mutation {
    signup(email: "max@example.com", password: "secret", name: "Max") { token user { id name } }
  }`;
  const first = await data(signup);
  deepStrictEqual(first.signup.user, { id: "3", name: "Max" });
  ok(first.signup.token);
  deepStrictEqual(await data("{ me { id } }"), { me: { id: "3" } });
  deepStrictEqual(await errors(signup), [
    'Cannot sign up as "max@example.com": a User has this email',
  ]);
  strictEqual(dump().users?.length, 3);
  const login = (password: string) =>
    errors(`mutation { login(email: "max@example.com", password: "${password}") { token } }`);
  deepStrictEqual(await login("wrong"), [
    'Cannot log in as "max@example.com": the password is another one',
  ]);
  deepStrictEqual(await login("secret"), []);
});

Deno.test("an unknown user is an error, where the payload has no place for it", async () => {
  const { answer } = start();
  const login = `mutation { login(email: "no@example.com", password: "") { token } }`;
  const { value: { data, errors }, warnings } = await withAsyncWarnings(async () => {
    await answer(login);
    return await answer(login);
  });
  deepStrictEqual(warnings, [
    'Cannot log in as "no@example.com": no User has this email; one has "ada@example.com"',
  ]);
  deepStrictEqual(data, { login: null });
  deepStrictEqual(errors, ['Cannot log in as "no@example.com": no User has this email']);
});

Deno.test("a login refuses in the errors of its payload, and nobody is logged in", async () => {
  const { data } = start(`
    type User { id: ID! email: String! }
    enum AccountErrorCode { GRAPHQL_ERROR INVALID_CREDENTIALS }
    type AccountError { field: String message: String code: AccountErrorCode! }
    type CreateToken { token: String refreshToken: String user: User errors: [AccountError!]! }
    type Query { me: User }
    type Mutation { tokenCreate(email: String!, password: String!): CreateToken }
  `);
  const run = (email: string) =>
    data(`mutation {
      tokenCreate(email: "${email}", password: "x") { token user { id } errors { field message code } }
    }`);
  deepStrictEqual(await run("no@example.com"), {
    tokenCreate: {
      token: null,
      user: null,
      errors: [{
        field: "email",
        message: 'Cannot log in as "no@example.com": no User has this email',
        code: "INVALID_CREDENTIALS",
      }],
    },
  });
  deepStrictEqual(await data("{ me { id } }"), { me: { id: "1" } });
  const { tokenCreate } = await run("zoe@example.com");
  deepStrictEqual([tokenCreate.user, tokenCreate.errors], [{ id: "2" }, []]);
  deepStrictEqual(await data("{ me { id } }"), { me: { id: "2" } });
});

Deno.test("login(email): User keeps the token in a field of the user", async () => {
  const { data } = start(`
    type User { id: ID! email: String! token: String }
    type Query { me: User }
    type Mutation { login(email: String): User }
  `);
  const { login } = await data(`mutation { login(email: "zoe@example.com") { id token } }`);
  strictEqual(login.id, "2");
  deepStrictEqual(await data("{ me { id token } }"), { me: login });
});

Deno.test("a viewer that must not be null is an error after logout", async () => {
  const { data, answer } = start(
    `
    type User { id: ID! username: String! }
    type SignInPayload { token: String! user: User! }
    input SignInInput { username: String! password: String! }
    type SignOutPayload { user: User }
    type Query { viewer: User! }
    type Mutation { signIn(input: SignInInput!): SignInPayload! signOut: SignOutPayload! }
  `,
    { data: { users: [{ id: "1", username: "ada" }, { id: "2", username: "zoe" }] } },
  );
  const { signIn } = await data(`mutation {
    signIn(input: { username: "zoe", password: "x" }) { user { id } token }
  }`);
  deepStrictEqual(signIn.user, { id: "2" });
  deepStrictEqual(await data("mutation { signOut { user { id } } }"), {
    signOut: { user: { id: "2" } },
  });
  const { errors } = await answer("{ viewer { id } }");
  deepStrictEqual(errors, ["Cannot resolve Query.viewer: nobody is logged in"]);
});

Deno.test("without conventions, me is the first user, and login has no rule", async () => {
  const { data, errors } = start(HACKERNEWS, { conventions: "strict" });
  const [message = ""] = await errors(`mutation { login(email: "a", password: "") { token } }`);
  match(message, /^Could not find a default resolver for login/);
  deepStrictEqual(await data("{ me { id } }"), { me: { id: "1" } });
});

Deno.test("a resolver for me or login goes before sessions", async () => {
  const { data } = start(HACKERNEWS, {
    resolvers: {
      Query: { me: () => ({ id: "9", name: "Own", email: "" }) },
    },
  });
  await data(`mutation { login(email: "zoe@example.com", password: "") { token } }`);
  deepStrictEqual(await data("{ me { name } }"), { me: { name: "Own" } });
});

Deno.test("a token is refreshed, verified, and ended by its argument", async () => {
  const { data } = start(`
    type User { id: ID! email: String! }
    type Problem { message: String code: Code! }
    enum Code { ACCOUNT_NOT_FOUND INVALID INVALID_CREDENTIALS }
    type Login { token: String refreshToken: String user: User errors: [Problem!]! }
    type Verify { isValid: Boolean! user: User errors: [Problem!]! }
    type Query { me: User }
    type Mutation {
      tokenCreate(email: String!, password: String!): Login
      tokenRefresh(refreshToken: String!): Login
      tokenVerify(token: String!): Verify
      accessTokenDelete(accessToken: String!): Boolean
    }
  `);
  const { tokenCreate } = await data(`mutation {
    tokenCreate(email: "zoe@example.com", password: "x") { refreshToken }
  }`);
  const { tokenRefresh } = await data(
    `mutation($old: String!) { tokenRefresh(refreshToken: $old) { token user { id } } }`,
    { old: tokenCreate.refreshToken },
  );
  deepStrictEqual(tokenRefresh.user, { id: "2" });
  const verify = async (token: string) => {
    const { tokenVerify } = await data(
      `mutation($token: String!) { tokenVerify(token: $token) { isValid user { id } errors { code } } }`,
      { token },
    );
    return tokenVerify;
  };
  deepStrictEqual(await verify(tokenRefresh.token), {
    isValid: true,
    user: { id: "2" },
    errors: [],
  });
  await data(`mutation($token: String!) { accessTokenDelete(accessToken: $token) }`, {
    token: tokenRefresh.token,
  });
  for (const token of ["unknown", tokenRefresh.token]) {
    deepStrictEqual(await verify(token), {
      isValid: false,
      user: null,
      errors: [{ code: "INVALID_CREDENTIALS" }],
    });
  }
});

Deno.test("a name that says what else is logged in or out is no session", async () => {
  const { errors, data } = start(`
    type User { id: ID! email: String! apiToken: String }
    type Order { id: ID! code: String }
    input OrderInput { code: String email: String }
    input UserInput { email: String! }
    type OrderPayload { order: Order }
    type Query { me: User }
    type Mutation {
      logoutOrder(input: OrderInput!): OrderPayload
      loginWithGoogle(idToken: String!): User
      customerLogin(email: String!): User
      createUser(input: UserInput!): User
      userLogout: Boolean
    }
  `);
  const run = async (mutation: string) => (await errors(`mutation { ${mutation} }`))[0] ?? "";
  match(await run(`loginWithGoogle(idToken: "x") { id }`), /default resolver for loginWithGoogle/);
  strictEqual(await run(`customerLogin(email: "zoe@example.com") { id }`), "");
  await run(`logoutOrder(input: { code: "A" }) { order { id } }`);
  strictEqual(await run(`createUser(input: { email: "max@example.com" }) { id }`), "");
  deepStrictEqual(await data("{ me { id } }"), { me: { id: "2" } });
  strictEqual(await run("userLogout"), "");
  deepStrictEqual(await data("{ me { id } }"), { me: null });
});
