import { freePort } from "../../mcp_server/testing/free_port.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";

/** A real nginx for one test, on a free port of 127.0.0.1. */
export interface Nginx extends AsyncDisposable {
  /** `https://localhost:<port>`. */
  readonly url: string;
  readonly port: number;
  /** Its self-signed certificate (PEM). */
  readonly cert: string;
  /** The protocols of the requests that have ended. */
  protocols(): Promise<string[]>;
}

const STARTED_WITHIN_MS = 30_000;

/**
 * Starts nginx with the configuration of one site, in which the ports, the certificate and its key
 * are replaced by those of a test, and the servers behind it by these, in order.
 */
export async function startNginx(site: string, ...servers: readonly URL[]): Promise<Nginx> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createTempFolder());
  const port = freePort();
  await createCertificate(folder);
  const hosts = servers.map(({ host }) => host);
  await Deno.writeTextFile(
    `${folder}/site.conf`,
    site.replace("listen 443", `listen 127.0.0.1:${port}`)
      .replaceAll(/[\w.-]+:1234/g, () => hosts.shift() ?? "")
      .replace(/\/\S+\.pem/, `${folder}/cert.pem`)
      .replace(/\/\S+\.key/, `${folder}/key.pem`),
  );
  await Deno.writeTextFile(`${folder}/nginx.conf`, mainConfig(folder));
  const process = new Deno.Command("/usr/sbin/nginx", {
    args: ["-p", folder, "-e", "stderr", "-c", `${folder}/nginx.conf`],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  stack.defer(async () => {
    process.kill("SIGTERM");
    await process.status;
  });
  await untilListening(port);
  const owned = stack.move();
  return {
    url: `https://localhost:${port}`,
    port,
    cert: await Deno.readTextFile(`${folder}/cert.pem`),
    protocols: async () =>
      (await Deno.readTextFile(`${folder}/access.log`)).split("\n").filter((line) => line !== ""),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function mainConfig(folder: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `  ${kind}_temp_path ${folder}/${kind};`).join("\n");
  return `daemon off;
${Deno.uid() === 0 ? "user root;\n" : ""}pid ${folder}/pid;
worker_processes 1;
error_log stderr crit;
events {}
http {
${temporary}
  log_format protocol '$server_protocol';
  access_log ${folder}/access.log protocol;
  include ${folder}/site.conf;
}
`;
}

async function createCertificate(folder: string): Promise<void> {
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const { success } = await new Deno.Command("openssl", {
    args: [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject],
      ...["-addext", "basicConstraints=critical,CA:FALSE"],
      ...["-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`],
    ],
    stderr: "null",
  }).output();
  if (!success) throw new Error("Cannot create a certificate: openssl failed");
}

async function untilListening(port: number): Promise<void> {
  const deadline = performance.now() + STARTED_WITHIN_MS;
  for (;;) {
    try {
      return (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
