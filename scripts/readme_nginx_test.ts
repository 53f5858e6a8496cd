import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type ServerProcess, startServer } from "../mcp_server/testing/server_process.ts";
import { freePort } from "../mcp_server/testing/free_port.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const NAME = "tools.example.org";
const TOKEN = "token-of-the-test";

/** What a machine has around the shown part; the temporary folders are those of the test. */
const MAIN_CONFIG = `daemon off;
user root;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include trestle.conf;
}
`;

/** An nginx in front of a server, configured as the page shows. */
interface Front extends AsyncDisposable {
  /** Calls the HTTP API as `https://tools.example.org`, with or without the token. */
  call(body: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response>;
}

/** The configuration that the page shows, with the addresses and files of a test. */
async function shownConfig(folder: string, port: number, server: ServerProcess): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/deploy.md`);
  const shown = codeBlocks(page).filter(({ language }) => language === "nginx");
  strictEqual(shown.length, 1, "the page shows one configuration");
  return (shown[0]?.code ?? "")
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
    .replace(/\/\S+\.pem/, `${folder}/cert.pem`)
    .replace(/\/\S+\.key/, `${folder}/key.pem`)
    .replace("http://127.0.0.1:1234", server.url);
}

async function startFront(server: ServerProcess): Promise<Front> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  const port = freePort();
  await createCertificate(path);
  await Deno.writeTextFile(`${path}/nginx.conf`, MAIN_CONFIG);
  await Deno.writeTextFile(`${path}/trestle.conf`, await shownConfig(path, port, server));
  const nginx = new Deno.Command("/usr/sbin/nginx", {
    args: ["-p", path, "-c", `${path}/nginx.conf`, "-e", "stderr"],
    stdin: "null",
    stdout: "null",
  }).spawn();
  stack.defer(async () => {
    nginx.kill();
    await nginx.status;
  });
  await untilListening(port);
  const caCerts = [await Deno.readTextFile(`${path}/cert.pem`)];
  const client = stack.use(Deno.createHttpClient({ caCerts, allowHost: true }));
  const parts = stack.move();
  return {
    call: (body, headers, signal) =>
      fetch(`https://127.0.0.1:${port}/api`, {
        method: "POST",
        client,
        body,
        headers: { Host: NAME, "Content-Type": "application/json", ...headers },
        ...(signal === undefined ? {} : { signal }),
      }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Resolves once a port of 127.0.0.1 accepts connections; rejects after 10 s. */
async function untilListening(port: number): Promise<void> {
  for (let left = 100; left > 0; left--) {
    try {
      return (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`Cannot connect to nginx on port ${port}: it does not listen`);
}

/** Makes a key and a certificate in a folder, for the name and for the address of the test. */
async function createCertificate(folder: string): Promise<void> {
  const subject = ["-subj", `/CN=${NAME}`, "-addext", `subjectAltName=DNS:${NAME},IP:127.0.0.1`];
  const { success } = await new Deno.Command("openssl", {
    args: ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject]
      .concat("-addext", "basicConstraints=critical,CA:FALSE")
      .concat("-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`),
    stderr: "null",
  }).output();
  strictEqual(success, true);
}

function commandBody(command: string): string {
  return JSON.stringify({ tool: "exec-command", args: { commands: [{ command }] } });
}

Deno.test({
  ...requires(
    "nginx",
    requires("openssl", "the nginx of mcp_server/docs/deploy.md serves the tools").name,
  ),
  fn: async (t) => {
    await using folder = await createTempFolder();
    const env = { MCP_TOKEN: TOKEN, MCP_ALLOWED_HOSTS: NAME };
    await using server = await startServer({ env });
    await using front = await startFront(server);
    const Authorization = `Bearer ${TOKEN}`;

    await t.step("a call with the token is answered, one without it is 401", async () => {
      const response = await front.call(commandBody("echo hello"), { Authorization });
      const { results } = await response.json();
      deepStrictEqual([response.status, results[0].stdout], [200, "hello\n"]);
      const refused = await front.call(commandBody("echo hello"), {});
      strictEqual(refused.status, 401);
      await refused.body?.cancel();
    });

    await t.step("output arrives while the command runs", async () => {
      const file = `${folder.path}/go`;
      const command = `echo first; while [ ! -e ${file} ]; do sleep 0.05; done; echo second`;
      const headers = { Authorization, Accept: "text/event-stream" };
      const response = await front.call(commandBody(command), headers);
      let text = "";
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += part;
        // the command goes on only once its first line was seen
        if (text.includes("first")) await Deno.writeTextFile(file, "");
      }
      match(text, /first[^]*second[^]*event: result/);
    });

    await t.step("a client that disconnects stops its call", async () => {
      const controller = new AbortController();
      const headers = { Authorization, Accept: "text/event-stream" };
      const body = commandBody("echo first; sleep 301");
      const response = await front.call(body, headers, controller.signal);
      const reader = response.body?.getReader();
      await reader?.read();
      controller.abort();
      await reader?.closed.catch(() => {});
      await server.logged(/"outcome":"CANCELLED"/);
    });
  },
});
