import { createHash } from "node:crypto";
import * as z from "zod";
import { createTempFolder, type TempFolder } from "../../../test_support/temp_folder.ts";

/** A JSR on this machine: `deno publish` uploads to it, and programs import `jsr:` from it. */
export interface LocalJsr extends AsyncDisposable {
  /** The settings by which Deno uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** What was published: `<scope>/<name>/<version>/<file>`. */
  readonly folder: TempFolder;
}

const Manifest = z.object({ exports: z.record(z.string(), z.string()) });

/** The upload of a version, or the question whether it exists. */
const VERSION = /^\/api\/scopes\/([\w-]+)\/packages\/([\w-]+)\/versions\/([\w.-]+)$/;
/** The versions of a package. */
const PACKAGE = /^(\/@[\w-]+\/[\w-]+)\/meta\.json$/;
/** A file of a version, or what the registry says about the version. */
const FILE = /^(\/@[\w-]+\/[\w-]+\/\d[\w.-]*?)(_meta\.json|\/.*)$/;
/** What the registry answers of an upload, and of everything that it is asked before. */
const DONE = { id: "00000000-0000-0000-0000-000000000000", status: "success", error: null };

/** Starts an empty registry, which takes what `deno publish` uploads, and serves it unchanged. */
export async function startLocalJsr(): Promise<LocalJsr> {
  const folder = await createTempFolder();
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const server = Deno.serve(options, async (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    if (request.method === "POST") return await takeUpload(request, folder.path, path);
    if (path.startsWith("/api/")) {
      return VERSION.test(path) ? new Response(null, { status: 404 }) : Response.json(DONE);
    }
    try {
      return await answer(folder.path, path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return new Response(null, { status: 404 });
    }
  });
  return {
    env: { JSR_URL: `http://127.0.0.1:${server.addr.port}/` },
    folder,
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Unpacks the archive of a version. */
async function takeUpload(request: Request, root: string, path: string): Promise<Response> {
  const [, scope, name, version] = VERSION.exec(path) ?? [];
  const target = `${root}/@${scope}/${name}/${version}`;
  await Deno.mkdir(target, { recursive: true });
  const archive = await request.blob();
  const tar = new Deno.Command("tar", { args: ["-xz", "-C", target], stdin: "piped" }).spawn();
  await archive.stream().pipeTo(tar.stdin);
  const { success } = await tar.status;
  return success ? Response.json(DONE) : new Response(null, { status: 400 });
}

async function answer(root: string, path: string): Promise<Response> {
  const [, name] = PACKAGE.exec(path) ?? [];
  if (name !== undefined) {
    const versions = (await Array.fromAsync(Deno.readDir(root + name))).map(({ name }) => name);
    const known = Object.fromEntries(versions.map((version) => [version, {}]));
    return Response.json({ latest: versions[0], versions: known });
  }
  const [, version, file] = FILE.exec(path) ?? [];
  if (file === "_meta.json") return Response.json(await describeVersion(`${root}${version}`));
  const type = path.endsWith(".json") ? "application/json" : typeOfSource(path);
  return new Response(await Deno.readFile(root + path), { headers: { "content-type": type } });
}

function typeOfSource(path: string): string {
  return path.endsWith(".js") ? "text/javascript" : "text/typescript";
}

/** The exports of a version, and the checksums of its files, which Deno compares. */
async function describeVersion(folder: string): Promise<object> {
  const { exports } = Manifest.parse(JSON.parse(await Deno.readTextFile(`${folder}/deno.json`)));
  const files = await Promise.all((await listFiles(folder)).map(async (path) => {
    const bytes = await Deno.readFile(`${folder}/${path}`);
    const checksum = `sha256-${createHash("sha256").update(bytes).digest("hex")}`;
    return [`/${path}`, { size: bytes.length, checksum }];
  }));
  return { exports, manifest: Object.fromEntries(files) };
}

/** The paths of all files in a folder, from it. */
export async function listFiles(folder: string, prefix = ""): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(`${folder}/${prefix}`));
  const files = await Promise.all(entries.map(({ name, isDirectory }) => {
    return isDirectory ? listFiles(folder, `${prefix}${name}/`) : [`${prefix}${name}`];
  }));
  return files.flat().sort();
}
