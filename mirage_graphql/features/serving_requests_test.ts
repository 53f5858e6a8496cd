import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { startServe } from "../testing/serve_process.ts";

const SCHEMA = `
  scalar Upload
  type Person { id: ID!, name: String!, photo: String }
  input PersonInput { name: String!, photo: Upload }
  type Query { people: [Person!]! }
  type Mutation { createPerson(input: PersonInput!): Person! }
`;
const APP = "https://app.example.com";

async function serve() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const schema = `${folder.path}/schema.graphql`;
  await Deno.writeTextFile(schema, SCHEMA);
  const seeds = `${folder.path}/seeds.json`;
  await Deno.writeTextFile(seeds, "{}");
  const started = startServe(schema, "--seed", seeds, "--port", "0", "--origin", APP);
  const url = await stack.use(started).url();
  const owned = stack.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Sends a request as it is, and returns the head and the body of the response. */
async function send(url: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode([...lines, "", ""].join("\r\n")));
  let text = "";
  for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [head = "", body = ""] = text.split("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (text.includes("\r\n\r\n") && body.length >= length) break;
  }
  return text;
}

Deno.test("serve answers a request whose Host is no host with 400", async () => {
  await using mock = await serve();
  for (const host of ["a b", "[::", "a:99999", "a/b", "a@b", "%zz", "#"]) {
    const get = await send(mock.url, ["GET /?query={people{id}} HTTP/1.1", `Host: ${host}`]);
    match(get, /^HTTP\/1.1 400 [^]*"Cannot read the address \\"http:.*its Host must be a name/);
    const socket = await send(mock.url, handshake({ Host: host }));
    match(socket, /^HTTP\/1.1 400 [^]*\r\n\r\nCannot read the address "http:.*its Host must be/);
  }
  match(
    await send(mock.url, ["GET /?query={people{id}} HTTP/1.1", "Host: a:80"]),
    /^HTTP\/1.1 200/,
  );
});

Deno.test("serve answers an incomplete WebSocket handshake with 400, and one of another version with 426", async () => {
  await using mock = await serve();
  const answer = async (headers: Record<string, string | undefined>, method = "GET") =>
    await send(mock.url, handshake(headers, method));
  const wrongKey = /^HTTP\/1.1 400 [^]*\r\n\r\nCannot open a WebSocket: its Sec-WebSocket-Key must/;
  match(await answer({}), /^HTTP\/1.1 101 /);
  match(await answer({ "Sec-WebSocket-Key": undefined }), wrongKey);
  match(await answer({ "Sec-WebSocket-Key": "short" }), wrongKey);
  match(
    await answer({ Connection: "close" }),
    /^HTTP\/1.1 400 [^]*its Connection must be "Upgrade"/,
  );
  match(await answer({}, "POST"), /^HTTP\/1.1 400 [^]*its method is POST/);
  for (const version of ["8", "14", undefined]) {
    const response = await answer({ "Sec-WebSocket-Version": version });
    match(response, /^HTTP\/1.1 426 [^]*its Sec-WebSocket-Version must be 13/);
    match(response, /\r\nsec-websocket-version: 13\r\n/i);
  }
});

/** The lines of a handshake, with other headers or without some. */
function handshake(headers: Record<string, string | undefined>, method = "GET"): string[] {
  const all = {
    Host: "localhost",
    Connection: "keep-alive, Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Key": btoa("the sample nonce"),
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "graphql-transport-ws",
    ...headers,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return [`${method} / HTTP/1.1`, ...given.map(([name, value]) => `${name}: ${value}`)];
}

Deno.test("serve with origins takes no form of a page of another origin", async () => {
  await using mock = await serve();
  const create = async (origin: string | undefined, name: string) => {
    const form = new FormData();
    const query = "mutation ($input: PersonInput!) { createPerson(input: $input) { name } }";
    form.set("operations", JSON.stringify({ query, variables: { input: { name, photo: null } } }));
    form.set("map", '{ "0": ["variables.input.photo"] }');
    form.set("0", new File(["light"], "photo.txt"));
    const headers = origin === undefined ? undefined : { origin };
    const response = await fetch(mock.url, { method: "POST", body: form, headers });
    return [response.status, await response.text()];
  };
  for (const origin of ["https://evil.example.com", "null", "http://app.example.com"]) {
    deepStrictEqual(await create(origin, "Eve"), [
      403,
      JSON.stringify({
        errors: [{
          message: `Cannot take a form from a page of "${origin}": the origin is not allowed`,
        }],
      }),
    ]);
  }
  for (const origin of [APP, new URL(mock.url).origin, undefined]) {
    deepStrictEqual(await create(origin, "Ada"), [200, '{"data":{"createPerson":{"name":"Ada"}}}']);
  }
  const people = await (await fetch(`${mock.url}?query={people{name}}`)).text();
  strictEqual(people, `{"data":{"people":[${Array(3).fill('{"name":"Ada"}').join()}]}}`);
});
